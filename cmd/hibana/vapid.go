package main

import (
	"fmt"
	"os"

	"github.com/hibana-sns/hibana/internal/push/vapid"
)

type vapidCmd struct{}

// Help is what the command's --help says.
func (*vapidCmd) Help() string {
	return `The functions get the private key from a secret, and both services the public key. Browsers
subscribe for a public key: another pair of keys ends all subscriptions.`
}

// Run prints a new pair of keys.
func (*vapidCmd) Run() error {
	private, public, err := vapid.Generate()
	if err == nil {
		_, err = fmt.Fprintf(os.Stdout, "VAPID_PRIVATE_KEY=%s\nVAPID_PUBLIC_KEY=%s\n", private, public)
	}
	return err
}
