// Package mutants plants bugs. Each mutant is a small change of the code that must make a
// certain test fail. So a test that can no longer fail is noticed.
package mutants
