package mastodon

func relationshipMethods() []Method {
	return []Method{}
}
