import type { Same } from "./catalogue";
import type { en } from "./account.en";

/** account.en.ts in Japanese. */
export const ja: Same<typeof en> = {
  title: "ログインとセキュリティ",
  decisions: "モデレーターの決定",
  decisionsHint: "あなたのアカウントと投稿についての決定と、異議申し立て。",
  hint: "メールアドレス、パスワード、ほかのアカウント、ログイン中の端末。",
  yours: "本人確認のため、今のパスワード",
  email: {
    title: "メールアドレス",
    new: "新しいメールアドレス",
    change: "アドレスを変える",
    sent: "{{email}} に届いたメールのリンクを開くと、アドレスが変わります。その後は新しいアドレスでログインしてください。",
  },
  password: {
    title: "パスワード",
    new: "新しいパスワード",
    change: "パスワードを変える",
    changed: "パスワードを変えました。ほかの端末では、もう一度ログインが必要です。",
  },
  with: {
    title: "ほかのアカウント",
    google: "Google で続ける",
    apple: "Apple で続ける",
    or: "またはメールアドレスで",
    add: "{{name}} を追加",
    remove: "{{name}} を外す",
    added: "{{name}} でログインできるようになりました。",
    removed: "{{name}} ではログインしなくなりました。",
    last: "ほかにログインする方法がないため、外せません。",
  },
  second: {
    title: "二段階認証",
    hint: "パスワードのあとに、認証アプリのコードを求めます。",
    begin: "二段階認証を設定する",
    key: "このキーを認証アプリに追加するか、アプリのある端末でリンクを開いてください。",
    open: "アプリで開く",
    code: "アプリに出る 6 桁の数字",
    confirm: "有効にする",
    on: "二段階認証は有効です。",
    off: "二段階認証をやめる",
    done: "二段階認証をやめました。",
  },
  places: {
    title: "ログインした端末",
    none: "まだ記録がありません。",
    unknown: "不明な端末",
    row: "{{system}} の {{program}}",
    when: "{{when}}、{{provider}}",
    here: "この端末",
    ended: "ログアウト済み",
    password: "パスワード",
    all: "すべての端末でログアウト",
    allHint: "この端末もログアウトします。すべての端末に行き渡るまで 1 分ほどかかります。",
    done: "すべての端末でログアウトしました。",
  },
  error: {
    other:
      "このメールアドレスは、別のログイン方法で登録済みです。いつもの方法でログインし、設定でこのアカウントを追加してください。",
    closed: "ログインの前にウィンドウが閉じられました。",
    code: "コードが違います。次のコードを待ってください。",
    linked: "このアカウントは、ここではほかの人のものです。",
    unconfirmed: "先にメールアドレスを確認してください。",
    recent: "もう一度ログインしてから行ってください。",
  },
};
