// Package worst measures what the worst request of each route is billed. A route without an
// input here fails the test, and so does a route above its bound. The table that the test
// writes is in docs/reports/costs.md.
package ceilings
