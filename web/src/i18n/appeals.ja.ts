import type { en } from "./appeals.en";

export const ja: typeof en = {
  title: "異議申し立て",
  none: "回答を待っている異議申し立てはありません。",
  more: "もっと見る",
  acts: {
    freeze: "アカウントの凍結",
    flag: "投稿の非表示",
    delete_tweet: "投稿の削除",
    delete_media: "画像または動画の削除",
    edit_profile: "プロフィールの編集",
  },
  reason: "監査ログの理由: {{reason}}",
  post: "対象の投稿",
  user: "ユーザー",
  answer: "ユーザーへの回答",
  uphold: "決定を維持する",
  reverse: "決定を取り消す",
  answered: "回答しました",
  own: {
    title: "モデレーターの決定",
    none: "あなたについての決定はありません。",
    text: "この決定のどこが間違っていますか？",
    until: "{{when}} まで、一度だけ異議を申し立てられます。",
    send: "異議を申し立てる",
    sent: "モデレーターがもう一度確認します。",
    open: "異議申し立ては回答を待っています。",
    upheld: "決定は維持されました。",
    reversed: "決定は取り消されました。",
    late: "異議を申し立てられる期間は過ぎました。",
  },
};
