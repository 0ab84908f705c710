package invoice

import (
	"math"
	"testing"
)

// Requests in flight together are billed once, and an instance has room for so much CPU.
func TestActive(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name               string
		rate, seconds, cpu float64
		want               float64
	}{
		{"no requests", 0, 1, 0, 0},
		{"a short request in 1,000 s is a tenth of a second", 0.001, 0.05, 0, 1 - math.Exp(-0.0001)},
		{"a request a second, with its rounding", 1, 0.05, 0, 1 - math.Exp(-0.1)},
		{"many together", 100, 0.15, 0, 1 - math.Exp(-20)},
		{"more CPU than an instance has", 1000, 0.05, 0.003, 5},
	}
	for _, test := range tests {
		var l load
		l.add(test.rate, test.seconds, test.cpu)
		if got := l.active(); !near(got, test.want) {
			t.Errorf("%s: %v instances are active, want %v", test.name, got, test.want)
		}
	}
}

// A service is billed while it answers, or always, and a minimum of instances has a price when it is idle.
func TestService(t *testing.T) {
	t.Parallel()
	half := load{requests: 1, seconds: math.Ln2} // active half of the time
	const active, idle = 0.000024 + 0.5*0.0000025, 0.0000025 + 0.5*0.0000025
	tests := []struct {
		name string
		s    Service
		want cost
	}{
		{"no minimum", Service{1, 0.5, 0, RequestBased}, cost{RequestBased, 1_296_000 * active, 2_592_000}},
		{"one at least", Service{1, 0.5, 1, RequestBased}, cost{RequestBased, 1_296_000 * (active + idle), 2_592_000}},
		{"always", Service{1, 0.5, 0, InstanceBased}, cost{InstanceBased, 2_592_000 * 0.000019, 0}},
		{"the cheaper of both", Service{1, 0.5, 1, Cheaper}, cost{RequestBased, 1_296_000 * (active + idle), 2_592_000}},
	}
	for _, test := range tests {
		got := test.s.cost(half)
		if got.billing != test.want.billing || !near(got.compute, test.want.compute) || !near(got.fees, test.want.fees) {
			t.Errorf("%s: %+v, want %+v", test.name, got, test.want)
		}
	}
	busy := load{requests: 10, seconds: 3}
	if got := (Service{1, 0.5, 1, Cheaper}).cost(busy); got.billing != InstanceBased {
		t.Errorf("a busy service is billed as %s", got.billing)
	}
}

// Above the numbers of AlwaysOnFrom a service is cheaper if it is always on, and below it is not.
func TestAlwaysOnFrom(t *testing.T) {
	t.Parallel()
	api, functions := Terraform.AlwaysOnFrom(Measured)
	if api == 0 || functions == 0 || functions < api {
		t.Fatalf("AlwaysOnFrom() = %d, %d; want the API first, which has more requests than there are events", api, functions)
	}
	for _, users := range []int{functions - 1000, functions} {
		d := Terraform
		d.Users = float64(users)
		want := RequestBased
		if users == functions {
			want = InstanceBased
		}
		if got := d.Functions.cost(d.functions(Measured)).billing; got != want {
			t.Errorf("%d users: the functions are billed as %s, want %s", users, got, want)
		}
	}
	if api, functions := Terraform.AlwaysOnFrom(Day{}); api != 0 || functions != 0 {
		t.Errorf("without use AlwaysOnFrom() = %d, %d, want 0, 0", api, functions)
	}
}

// What is free of Cloud Run is a discount on both services together.
func TestFreeRun(t *testing.T) {
	t.Parallel()
	d, day := round()
	paid, free := d.Invoice(day, 1, false), d.Invoice(day, 1, true)
	if free.Of(API) != 0 || free.Of(Functions) != max(0, paid.Of(API)+paid.Of(Functions)-5.22) {
		t.Errorf("of $%.2f and $%.2f $%.2f and $%.2f are left, want 5.22 less", paid.Of(API), paid.Of(Functions),
			free.Of(API), free.Of(Functions))
	}
}
