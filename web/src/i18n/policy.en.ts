/**
 * Every sentence about notifications of people whom the reader may not know, in English.
 * policy.ja.ts has the same in Japanese.
 */
export const en = {
  title: "Notifications of people you may not know",
  hint: "Filtered notifications wait for you as requests, for as long as notifications are kept. Ignored ones come nowhere. If several apply, the strictest counts.",
  from: {
    notFollowed: "People whom you do not follow",
    notFollowers: "People who do not follow you",
    newAccounts: "New accounts",
    newAccountsHint: "Younger than 30 days",
    privateMentions: "Private mentions that you did not ask for",
    privateMentionsHint: "Of people whom you do not follow, and no answers to you",
  },
  actions: { accept: "Show", filter: "Filter", drop: "Ignore" },
  see: "See the filtered notifications",
  count_one: "Filtered notifications of {{count}} person",
  count_other: "Filtered notifications of {{count}} people",
  more: "Filtered notifications of more than {{count}} people",
  requests: {
    title: "Filtered notifications",
    list: "Requests",
    back: "Notifications",
    none: "Nothing is filtered",
    noneHint: "What your settings filter waits here for as long as notifications are kept.",
    settings: "Choose what is filtered",
    count_one: "{{count}} notification",
    count_other: "{{count}} notifications",
    most: "The newest {{count}} notifications",
    show: "Show",
    hide: "Hide",
    accept: "Accept",
    dismiss: "Dismiss",
    by: "{{act}}: {{name}}",
    hint: "If you accept somebody, these notifications come to your list, and so does what follows. Nobody is told.",
    accepted: "Notifications of {{name}} come to your list from now on",
    dismissed: "Dismissed: {{name}}",
  },
  accepted: {
    title: "People whom you accepted",
    hint: "Their notifications come whatever you chose. At most 200.",
    back: "Take back",
    done: "What you chose counts for {{name}} again",
    gone: "Deleted account",
  },
};
