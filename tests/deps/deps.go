// Package deps tests which package may import which package. It holds nothing but the test.
package deps
