import type { Same } from ".";
import type { en } from "./admin.en";

/** Every sentence of the pages for moderators and administrators, in Japanese. */
export const ja: Same<typeof en> = {
  more: "もっと見る",
  reports: {
    title: "通報", none: "未対応の通報はありません", noneHint: "届いた通報が、古いものから順に並びます。", tweet: "対象のツイート", user: "対象の人",
    open_one: "未対応の通報：{{count}}件", open_other: "未対応の通報：{{count}}件", note: "理由（記録用）", acted: "対応した", dismissed: "対応しない", done: "処理しました",
  },
  products: {
    title: "商品", new: "新しい商品", name: "商品名", description: "説明", image: "画像", imageHint: "httpsのアドレス", price: "価格", currency: "通貨", stock: "在庫数",
    add: "ショップに加える", added: "ショップに加えました：{{name}}", listed: "販売中", change: "価格を変える", changed: "変更しました", restock: "入荷する数", restockHint: "0より小さい数で減らせます。", restockNow: "在庫を変える",
    inStock_one: "在庫：{{count}}点", inStock_other: "在庫：{{count}}点", retire: "販売を終える", retireHint: "以後は注文できず、処理待ちの注文は断られます。", sell: "販売を再開する", look: "ショップで見る",
  },
  orders: {
    title: "注文", state: "注文の状態", none: "該当する注文はありません", noneHint: "注文が古いものから順に並びます。", one: "注文{{id}}", customer: "注文した人",
    ship: "発送した", shipped: "発送済みにしました", cancelled: "取り消しました。商品は在庫に戻ります",
  },
};
