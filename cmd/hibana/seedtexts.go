package main

// topics are tweets of a volume that begin a thread. The text before || is a content warning.
var topics = []string{
	"{n} minutes until the show in {place}. The river is already full of people. #fireworks",
	"Rule of the evening: if the fuse is wet, so is the schedule. #fireworks #safety",
	"The {effect} over {place} was so slow that you could hear the crowd breathe in. #fireworks",
	"Shot {n} frames of the finale and kept one. It was worth it. #photo #fireworks",
	"TIL that the blue ones are the hardest: copper compounds give up when it gets too hot. #fireworks #chemistry",
	"Every counter is a small firework: nobody looks until it is hot. #firestore",
	"Moved the feed to one document a month. {n} reads became 1, and I became insufferable. #firestore #costs",
	"A trigger that arrives twice is not a bug. A handler that minds is. #firestore #serverless",
	"If your test needs a sleep, it is the test that is tired. #testing #golang",
	"Wrote a channel, deleted a channel, used a mutex. A Go story in three acts. #golang",
	"Deleted {n} lines today. Nobody noticed. Best review ever. #golang",
	"errors.Join is my favorite way to complain about everything at once. #golang",
	"Hot take: the best cache is a document that you did not have to read. #firestore #costs",
	"Composite keys are just friendship bracelets for ids. #firestore",
	"First sketch of the autumn show's music: strings for the {effect}, one gong for the end. #music #fireworks",
	"Offline for six hours on a train and the app still felt alive. Local caches, I owe you a tea. #mobile",
	"Looking for people to watch the show with in {place} on Saturday! #meetup",
	"Reminder: buckets of water first, matches second. #safety",
	"The plan said one read. The bill said {n}. The plan was written by me. #firestore #costs",
	"Festival food ranking: yakisoba, kakigori, everything else, my own cooking. #festival",
	"Spoilers for the finale||They ended with a single white {effect} and then total darkness. Nobody clapped for ten " +
		"seconds. #fireworks",
	"Small tip: `context.WithoutCancel` is for work that must outlive the request, not for ignoring deadlines. #golang",
	"A long one, because people asked how a show is planned.\n\n1. Walk the site with a map and find where the wind " +
		"comes from.\n2. Decide what people should *feel* in minute one, minute five and at the end; only then choose " +
		"shells.\n3. Write the firing list. Ours for {place} has {n} pages.\n4. Rehearse with the music and no fire.\n5. " +
		"Check everything again, with fresh eyes.\n6. Go home, and sleep.\n\nMost of the work is paper. The light is only " +
		"the answer to it. #fireworks",
	"あと{n}分で開始。{jplace}はもう人でいっぱいです。 #花火",
	"{jplace}の{jeffect}、音が遅れて届くのがたまらない。 #花火",
	"{jeffect}を長時間露光で撮影。三脚を忘れた人に感謝されました。 #写真 #花火",
	"線香花火は、最後の一滴がいちばん静かで、いちばん明るい。 #花火",
	"青い花火がいちばん難しい。温度が上がりすぎると色が消えるから。 #花火 #化学",
	"Go のテストを並列にしたら{n}秒が3秒になった。 #golang #テスト",
	"ゴルーチンは線香花火みたいなもの。火をつけたら最後まで見届けること。 #golang",
	"タイムラインを月ごとのドキュメントにしたら、読み取りが{n}回から1回になりました。 #firestore",
	"イベントは二度届く。だから二度届いても困らないように書く。 #firestore #サーバーレス",
	"索引を一つ消したら書き込みが軽くなった。引き算の設計。 #firestore",
	"コードレビュー中に花火の音がして、全員で窓に集まった。 #日常",
	"今日の和菓子は水まんじゅう。テストは全部緑。良い一日。 #日常 #テスト",
	"太鼓の練習で手が上がらない。キーボードは打てます。 #祭り",
	"土曜日、{jplace}で一緒に見る人いませんか? #集まり",
	"浴衣の柄を{n}枚描いた。金魚がどんどん丸くなっていく。 #イラスト",
	"水を入れたバケツを忘れずに。火をつける前に、消す準備。 #安全",
	"かき氷のいちごとブルーハワイは同じ味だと知っていても、選ぶのに5分かかる。 #祭り",
	"Learning to say \"tamaya!\" at the right moment. 「たまや〜!」のタイミングが難しい。 #花火 #日本語",
	"夜中のアラートは{n}分で解決。原因は、消し忘れた古い索引でした。 #sre #firestore",
}

// retorts are replies.
var retorts = []string{
	"This. Exactly this.",
	"I was there! The {effect} was my favorite too.",
	"Do you have numbers? I would love to see the reads before and after.",
	"Saving this for the next review. #golang",
	"Is there a photo? Asking for all of us. #photo",
	"Same here in {place}, only with more rain.",
	"Counterpoint: sometimes the mutex is right.",
	"Teach me how you did that!",
	"{n} is a suspiciously good number.",
	"See you there. I will bring the blanket and the bad jokes.",
	"Laughed, then checked my own bill. #costs",
	"The wind in {place} changes at nine, watch out.",
	"わかります。",
	"{jplace}にいました! 最後の{jeffect}、最高でしたね。",
	"写真もっと見たいです! #写真",
	"それ、詳しく聞きたいです。",
	"読み取りの回数、どうやって測りましたか?",
	"明日さっそく試してみます。",
	"{n}はすごい。うちはその倍かかっています。",
	"土曜日、行きます!",
	"いい言葉。メモしました。",
	"安全第一ですね。 #安全",
	"お疲れさまでした。ゆっくり休んでください。",
	"今度いっしょに撮りに行きましょう。",
}

// words replace placeholders.
var words = []struct {
	kind   string
	choice []string
}{
	{"{place}", []string{"Nagaoka", "Sumida", "Omagari", "Suwa", "Lisbon", "Porto", "Berlin", "the old harbor"}},
	{"{effect}", []string{"willow", "chrysanthemum", "peony", "golden brocade", "comet", "crossette"}},
	{"{jplace}", []string{"長岡", "隅田川", "大曲", "諏訪湖", "土浦", "河川敷"}},
	{"{jeffect}", []string{"しだれ柳", "菊", "牡丹", "スターマイン", "ナイアガラ", "千輪"}},
}

// moreTags are tags beside the text.
var moreTags = []string{"hibana", "summer", "夏", "tonight", "今夜"}
