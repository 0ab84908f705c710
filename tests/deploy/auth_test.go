package deploy

import (
	"encoding/json"
	"testing"
)

// auth: plain Firebase Auth, which firebase-tools configures, has the methods of Identity Platform, and nobody is
// upgraded who did not ask for it.
func auth(t *testing.T, m *module) {
	const config = "google_identity_platform_config.auth"
	m.want(config, "count", "var.identity_platform ? 1 : 0")
	m.want(config, "sign_in email enabled", "true")
	m.want(config, "sign_in anonymous enabled", "true")
	if b := m.variables["identity_platform"]; b == nil || b.get("default") != "false" {
		m.add("auth: Firebase Auth is upgraded by default")
	}
	const provider = "google_identity_platform_default_supported_idp_config.provider"
	m.want(provider, "for_each", "var.identity_platform ? var.sign_in_providers : {}")
	m.want(provider, "idp_id", "each.key")
	m.want(config, "mfa state", `var.second_factor ? "ENABLED" : "DISABLED"`)
	for name, want := range map[string]string{"second_factor": "false", "sign_in_providers": "{}"} {
		if b := m.variables[name]; b == nil || b.get("default") != want {
			m.add("auth: %s is not %s by default", name, want)
		}
	}
	var file struct {
		Auth struct {
			Providers struct{ EmailPassword, Anonymous bool }
		}
	}
	if err := json.Unmarshal([]byte(read(t, "deploy/auth.json")), &file); err != nil {
		t.Fatal(err)
	}
	if p := file.Auth.Providers; !p.EmailPassword || !p.Anonymous {
		m.add("auth: deploy/auth.json has the methods %+v", p)
	}
}
