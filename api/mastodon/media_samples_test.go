package mastodon_test

import (
	"bytes"
	"image"
	"image/png"
	"mime/multipart"
	"os"
)

// picture is a PNG of 30 x 20 pixels.
func picture() []byte {
	var b bytes.Buffer
	if err := png.Encode(&b, image.NewGray(image.Rect(0, 0, 30, 20))); err != nil {
		panic(err)
	}
	return b.Bytes()
}

// fileForm is a form with a file, and texts before and behind it.
func fileForm(before, after map[string]string, name string, file []byte) (body []byte, media string) {
	var b bytes.Buffer
	w := multipart.NewWriter(&b)
	for k, v := range before {
		w.WriteField(k, v)
	}
	part, err := w.CreateFormFile("file", name)
	if err != nil {
		panic(err)
	}
	part.Write(file)
	for k, v := range after {
		w.WriteField(k, v)
	}
	w.Close()
	return b.Bytes(), w.FormDataContentType()
}

// film is a short video.
func film() []byte {
	b, err := os.ReadFile("../../store/media/testdata/film.mp4")
	if err != nil {
		panic(err)
	}
	return b
}

func mediaSamples() []sample {
	body, media := fileForm(map[string]string{"description": "Gray"}, nil, "film.mp4", film())
	// how often a picture is looked at is not known
	text, textMedia := fileForm(nil, nil, "gray.txt", []byte("no picture"))
	return []sample{
		{of: "POST /api/v2/media", body: body, media: media, want: 202, keep: "media"},
		{of: "GET /api/v1/media/:id", path: "/api/v1/media/{media}", idle: true},
		{of: "PUT /api/v1/media/:id", path: "/api/v1/media/{media}", body: map[string]any{"description": "A gray field"}},
		{of: "DELETE /api/v1/media/:id", path: "/api/v1/media/{media}"},
		{of: "POST /api/v1/media", body: text, media: textMedia, want: 422},
	}
}
