import type { Same } from "./catalogue";
import type { en } from "./policy.en";

/** Every sentence about notifications of people whom the reader may not know, in Japanese. */
export const ja: Same<typeof en> = {
  title: "知らない人からの通知",
  hint: "フィルターした通知は、通知の保存期間のあいだ、リクエストとして残ります。無視した通知はどこにも届きません。複数当てはまるときは、いちばん厳しいものになります。",
  from: {
    notFollowed: "フォローしていない人",
    notFollowers: "フォローされていない人",
    newAccounts: "新しいアカウント",
    newAccountsHint: "作られてから 30 日たっていないもの",
    privateMentions: "心当たりのない非公開のメンション",
    privateMentionsHint: "フォローしていない人からのもので、あなたへの返信でないもの",
  },
  actions: { accept: "表示する", filter: "フィルターする", drop: "無視する" },
  see: "フィルターした通知を見る",
  count_one: "{{count}} 人からのフィルターした通知",
  count_other: "{{count}} 人からのフィルターした通知",
  more: "{{count}} 人を超える人からのフィルターした通知",
  requests: {
    title: "フィルターした通知",
    list: "リクエスト",
    back: "通知",
    none: "フィルターした通知はありません",
    noneHint: "設定に応じてフィルターした通知が、通知の保存期間のあいだ、ここに残ります。",
    settings: "フィルターする通知を選ぶ",
    count_one: "{{count}} 件の通知",
    count_other: "{{count}} 件の通知",
    most: "最近の {{count}} 件の通知",
    show: "表示する",
    hide: "隠す",
    accept: "許可する",
    dismiss: "削除する",
    by: "{{act}}: {{name}}",
    hint: "許可すると、ここにある通知も、これからの通知も一覧に届きます。相手には知らされません。",
    accepted: "これから{{name}}さんの通知が届きます",
    dismissed: "{{name}}さんのリクエストを削除しました",
  },
  accepted: {
    title: "許可した人",
    hint: "選んだ設定にかかわらず、通知が届きます。200 人までです。",
    back: "取り消す",
    done: "{{name}}さんにも設定がまた適用されます",
    gone: "削除されたアカウント",
  },
};
