import type { en } from "./fields.en";

export const ja: typeof en = {
  bot: "ボット",
  botHint: "プログラムが投稿しています",
  all: "プロフィールの項目",
  verified: "{{when}} に確認済み",
  setting: {
    title: "プロフィールの項目",
    hint: "リンク先のページがあなたの公開ページに rel=me でリンクしていると、確認済みと表示されます。",
    pronouns: "代名詞",
    name: "項目 {{count}} の名前",
    value: "項目 {{count}} の内容",
    add: "項目を追加",
    remove: "項目 {{count}} を削除",
    bot: "このアカウントではプログラムが投稿します",
    save: "項目を保存",
  },
};
