import type { Same } from "./catalogue";
import type { en } from "./trends.en";

/** Every sentence about the review of trends, in Japanese. */
export const ja: Same<typeof en> = {
  needed: "トレンドは確認してから表示する",
  neededHint: "管理者が許可したものだけがトレンドに表示されます。反映には 2 分かかります。",
  waiting: "確認待ち",
  waitingNone: "確認を待っているものはありません。",
  shown: "現在のトレンド",
  shownNone: "現在トレンドはありません。",
  decided: "決定済みのタグ",
  decidedNone: "許可または拒否したタグはありません。",
  post: "投稿",
  uses_one: "{{count}} 回の使用",
  uses_other: "{{count}} 回の使用",
  allow: "許可",
  refuse: "拒否",
  back: "取り消す",
  by: "{{act}}: {{name}}",
  allowed: "許可",
  refused: "拒否",
  done: "決定しました。一覧には 2 分後に反映されます。",
};
