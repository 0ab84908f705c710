package limits

import (
	"net/http"
	"net/netip"
	"strings"
)

// AddressOf returns the address of a caller. hops is the number of proxies in front of the process. Each proxy appends
// the address of its own caller to X-Forwarded-For. Entries to the left of these come from the caller and are ignored.
// An IPv6 address counts as its /64, because a household has that many addresses.
func AddressOf(r *http.Request, hops int) string {
	direct := r.RemoteAddr
	if all, err := netip.ParseAddrPort(direct); err == nil {
		direct = network(all.Addr())
	}
	if hops == 0 {
		return direct
	}
	list := strings.Split(strings.Join(r.Header.Values("X-Forwarded-For"), ","), ",")
	if len(list) < hops {
		return direct
	}
	text := strings.TrimSpace(list[len(list)-hops])
	if withPort, err := netip.ParseAddrPort(text); err == nil {
		return network(withPort.Addr())
	}
	a, err := netip.ParseAddr(text)
	if err != nil {
		return direct
	}
	return network(a)
}

func network(a netip.Addr) string {
	a = a.Unmap().WithZone("")
	if a.Is4() {
		return a.String()
	}
	p, _ := a.Prefix(64)
	return p.String()
}
