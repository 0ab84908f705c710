/** Every sentence of the form to write in that is not on every page. compose.ja.ts has the same in Japanese. */
export const en = {
  close: "Close. The text is kept.",
  counted_one: "{{count}} character. Lists show the first {{shown}}.",
  counted_other: "{{count}} characters. Lists show the first {{shown}}.",
  cut: "Lists show the first {{shown}} of {{total}} characters. The page of the tweet shows all.",
  who: "Audience and language",
  language: "Language",
  noLanguage: "Not specified",
  default: "Same as the tweet it replies to",
  named_one: "{{audience}}: {{count}} by name",
  named_other: "{{audience}}: {{count}} by name",
  poll: "A poll needs at least two options.",
  time: "Choose a time within the next {{days}} days.",
  emoji: "Emoji",
  noEmoji: "The emoji could not be loaded.",
  here: "Only in this browser",
  hereHint: "Posts you started and did not send.",
  about: {
    new: "New tweet",
    reply: "A reply",
    quote: "A quote",
    edit: "An edit",
  },
  removed: "Draft deleted",
  untold_one: "{{count}} file has no description. Some people do not see it: add one if you can.",
  untold_other:
    "{{count}} files have no description. Some people do not see them: add one if you can.",
};
