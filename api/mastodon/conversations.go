package mastodon

func conversationMethods() []Method {
	return []Method{}
}
