package outbound

import "net/netip"

// networks are the ranges of IPv4 and of global IPv6 addresses that Go does not count as private and that are not of
// the public internet: shared, test and reserved networks, and ranges that embed an IPv4 address of any kind.
var networks = func() (all []netip.Prefix) {
	for _, s := range []string{
		"0.0.0.0/8", "100.64.0.0/10", "192.0.0.0/24", "192.0.2.0/24", "192.88.99.0/24", "198.18.0.0/15", "198.51.100.0/24",
		"203.0.113.0/24", "240.0.0.0/4",
		"2001::/23", "2001:db8::/32", "2002::/16", "3fff::/20",
	} {
		all = append(all, netip.MustParsePrefix(s))
	}
	return all
}()

// global is the range of global IPv6 addresses. NAT64 (64:ff9b::/96), ULA and all other special ranges are outside.
var global = netip.MustParsePrefix("2000::/3")

// Public reports whether an address belongs to the public internet. An IPv4 address within IPv6 counts as itself.
func Public(a netip.Addr) bool {
	a = a.Unmap()
	if !a.IsGlobalUnicast() || a.IsPrivate() || a.Zone() != "" || a.Is6() && !global.Contains(a) {
		return false
	}
	for _, n := range networks {
		if n.Contains(a) {
			return false
		}
	}
	return true
}
