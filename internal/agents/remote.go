package agents

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/url"

	"github.com/hibana-sns/hibana/model"
)

// remote asks a model of a provider over HTTP.
type remote struct {
	endpoint, key string
	vertex        bool
	client        *http.Client
}

// Reserve returns the most tokens of a request and its answer: a token has at least a byte.
func (*remote) Reserve() (input, output int64) { return mostInput, mostOutput }

// Decide asks the model that the agent names. Errors have neither the key nor the texts.
func (r *remote) Decide(ctx context.Context, v model.AgentView) (d model.AgentDecision, err error) {
	document, err := promptOf(v)
	if err != nil {
		return d, err
	}
	address, body := r.endpoint+"/chat/completions", any(map[string]any{
		"model": v.Model, "max_tokens": mostOutput, "response_format": map[string]any{"type": "json_object"},
		"messages": []any{message("system", instructions), message("user", document)},
	})
	if r.vertex {
		address, body = r.endpoint+"/"+url.PathEscape(v.Model)+":generateContent", map[string]any{
			"systemInstruction": map[string]any{"parts": []any{map[string]any{"text": instructions}}},
			"contents":          []any{map[string]any{"role": "user", "parts": []any{map[string]any{"text": document}}}},
			"generationConfig":  map[string]any{"responseMimeType": "application/json", "maxOutputTokens": mostOutput},
		}
	}
	var a answer
	if err := r.ask(ctx, address, body, &a); err != nil {
		return d, err
	}
	text := ""
	if text, d.Input, d.Output = a.text(r.vertex); d.Input < 0 || d.Output < 0 || d.Input > 100*mostInput ||
		d.Output > 100*mostOutput {
		return model.AgentDecision{}, errAnswer
	}
	if d.Input+d.Output == 0 { // the provider does not say
		d.Input, d.Output = mostInput, mostOutput
	}
	d.Acts, err = choicesOf(text, v)
	return d, err
}

func message(role, text string) map[string]any { return map[string]any{"role": role, "content": text} }

// answer is the part of the answers of both kinds of service that is read.
type answer struct {
	Choices []struct {
		Message struct {
			Content string `json:"content"`
		} `json:"message"`
	} `json:"choices"`
	Usage struct {
		Input  int64 `json:"prompt_tokens"`
		Output int64 `json:"completion_tokens"`
	} `json:"usage"`

	Candidates []struct {
		Content struct {
			Parts []struct {
				Text string `json:"text"`
			} `json:"parts"`
		} `json:"content"`
	} `json:"candidates"`
	UsageMetadata struct {
		Input    int64 `json:"promptTokenCount"`
		Output   int64 `json:"candidatesTokenCount"`
		Thoughts int64 `json:"thoughtsTokenCount"`
	} `json:"usageMetadata"`
}

// text returns the text of the first answer, and its tokens.
func (a *answer) text(vertex bool) (text string, input, output int64) {
	if !vertex {
		if len(a.Choices) > 0 {
			text = a.Choices[0].Message.Content
		}
		return text, a.Usage.Input, a.Usage.Output
	}
	if len(a.Candidates) > 0 {
		for _, p := range a.Candidates[0].Content.Parts {
			text += p.Text
		}
	}
	return text, a.UsageMetadata.Input, a.UsageMetadata.Output + a.UsageMetadata.Thoughts
}

// ask sends a request once, and reads an answer of bounded size.
func (r *remote) ask(ctx context.Context, address string, body any, to *answer) error {
	data, err := json.Marshal(body)
	if err != nil {
		return err
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, address, bytes.NewReader(data))
	if err != nil {
		return fmt.Errorf("agents: the endpoint is no address")
	}
	req.Header.Set("Content-Type", "application/json")
	if r.key != "" && !r.vertex {
		req.Header.Set("Authorization", "Bearer "+r.key)
	}
	resp, err := r.client.Do(req)
	if err != nil {
		return fmt.Errorf("agents: the model does not answer: %w", err)
	}
	defer resp.Body.Close()
	if resp.StatusCode != http.StatusOK {
		return fmt.Errorf("agents: the model answers %d", resp.StatusCode)
	}
	text, err := io.ReadAll(io.LimitReader(resp.Body, largestAnswer+1))
	if err != nil || len(text) > largestAnswer || json.Unmarshal(text, to) != nil {
		return errAnswer
	}
	return nil
}
