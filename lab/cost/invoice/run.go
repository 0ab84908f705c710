package invoice

import "math"

// load is the work of a service.
type load struct {
	requests float64 // a second
	seconds  float64 // in flight, of the requests and probes of a second, each with its rounding
	cpu      float64 // seconds of a vCPU that the requests and probes of a second need
}

// add adds work that comes rate times a second.
func (l *load) add(rate, seconds, cpu float64) {
	l.requests += rate
	l.seconds += rate * (seconds + rounding)
	l.cpu += rate * cpu
}

// probe adds the liveness probe, each 30 s. It costs time, and no fee:
// https://cloud.google.com/run/docs/configuring/healthchecks
func (l *load) probe() {
	const every, seconds, cpu = 30.0, 0.002, 0.0005
	l.seconds += (seconds + rounding) / every
	l.cpu += cpu / every
}

// utilization is the share of its CPU up to which Cloud Run fills an instance before it starts another.
const utilization = 0.6

// active is how many instances have a request in flight, on average over a month. Requests arrive at random, and an
// instance takes many at once, so requests in flight together are billed once. Real traffic has peaks and nights, which
// make it a little less.
func (l load) active() float64 { return max(1-math.Exp(-l.seconds), l.cpu/utilization) }

// cost is the price of a service in a month.
type cost struct {
	billing Billing // never Cheaper
	compute float64 // CPU and memory, in dollars
	fees    float64 // requests that have a fee
}

// cost prices the work of a service.
func (s Service) cost(l load) cost {
	instances := max(s.Min, 1, l.cpu/utilization)
	always := cost{InstanceBased, monthSeconds * instances * (s.CPU*alwaysCPU + s.Memory*alwaysMemory), 0}
	active := l.active()
	idle := max(0, s.Min-active)
	inRequests := cost{RequestBased, monthSeconds * (active*(s.CPU*activeCPU+s.Memory*activeMemory) +
		idle*(s.CPU*idleCPU+s.Memory*idleMemory)), monthSeconds * l.requests}
	switch {
	case s.Billing == InstanceBased:
		return always
	case s.Billing == RequestBased, inRequests.compute+inRequests.fees*request <= always.compute:
		return inRequests
	}
	return always
}

// api is the work of the API.
func (d Deployment) api(day Day) (l load) {
	l.add(d.Users*day.Requests/daySeconds, day.RequestSeconds, day.RequestCPU)
	l.add(d.Users*day.Polls/daySeconds, pollSeconds, pollSeconds)
	l.add(d.Users*day.Views/daySeconds, viewSeconds, viewCPU)
	l.probe()
	return l
}

// functions is the work of the functions: events, and the call of the clock each minute.
func (d Deployment) functions(day Day) (l load) {
	l.add(d.Users*day.Events/daySeconds, day.EventSeconds, day.EventCPU)
	l.add(d.Users*day.Pictures/daySeconds, pictureSeconds, pictureSeconds)
	l.add(1.0/60, 0.1, 0.002)
	l.probe()
	return l
}

// AlwaysOnFrom returns the numbers of users from which instance-based billing of the API and of the functions is
// cheaper than request-based billing, in whole thousands. It is 0 if that is so for no number below a million.
func (d Deployment) AlwaysOnFrom(day Day) (api, functions int) {
	from := func(s Service, work func(Deployment, Day) load) int {
		s.Billing = Cheaper
		for users := 1000; users < 1_000_000; users += 1000 {
			at := d
			at.Users = float64(users)
			if s.cost(work(at, day)).billing == InstanceBased {
				return users
			}
		}
		return 0
	}
	return from(d.API, Deployment.api), from(d.Functions, Deployment.functions)
}
