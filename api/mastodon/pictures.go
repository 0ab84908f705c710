package mastodon

import (
	"bytes"
	"context"
	"image"
	"image/color"
	"image/png"
	"net/http"
	"sync"

	"github.com/hibana-sns/hibana/api/server"
)

// The pictures of accounts that have none: clients need one of each, and know them by these addresses. The former ones
// are those that earlier versions gave out.
const (
	missingAvatar = "/avatars/original/missing.png"
	missingHeader = "/headers/original/missing.png"
	formerAvatar  = "/avatars/missing.png"
	formerHeader  = "/headers/missing.png"
	pictureSize   = "192x192"
)

const (
	avatarSide                = 192
	headerWidth, headerHeight = 600, 200
	ofADay                    = "public, max-age=86400"
)

// pictures adds the routes of the pictures.
func pictures(s *server.Server) {
	for path, draw := range map[string]func() *image.Paletted{missingAvatar: drawAvatar, missingHeader: drawHeader,
		formerAvatar: drawAvatar, formerHeader: drawHeader} {
		text := sync.OnceValues(func() ([]byte, error) {
			var b bytes.Buffer
			err := png.Encode(&b, draw())
			return b.Bytes(), err
		})
		s.Foreign(server.Foreign{Method: http.MethodGet, Path: path, Name: "GET " + path, Who: server.Anybody, Fails: fail,
			Handle: func(_ context.Context, w http.ResponseWriter, _ *http.Request) error {
				picture, err := text()
				if err != nil {
					return err
				}
				w.Header().Set("Content-Type", "image/png")
				w.Header().Set("Cache-Control", ofADay)
				w.WriteHeader(http.StatusOK)
				w.Write(picture)
				return nil
			},
		})
	}
}

var (
	night = color.RGBA{0x1b, 0x1d, 0x2e, 0xff}
	dusk  = color.RGBA{0x3a, 0x3f, 0x5f, 0xff}
	spark = color.RGBA{0xff, 0x9f, 0x40, 0xff}
)

// drawAvatar draws the outline of a person.
func drawAvatar() *image.Paletted {
	m := image.NewPaletted(image.Rect(0, 0, avatarSide, avatarSide), color.Palette{night, dusk})
	const middle = avatarSide / 2
	for y := range avatarSide {
		for x := range avatarSide {
			dx, head, body := x-middle, y-avatarSide*3/8, y-avatarSide
			if dx*dx+head*head < 34*34 || dx*dx+body*body < 70*70 {
				m.SetColorIndex(x, y, 1)
			}
		}
	}
	return m
}

// drawHeader draws sparks in the night.
func drawHeader() *image.Paletted {
	m := image.NewPaletted(image.Rect(0, 0, headerWidth, headerHeight), color.Palette{night, dusk, spark})
	for n := range 90 {
		x, y := n*373%headerWidth, n*n*57%headerHeight
		size, shade := 1+n%3, uint8(1+n%7/6)
		for dy := -size; dy <= size; dy++ {
			for dx := -size; dx <= size; dx++ {
				if dx*dx+dy*dy <= size*size && image.Pt(x+dx, y+dy).In(m.Rect) {
					m.SetColorIndex(x+dx, y+dy, shade)
				}
			}
		}
	}
	return m
}
