package e2e

import (
	"bytes"
	"encoding/base64"
	"image"
	"image/color"
	"image/png"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/hibana-sns/hibana/api"
	"github.com/hibana-sns/hibana/api/mastodon"
	"github.com/hibana-sns/hibana/dev/emulators"
	"github.com/hibana-sns/hibana/dev/testing/testenv"
)

// masto.js, the client library of Phanpy and Elk, goes through a whole session: sign-in by OAuth, the methods of an
// app, streams, and the end of its token. What it asserts is in testdata/masto/session.mjs.
func TestMasto(t *testing.T) {
	testenv.Slow(t, "packages that it installs")
	dir := filepath.Join("testdata", "masto")
	testenv.Must(t, emulators.InstallWeb(t.Context(), dir, nil))
	e := newMediaEnv(t, func(o *api.Options) {
		o.Streaming = &mastodon.Streaming{Pace: 10 * time.Millisecond, CheckEvery: time.Second}
	})
	ann, bob := e.join(t, "ann_masto"), e.join(t, "bob_masto")
	e.idle(t)
	m := image.NewRGBA(image.Rect(0, 0, 80, 60))
	for i := range 60 {
		m.Set(i, i, color.RGBA{200, uint8(4 * i), 30, 255})
	}
	var picture bytes.Buffer
	testenv.Must(t, png.Encode(&picture, m))
	// WebSockets and withResolvers are there without a word in Node.js 22, which masto.js asks for.
	out := run(t, dir, []string{"HIBANA_URL=" + e.url, "HIBANA_TOKENS=" + ann.token + "," + bob.token,
		"HIBANA_PICTURE=" + base64.StdEncoding.EncodeToString(picture.Bytes())},
		"node", "--experimental-websocket", "--import", "./node20.mjs", "session.mjs")
	if !strings.Contains(out, "the session ended") {
		t.Errorf("the session said\n%s", out)
	}
	t.Log(out)
}
