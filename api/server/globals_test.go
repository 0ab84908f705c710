package server_test

import (
	"os"
	"testing"

	"github.com/danielgtaylor/huma/v2"
	"github.com/gin-gonic/gin"
)

// What huma and gin are set to when package server has been imported and no server was
// made: variables of a test are set after the packages that it imports.
var importedMode, importedCasing, importedError = gin.Mode(), huma.ValidateStrictCasing, huma.NewError(422, "")

// A program that only imports package server keeps its own settings of huma and gin.
func TestImportSetsNothing(t *testing.T) {
	t.Parallel()
	if importedMode == gin.ReleaseMode && os.Getenv(gin.EnvGinMode) == "" || importedCasing {
		t.Errorf("the import sets gin to %s and huma's strict casing to %v", importedMode, importedCasing)
	}
	if _, ok := importedError.(*huma.ErrorModel); !ok {
		t.Errorf("the import makes huma's errors a %T", importedError)
	}
}
