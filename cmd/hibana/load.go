package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net"
	"net/netip"
	"os"
	"time"

	"github.com/hibana-sns/hibana/dev/metrics"
	"github.com/hibana-sns/hibana/lab/load"
)

type loadCmd struct {
	Ports     partPorts     `embed:""`
	API       string        `placeholder:"HOST:PORT" help:"Address of the API, in place of --api-port."`
	Firestore string        `env:"FIRESTORE_EMULATOR_HOST" default:"127.0.0.1:8080" help:"Firestore emulator, for the check of deleted tweets; empty skips the check."`
	Project   string        `default:"demo-hibana" help:"Project id."`
	Metrics   string        `default:"127.0.0.1:9464" help:"Metrics of the functions, HOST:PORT. The load begins when no event is pending. Empty skips the wait, and so does a remote API without this flag."`
	Users     int           `default:"200" help:"Number of users."`
	Each      time.Duration `default:"20s" help:"Length of a stage."`
	Steps     int           `default:"5" help:"Steps above the required rates, each 1.5 times the one before; 0 to 12."`
	Seed      uint64        `default:"1" help:"Seed of all random choices."`
	Plot      string        `placeholder:"FILE" help:"Write the run as an HTML page."`

	Elsewhere bool `name:"not-loopback" help:"Load a remote system. Its owner pays for every document."`
}

// Help returns the text of the command's --help.
func (*loadCmd) Help() string {
	return `Loads the system of "hibana dev --no-limits --no-web" at the rates that S1 requires, and
then at higher rates until it breaks: more than 1 % of the requests fail, or the 95th
percentile of latency exceeds 2 s. The load is open: a request never waits for another.
The run ends by itself, or at Ctrl-C.

Exit status: 0 if S1-12, S1-21, S1-33, S1-41, S1-42 and S1-43 hold at their rates, else 1.`
}

// Run loads the system and prints the measurements.
func (c *loadCmd) Run(ctx context.Context) error {
	api := cmp.Or(c.API, localAddress(c.Ports.APIPort))
	auth := cmp.Or(os.Getenv(authEnv), localAddress(c.Ports.AuthPort))
	if c.Steps < 0 || c.Steps > 12 {
		return fmt.Errorf("--steps is %d; it should be 0 to 12", c.Steps)
	}
	for _, addr := range []string{api, auth, c.Firestore} {
		if addr == "" || loopback(addr) {
			continue
		}
		if !c.Elsewhere {
			return fmt.Errorf("%s is not on this machine, and its owner pays for the load; --not-loopback allows it", addr)
		}
		fmt.Fprintf(os.Stderr, "Warning: %s is not on this machine. Its owner pays for each document.\n", addr)
	}
	if err := isReady(ctx, api); err != nil {
		return fmt.Errorf("no API of Hibana answers at %s (%w): start all of it with hibana dev --no-limits --no-web", api,
			err)
	}
	if err := answers(ctx, authEnv, auth); err != nil {
		return fmt.Errorf("no Auth emulator answers at %s (%w): name its port with --auth-port", auth, err)
	}
	o := load.Options{
		API: "http://" + api, Auth: "http://" + auth, Project: c.Project, Users: c.Users, Seed: c.Seed,
		Stages: load.Stages(c.Each, c.Steps), Progress: func(text string) { fmt.Fprintln(os.Stderr, text) },
	}
	if c.Firestore != "" {
		o.Firestore = "http://" + c.Firestore
	}
	if c.Metrics != "" && loopback(c.Metrics) == loopback(api) {
		o.Metrics = "http://" + c.Metrics + "/metrics"
		if _, err := metrics.Read(ctx, o.Metrics); err != nil {
			return fmt.Errorf("no metrics of the functions (%w): name their address with --metrics, or skip the wait with "+
				"--metrics=", err)
		}
	}
	result, err := load.Run(ctx, o)
	if err != nil {
		return err
	}
	fmt.Println()
	if err := result.Print(os.Stdout); err != nil {
		return err
	}
	if c.Plot != "" {
		if err := plot(c.Plot, result); err != nil {
			return err
		}
	}
	for _, check := range result.Checks() {
		if !check.OK {
			return exitStatus(1)
		}
	}
	return nil
}

func plot(name string, result *load.Result) (err error) {
	f, err := os.Create(name)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	return result.Plot(f)
}

// loopback reports whether host:port belongs to this machine.
func loopback(addr string) bool {
	host, _, err := net.SplitHostPort(addr)
	if err != nil {
		return false
	}
	ip, err := netip.ParseAddr(host)
	return host == "localhost" || err == nil && ip.IsLoopback()
}
