// Package hibana is the entry point for `gcloud functions deploy`: the buildpack
// wants the package with the functions at the root of the module. It holds no logic;
// package functions does.
package hibana

import "github.com/hibana-sns/hibana/functions"

func init() { functions.Register() }
