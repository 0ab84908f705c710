// Package deploy holds code and deployment together: what both say (triggers, variables, roles,
// probes, time-outs, indexes, secrets, metrics) they must say alike. It parses deploy/terraform, and
// holds nothing but tests.
package deploy
