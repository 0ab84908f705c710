package mastodon

import "github.com/hibana-sns/hibana/model"

// filterV1Methods are those of the first version, in which each keyword is a filter.
func filterV1Methods() []Method {
	const read, write = "read read:filters", "write write:filters"
	return []Method{
		get("/api/v1/filters", read, func(c *call) (any, error) {
			all, err := c.allFilters()
			out := []FilterV1{}
			for _, f := range all {
				for i := range f.Keywords {
					out = append(out, filterV1(f, i))
				}
			}
			return out, err
		}),
		get("/api/v1/filters/:id", read, ofKeyword(func(_ *call, f wholeFilter, at int) (any, error) {
			return filterV1(f, at), nil
		})),
		post("/api/v1/filters", write, createFilterV1),
		put("/api/v1/filters/:id", write, ofKeyword(changeFilterV1)).note(
			"the contexts, the end and irreversible are those of all keywords of its filter"),
		remove("/api/v1/filters/:id", write, ofKeyword(removeKeyword)),
	}
}

// filterV1 makes the entity of a keyword.
func filterV1(f wholeFilter, at int) FilterV1 {
	is := filterOf(f)
	k := is.Keywords[at]
	return FilterV1{k.ID, k.Keyword, is.Context, k.WholeWord, is.ExpiresAt, f.Action == model.FilterHide}
}

func createFilterV1(c *call) (any, error) {
	return c.writeV1(wholeFilter{ID: newFilterID(), Title: c.params.text("phrase"), Action: model.FilterWarn}, -1)
}

func changeFilterV1(c *call, f wholeFilter, at int) (any, error) {
	if len(f.Keywords) == 1 && f.Title == f.Keywords[0].Keyword && c.params.has("phrase") {
		f.Title = c.params.text("phrase")
	}
	return c.writeV1(f, at)
}

// writeV1 puts what a request says into a filter and one of its keywords.
func (c *call) writeV1(f wholeFilter, at int) (any, error) {
	if c.params.has("context") {
		var err error
		if f.Contexts, err = c.contexts(); err != nil {
			return nil, err
		}
	}
	if c.params.has("irreversible") {
		if f.Action = model.FilterWarn; c.params.flag("irreversible") {
			f.Action = model.FilterHide
		}
	}
	keyword := params{"whole_word": c.params["whole_word"], "keyword": c.params["phrase"]}
	at, err := f.putKeyword(at, keyword)
	if err != nil {
		return nil, err
	}
	if err := c.expiry(&f); err != nil {
		return nil, err
	}
	if f, err = c.putFilter(f); err != nil {
		return nil, err
	}
	return filterV1(f, at), nil
}
