package main

import (
	"fmt"
	"os"

	"github.com/hibana-sns/hibana/internal/push/vapid"
)

type vapidCmd struct{}

// Help returns the text of the command's --help.
func (*vapidCmd) Help() string {
	return `The functions need the private key, from a secret. Both services need the public key. A new
key pair ends all push subscriptions of browsers.`
}

// Run prints a new pair of keys.
func (*vapidCmd) Run() error {
	private, public, err := vapid.Generate()
	if err == nil {
		_, err = fmt.Fprintf(os.Stdout, "VAPID_PRIVATE_KEY=%s\nVAPID_PUBLIC_KEY=%s\n", private, public)
	}
	return err
}
