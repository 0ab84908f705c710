package simulate

import (
	"context"
	"fmt"
	"time"

	"github.com/hibana-sns/hibana/model"
)

// Options of a report.
type Options struct {
	Users    []int // sizes of networks
	Followed []int // users whom each user follows
	Seed     uint64
	// Step shows how long a simulation takes; do itself if nil.
	Step func(name string, do func() error) error
}

// Report is what a run found.
type Report struct {
	Simulated   []*Measured      `json:"simulated"`
	Comparisons []*Comparison    `json:"comparisons"`
	Items       map[int][]Item   `json:"items"`    // by users
	Memories    map[int][]Memory `json:"memories"` // by users
	Visible     []Visible        `json:"visible"`
	Limits      []Limit          `json:"limits"`
	Bursts      []Burst          `json:"bursts"`
}

const (
	fewestUsers = 1_000
	// simulatedUsers is the largest network that is simulated, and fewInstances the largest that one instance may serve.
	simulatedUsers = 50_000
	fewInstances   = 20_000
)

// Run computes a report. A network of up to 50,000 users is simulated, too.
func Run(ctx context.Context, o Options) (*Report, error) {
	if err := o.check(); err != nil {
		return nil, err
	}
	r := &Report{Items: map[int][]Item{}, Memories: map[int][]Memory{}, Limits: Limits(commonFollows), Bursts: Bursts(),
		Visible: []Visible{Visibility(time.Second), Visibility(2 * time.Second)}}
	for _, users := range o.Users {
		for _, followed := range o.Followed {
			for _, active := range []float64{1, 0.2} {
				r.Comparisons = append(r.Comparisons, Compare(users, followed, active))
			}
			for _, s := range setups(users, followed, o.Seed) {
				name := fmt.Sprintf("%s users, followed: %d, instances: %d", short(float64(users)), followed, s.Instances)
				if s.Affinity {
					name += ", affinity"
				}
				err := o.step(name, func() error {
					m, err := Simulate(ctx, s)
					r.Simulated = append(r.Simulated, m)
					return err
				})
				if err != nil {
					return nil, err
				}
			}
		}
		r.Items[users] = NewPlan(users, commonFollows, 1, false).Items()
		r.Memories[users] = Memories(users, commonFollows)
	}
	return r, nil
}

func (o Options) check() error {
	if len(o.Users) == 0 || len(o.Followed) == 0 {
		return fmt.Errorf("simulate: no numbers of users, or of followed users")
	}
	for _, users := range o.Users {
		if users < fewestUsers || users > mostUsers {
			return fmt.Errorf("simulate: %d users; at least %d, at most %d", users, fewestUsers, mostUsers)
		}
	}
	for _, followed := range o.Followed {
		if followed < 1 || followed > model.MaxFollows {
			return fmt.Errorf("simulate: %d followed users; at least 1, at most %d", followed, model.MaxFollows)
		}
	}
	return nil
}

func (o Options) step(name string, do func() error) error {
	if o.Step == nil {
		return do()
	}
	return o.Step(name, do)
}

// setups are the simulations of a network, if it is small enough.
func setups(users, followed int, seed uint64) []Setup {
	if users > simulatedUsers {
		return nil
	}
	s := Setup{Users: users, Followed: followed, Instances: 4, Seed: seed, Today: followed <= 2*commonFollows}
	if users > fewInstances {
		s.Instances = 8
	}
	stays := s
	stays.Affinity = true
	if users > fewInstances {
		return []Setup{s, stays}
	}
	one := s
	one.Instances = 1
	return []Setup{one, s, stays}
}
