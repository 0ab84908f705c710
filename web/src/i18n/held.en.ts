/**
 * Every sentence about replies that wait for approval, in English. held.ja.ts has the same in
 * Japanese.
 */
export const en = {
  title: "Replies awaiting approval",
  setting: "Replies from people I do not follow need my approval",
  settingHint: "In threads you start from now on.",
  forYou: "For your approval",
  forYouEmpty: "No reply is waiting for you.",
  yours: "Your replies awaiting approval by others",
  approve: "Approve",
  refuse: "Refuse",
  withdraw: "Withdraw",
  by: "{{act}}: {{name}}",
  answers: "Show what it replies to",
  approved: "The reply now shows in the thread.",
  see: "See the replies awaiting approval",
  count_one: "{{count}} reply is waiting for your approval",
  count_other: "{{count}} replies are waiting for your approval",
  sent: "Your reply is waiting for the approval of the thread's author.",
  show: "Show",
  hint: "The author of this thread may have to approve your reply first.",
  poll: "With a poll: {{options}}",
};
