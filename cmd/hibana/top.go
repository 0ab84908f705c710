package main

import (
	"context"
	"fmt"
	"net/url"
	"os"
	"strings"
	"time"

	"github.com/mattn/go-isatty"

	"github.com/hibana-sns/hibana/dev/metrics"
)

type topCmd struct {
	Address string        `arg:"" optional:"" default:"127.0.0.1:9464" help:"Address of the metrics: HOST:PORT of METRICS_PORT, or a URL."`
	Once    bool          `help:"Print the totals since the start of the service once. This is the default without a terminal."`
	Every   time.Duration `default:"2s" help:"Interval, at least 1s."`
}

// Help returns the text of the command's --help.
func (*topCmd) Help() string {
	return `Shows requests by route, events by function, billed documents, the freshness of timelines,
and refused requests. hibana dev serves its metrics at 127.0.0.1:9464. A deployed service
serves its metrics on METRICS_PORT, without authentication.`
}

// Run shows the metrics until ctx ends.
func (c *topCmd) Run(ctx context.Context) error {
	at := c.Address
	if !strings.Contains(at, "://") {
		at = "http://" + at
	}
	u, err := url.Parse(at)
	if err != nil || u.Host == "" {
		return fmt.Errorf("%q is neither HOST:PORT nor a URL", c.Address)
	}
	if u.Path == "" || u.Path == "/" {
		u.Path = "/metrics"
	}
	if c.Every < time.Second {
		return fmt.Errorf("--every is %v; it must be at least 1s", c.Every)
	}
	read := func() (*metrics.Page, error) {
		p, err := metrics.Read(ctx, u.String())
		if err != nil {
			return nil, fmt.Errorf("no metrics at %s (%w): start hibana dev, or set METRICS_PORT of the service", u, err)
		}
		return p, nil
	}
	now, err := read()
	if err != nil {
		return err
	}
	if c.Once || !isatty.IsTerminal(os.Stdout.Fd()) {
		return metrics.Show(os.Stdout, nil, now)
	}
	for before := (*metrics.Page)(nil); ; before = now {
		if before != nil {
			if now, err = read(); err != nil {
				return err
			}
		}
		var page strings.Builder
		if err := metrics.Show(&page, before, now); err != nil {
			return err
		}
		fmt.Print("\x1b[H\x1b[2J" + page.String()) // the cursor goes up, and the screen is empty
		select {
		case <-ctx.Done():
			return nil
		case <-time.After(c.Every):
		}
	}
}
