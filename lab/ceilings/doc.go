// Package ceilings measures the bill of the most expensive request of each route. A route without an input fails the
// test, and so does a route above its bound. The test writes the table in docs/reports/costs.md.
package ceilings
