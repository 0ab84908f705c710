// Package hibana is the entry point for `gcloud functions deploy`. The buildpack wants
// the package with the functions at the root of the module. Package functions holds the
// logic.
package hibana

import (
	// The buildpack (cmd/go/functions_framework of github.com/GoogleCloudPlatform/buildpacks)
	// looks for this import in the files of the root package alone. Where the import is
	// missing, the buildpack generates a main that calls the entry point as an exported
	// function of this package. There is none, so that main does not compile.
	_ "github.com/GoogleCloudPlatform/functions-framework-go/functions"

	"github.com/hibana-sns/hibana/functions"
)

func init() { functions.Register() }
