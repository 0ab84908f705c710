import type { Same } from "./catalogue";
import type { en } from "./compose.en";

export const ja: Same<typeof en> = {
  close: "閉じる（文は残ります）",
  counted_one: "{{count}} 文字。一覧には最初の {{shown}} 文字が出ます。",
  counted_other: "{{count}} 文字。一覧には最初の {{shown}} 文字が出ます。",
  cut: "一覧には {{total}} 文字のうち最初の {{shown}} 文字が出ます。全文はツイートのページに出ます。",
  who: "公開範囲と言語",
  language: "言語",
  noLanguage: "指定なし",
  default: "返信先と同じ",
  named_one: "{{audience}}：{{count}} 人を指名",
  named_other: "{{audience}}：{{count}} 人を指名",
  poll: "アンケートには選択肢が二つ以上必要です。",
  time: "これから {{days}} 日以内の時刻を選んでください。",
  emoji: "絵文字",
  noEmoji: "絵文字を読み込めませんでした。",
  here: "このブラウザーだけの下書き",
  hereHint: "書きかけで、まだ投稿していない文です。",
  about: {
    new: "新しいツイート",
    reply: "返信",
    quote: "引用",
    edit: "編集",
  },
  removed: "下書きを消しました",
  untold_one:
    "説明のないファイルが {{count}} 個あります。見えない人のために、できれば説明を加えてください。",
  untold_other:
    "説明のないファイルが {{count}} 個あります。見えない人のために、できれば説明を加えてください。",
};
