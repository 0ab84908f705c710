// Package deps tests which package may import which. It has no code of its own.
package deps
