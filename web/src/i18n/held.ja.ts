import type { Same } from "./catalogue";
import type { en } from "./held.en";

/** Every sentence about replies that wait for approval, in Japanese. */
export const ja: Same<typeof en> = {
  title: "承認待ちの返信",
  setting: "フォローしていない人の返信は、自分が承認するまで表示しない",
  settingHint: "これから始めるスレッドに適用されます。",
  forYou: "あなたの承認待ち",
  forYouEmpty: "承認待ちの返信はありません。",
  yours: "相手の承認を待っているあなたの返信",
  approve: "承認",
  refuse: "拒否",
  withdraw: "取り下げる",
  by: "{{act}}: {{name}}",
  answers: "返信先を見る",
  approved: "返信がスレッドに表示されました。",
  see: "承認待ちの返信を見る",
  count_one: "{{count}} 件の返信があなたの承認を待っています",
  count_other: "{{count}} 件の返信があなたの承認を待っています",
  sent: "返信はスレッドを始めた人の承認を待っています。",
  show: "見る",
  hint: "返信の表示には、スレッドを始めた人の承認が必要なことがあります。",
  poll: "アンケート付き: {{options}}",
};
