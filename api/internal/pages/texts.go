package pages

// texts are the words of a page around the user's own.
type texts struct {
	Lang      string
	Followers string
	Following string
	Posts     string
	Older     string
	Newest    string
	Open      string // link into the web client
	Join      string
	None      string
	Whole     string // link to the whole of a cut text
	Reply     string
	Quote     string
	Poll      string
	Warning   string
	Show      string
	Likes     string
	Replies   string
	Shares    string
	Video     string
	Bot       string
	Verified  string // of a link whose page links back
	Votes     string
	Closes    string
	Closed    string
	Missing   string
	MissingIs string
}

var english = texts{
	Lang: "en", Followers: "Followers", Following: "Following", Posts: "Posts", Older: "Older posts",
	Newest: "Newest posts", Open: "Open in the app", Join: "To the start page", None: "No public posts here.",
	Whole: "Read on", Reply: "In reply to another post", Quote: "Quotes another post", Poll: "Has a poll",
	Warning: "Content warning", Show: "Show", Likes: "Likes", Replies: "Replies", Shares: "Shares",
	Video: "Play the video", Missing: "Nothing here",
	Bot: "Bot", Verified: "verified", Votes: "Votes", Closes: "Poll until", Closed: "Poll closed",
	MissingIs: "The page was removed, is not public, or never existed.",
}

var japanese = texts{
	Lang: "ja", Followers: "フォロワー", Following: "フォロー中", Posts: "投稿", Older: "以前の投稿", Newest: "最新の投稿",
	Open: "アプリで開く", Join: "トップページへ", None: "公開されている投稿はありません。", Whole: "続きを読む",
	Reply: "ほかの投稿への返信", Quote: "ほかの投稿を引用", Poll: "アンケートあり", Warning: "閲覧注意", Show: "表示",
	Likes: "いいね", Replies: "返信", Shares: "共有", Video: "動画を再生", Missing: "ページがありません",
	Bot: "ボット", Verified: "確認済み", Votes: "票", Closes: "アンケートの締め切り", Closed: "アンケートは終了しました",
	MissingIs: "削除されたか、公開されていないか、存在しないページです。",
}

// textsFor returns the words in the language of a profile: a shared cache has one page for everybody.
func textsFor(language string) texts {
	if language == "ja" {
		return japanese
	}
	return english
}
