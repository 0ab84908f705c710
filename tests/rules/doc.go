// Package rules tests what clients may do to Firestore directly, beside the
// API: firestore.rules against the emulator, and firestore.indexes.json and
// firebase.json beside it. It has no code of its own.
//
// testdata/access.txt says who may do what. The tests hold the rules to it, and
// it to the registry of package model.
package rules
