/** Every sentence about the fields of a profile, in English. fields.ja.ts has the same in Japanese. */
export const en = {
  bot: "Bot",
  botHint: "A program posts here",
  all: "Fields of the profile",
  verified: "Verified on {{when}}",
  setting: {
    title: "Profile fields",
    hint: "A link is marked as verified if its page links back to your public page with rel=me.",
    pronouns: "Pronouns",
    name: "Label {{count}}",
    value: "Content {{count}}",
    add: "Add a field",
    remove: "Remove field {{count}}",
    bot: "A program posts for this account",
    save: "Save fields",
  },
};
