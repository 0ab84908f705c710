package rules

import (
	"net/http"
	"net/url"
	"strings"
	"testing"

	pb "cloud.google.com/go/firestore/apiv1/firestorepb"
	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/credentials/insecure"
	"google.golang.org/grpc/metadata"
	"google.golang.org/grpc/status"

	"github.com/hibana-sns/hibana/dev/testing/testenv"
	"github.com/hibana-sns/hibana/model"
)

// The rules decide by the key whose a month is. They escape a uid as package model does, so
// that nobody reads the months of a user whose uid begins with one's own and an underscore.
func TestMonthsByKey(t *testing.T) {
	t.Parallel()
	e := start(t)
	// Without uids that hold a percent sign: the emulator decodes %25 in the path of a URL
	// twice. TestMonthsByEscapedKey has them.
	uids := []model.UserID{"ann", "ann_2", "ann_2026-11", "a/b", "a_b/c_d", "_", "__a"}
	for _, uid := range uids {
		e.tokens[string(uid)] = testenv.Token("demo", map[string]any{"sub": string(uid)})
	}
	for _, uid := range uids {
		for _, key := range []string{model.MonthKey(uid, "2026-11"), model.BucketPageKey(model.MonthKey(uid, "2026-11"),
			"3")} {
			for _, caller := range uids {
				want := http.StatusForbidden
				if caller == uid {
					want = http.StatusNotFound
				}
				if got, body := e.call(t, string(caller), http.MethodGet, e.documents+"/"+model.Reactions+"/"+
					url.PathEscape(key), nil); got != want {
					t.Errorf("%q gets %s: status %d, want %d: %.200s", caller, key, got, want, body)
				}
			}
		}
	}
}

// A custom token may have any uid of up to 128 characters. Whoever has one of characters that
// a key escapes reads the own months, and nobody else's: also where a uid is the escaped form
// of another.
func TestMonthsByEscapedKey(t *testing.T) {
	t.Parallel()
	e := start(t)
	conn, err := grpc.NewClient(testenv.FirestoreHost(t), grpc.WithTransportCredentials(insecure.NewCredentials()))
	testenv.Must(t, err)
	t.Cleanup(func() { conn.Close() })
	client := pb.NewFirestoreClient(conn)
	_, name, _ := strings.Cut(e.documents, "/v1/")
	get := func(token, document string) codes.Code {
		ctx := metadata.AppendToOutgoingContext(t.Context(), "authorization", "Bearer "+token)
		_, err := client.GetDocument(ctx, &pb.GetDocumentRequest{Name: name + "/" + document})
		return status.Code(err)
	}
	uids := []model.UserID{
		"%", "%25", "%2525", "a_b", "a%5Fb", "a%255Fb", "a%5fb", "a/b", "a%2Fb", "50% off_today/now", "_", "%5F", "日本_%",
		"a b", `a"b\c`, "$1", "a.*b",
		model.UserID(strings.Repeat("%_/", 42)),
	}
	for _, uid := range uids {
		document := model.Reactions + "/" + model.MonthKey(uid, "2026-11")
		for _, caller := range uids {
			want := codes.PermissionDenied
			if caller == uid {
				want = codes.NotFound
			}
			token := testenv.Token("demo", map[string]any{"sub": string(caller)})
			if got := get(token, document); got != want {
				t.Errorf("%q gets %s: %v, want %v", caller, document, got, want)
			}
		}
	}
}
