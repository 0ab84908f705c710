package mastodon

func oauthMethods() []Method {
	return []Method{}
}
