// Package scale holds tests of what must stay exact when there is a lot of it, or when
// it goes on while everything else changes: a tweet that ten thousand people like at
// once, an author whom thousands begin to follow, and a reader who follows thousands.
// They run the functions on the real emulators, with their events duplicated,
// delayed and overtaking each other.
//
// The defaults are small. The sizes of flags such as -likes 10000 -followers 5000
// -tweets 2000 -followed 2000 -left-tweets 20000 -searched 20000 are those that Hibana is built for:
//
//	go test ./lab/scale -likes 10000
package scale
