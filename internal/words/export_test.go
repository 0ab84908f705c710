package words

// Tries returns how often a whole word was compared with a part of the text.
func (t *Text) Tries() int { return t.tries }
