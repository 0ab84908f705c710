/**
 * Every sentence about replies that wait for approval, in English. held.ja.ts has the same in
 * Japanese.
 */
export const en = {
  title: "Replies that wait",
  setting: "Replies of people whom I do not follow wait for my approval",
  settingHint: "In threads that you begin from now on.",
  forYou: "For your approval",
  forYouEmpty: "No reply waits for you.",
  yours: "Your replies that wait for others",
  approve: "Approve",
  refuse: "Refuse",
  withdraw: "Withdraw",
  by: "{{act}}: {{name}}",
  answers: "Show what it answers",
  approved: "The reply is in the thread.",
  see: "See the replies that wait",
  count_one: "{{count}} reply waits for your approval",
  count_other: "{{count}} replies wait for your approval",
  sent: "Your reply waits for the approval of the thread's author.",
  show: "Show",
  hint: "The author of this thread may have to approve your reply first.",
  poll: "With a poll: {{options}}",
};
