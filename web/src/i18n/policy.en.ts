/**
 * Every sentence about notifications of people whom the reader may not know, in English.
 * policy.ja.ts has the same in Japanese.
 */
export const en = {
  title: "Notifications from people you may not know",
  hint: "Filtered notifications wait for you as requests, for as long as notifications are kept. Ignored ones are dropped. If several apply, the strictest counts.",
  from: {
    notFollowed: "People you do not follow",
    notFollowers: "People who do not follow you",
    newAccounts: "New accounts",
    newAccountsHint: "Younger than 30 days",
    privateMentions: "Unrequested private mentions",
    privateMentionsHint: "From people you do not follow, other than replies to you",
  },
  actions: { accept: "Show", filter: "Filter", drop: "Ignore" },
  see: "See the filtered notifications",
  count_one: "Filtered notifications from {{count}} person",
  count_other: "Filtered notifications from {{count}} people",
  more: "Filtered notifications from more than {{count}} people",
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
    hint: "If you accept a person, these notifications and later ones come to your list. The person is not told.",
    accepted: "Notifications from {{name}} come to your list from now on",
    dismissed: "Dismissed: {{name}}",
  },
  accepted: {
    title: "People you accepted",
    hint: "Their notifications are never filtered. At most 200 people.",
    back: "Take back",
    done: "Notifications from {{name}} are filtered again",
    gone: "Deleted account",
  },
};
