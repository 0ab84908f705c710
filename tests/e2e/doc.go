// Package e2e tests the whole: people sign up with the Auth emulator and act through
// the HTTP API with their ID tokens; the Firestore emulator's events reach the
// functions as CloudEvents over HTTP; and what people then see is what is compared.
// Its budgets are asserted, in billed documents per operation; its latencies are
// benchmarks, to be read and not asserted:
//
//	go test ./tests/e2e -run '^$' -bench . -benchtime 1x
package e2e
