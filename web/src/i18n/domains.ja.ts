import type { Same } from "./catalogue";
import type { en } from "./domains.en";

/** Every sentence about domains of the fediverse, in Japanese. */
export const ja: Same<typeof en> = {
  title: "Fediverse",
  hint: "ほかのサーバーの扱いを決めます。サブドメインにも適用され、1分以内に有効になります。",
  only: "ここで許可したサーバーだけが送信と閲覧をできます。",
  new: "ドメインの規則",
  domain: "ドメイン",
  severity: "扱い",
  suspend: "停止：やりとりをせず、そのユーザーを削除します",
  silence: "制限：投稿を公開の一覧に出しません",
  noop: "制限なし",
  allow: "許可",
  rejectMedia: "画像と動画を受け取らない",
  rejectReports: "通報を受け取らない",
  publicComment: "公開するコメント",
  privateComment: "管理者用のコメント",
  save: "保存",
  saved: "{{of}} の規則を保存しました",
  import: "一覧を読み込む",
  importHint:
    "Mastodonが書き出すCSVファイル、10,000行まで。規則が重なるときは厳しいほうが残ります。",
  file: "ファイル",
  importNow: "読み込む",
  imported: "新規 {{added}}、厳しくした {{stricter}}、変更なし {{kept}}",
  skipped: "読めなかった行：{{lines}}",
  none: "規則のあるドメインはありません。",
  count: "ドメイン：{{total}}",
  more: "さらに表示",
  remove: "削除",
  removeOf: "{{of}} の規則を削除",
  removed: "{{of}} の規則を削除しました",
};
