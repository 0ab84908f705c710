package meter

import (
	"context"
	"errors"
	"fmt"
	"math"
	"os"

	pb "cloud.google.com/go/firestore/apiv1/firestorepb"
	"google.golang.org/api/option"
	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials/insecure"
)

// Options say what the interceptors do beside counting. The functions are called
// from the goroutine that calls Firestore, often from several at once. Every
// field may be left zero.
type Options struct {
	// Indexes are the deployed indexes. If nil, queries are not checked.
	Indexes *IndexSet
	// OnUnindexed hears of a query, before it is sent, that no index serves. The
	// problem names its fields but no values, and ends in the definition to add.
	OnUnindexed func(ctx context.Context, problem string)
	// OnWrite hears of each document that was written or deleted, by its path
	// below the database such as "tweets/3f…", once Firestore has confirmed it.
	OnWrite func(path string, deleted bool)
	// OnCommit hears of each commit that was made. Its answer holds the results of
	// increments, which the client (1.29) keeps to itself.
	OnCommit func(ctx context.Context, req *pb.CommitRequest, resp *pb.CommitResponse)
}

// ClientOptions returns what firestore.NewClient needs for its calls to be
// counted. The emulator is the host:port of a Firestore emulator, to which the
// client goes as administrator; empty means the cloud.
//
// An emulator must be given here even where FIRESTORE_EMULATOR_HOST names it: with
// that variable the library (1.29) opens a connection of its own, without any
// interceptor, unless it is handed one. It is an error to have the variable alone,
// because nothing would be counted.
func ClientOptions(emulator string, o Options) ([]option.ClientOption, error) {
	dial := []grpc.DialOption{
		grpc.WithChainUnaryInterceptor(o.unary),
		grpc.WithChainStreamInterceptor(o.stream),
	}
	if emulator == "" {
		if os.Getenv("FIRESTORE_EMULATOR_HOST") != "" {
			return nil, errors.New("meter: FIRESTORE_EMULATOR_HOST is set, but the client was configured for the cloud")
		}
		var opts []option.ClientOption
		for _, d := range dial {
			opts = append(opts, option.WithGRPCDialOption(d))
		}
		return opts, nil
	}
	conn, err := grpc.NewClient(emulator, append(dial,
		grpc.WithTransportCredentials(insecure.NewCredentials()),
		grpc.WithPerRPCCredentials(owner{}),
		grpc.WithDefaultCallOptions(grpc.MaxCallRecvMsgSize(math.MaxInt32), grpc.MaxCallSendMsgSize(math.MaxInt32)),
	)...)
	if err != nil {
		return nil, fmt.Errorf("meter: Firestore emulator %s: %w", emulator, err)
	}
	return []option.ClientOption{option.WithGRPCConn(conn)}, nil
}

// owner makes the caller the emulator's administrator, whom no rule binds.
type owner struct{}

func (owner) GetRequestMetadata(context.Context, ...string) (map[string]string, error) {
	return map[string]string{"authorization": "Bearer owner"}, nil
}

func (owner) RequireTransportSecurity() bool { return false }
