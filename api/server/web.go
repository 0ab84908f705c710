package server

import (
	"encoding/json"
	"io/fs"
	"net/http"
	"path"
	"strings"

	"github.com/gin-gonic/gin"
)

// Web is a built web client that the API serves beside its own routes.
type Web struct {
	Files   fs.FS  // output of the build, with index.html; nil for no web client
	Project string // JSON: the answer of Firebase Hosting at /__/firebase/init.json
	Connect string // additional sources of connect-src, for the emulators
}

// webPolicy lets the pages of the web client run their own scripts only, and connect to this host and Firebase, where
// uploads go, too. Images and videos may come from every host, because tweets and profiles show them, and from the page
// itself before they are uploaded. Styles may be inline, because libraries set them.
// firebase.json has the same policy.
const webPolicy = "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; font-src 'self'; " +
	"img-src 'self' data: blob: https:; media-src 'self' blob: https:; " +
	"connect-src 'self' https://*.googleapis.com; worker-src 'self'; manifest-src 'self'; base-uri 'none'; form-action " +
	"'self'; frame-ancestors 'none'"

// captcha adds the sources that App Check needs to get its tokens from reCAPTCHA Enterprise. web/hosting.mjs has the
// same list.
var captcha = strings.NewReplacer(
	"script-src 'self'", "script-src 'self' https://www.google.com/recaptcha/ https://www.gstatic.com/recaptcha/",
	"connect-src 'self'", "connect-src 'self' https://www.google.com/recaptcha/",
	"frame-ancestors 'none'", "frame-ancestors 'none'; frame-src https://www.google.com/recaptcha/ "+
		"https://recaptcha.google.com/recaptcha/",
)

// popups adds the sources that Firebase Auth needs to sign people in with accounts of others: a script of Google, and a
// frame of the domain whose page the popup shows. web/hosting.mjs has the same list.
func popups(policy, domain string) string {
	policy = strings.Replace(policy, "script-src 'self'", "script-src 'self' https://apis.google.com", 1)
	if strings.Contains(policy, "frame-src ") {
		return strings.Replace(policy, "frame-src ", "frame-src "+domain+" ", 1)
	}
	return policy + "; frame-src " + domain
}

// policy returns the content security policy of the pages.
func (w Web) policy() string {
	var about struct{ AppCheckKey, SignIn, AuthDomain, AuthEmulator string }
	policy := webPolicy
	if err := json.Unmarshal([]byte(w.Project), &about); err == nil && about.AppCheckKey != "" {
		policy = captcha.Replace(policy)
	}
	if about.SignIn != "" {
		domain := "https://" + about.AuthDomain
		if about.AuthEmulator != "" {
			domain = "http://" + about.AuthEmulator
		}
		policy = popups(policy, domain)
	}
	return strings.Replace(policy, "connect-src 'self'", strings.TrimSpace("connect-src 'self' "+w.Connect), 1)
}

// noRoute answers a path that is not a route with a file or a page of the web client, if the API serves one. The web
// client has a page for each address, and its own page for unknown addresses.
func (s *Server) noRoute(c *gin.Context) {
	if at := c.Request.URL.Path; isForeign(at) && at != consentPage {
		foreignFailure(c, http.StatusNotFound, "route_not_found", "There is no such method")
		return
	}
	name := strings.TrimPrefix(path.Clean(c.Request.URL.Path), "/")
	api := strings.HasPrefix(name, "v1/") || name == "v1"
	if s.options.Web.Files == nil || api || c.Request.Method != http.MethodGet && c.Request.Method != http.MethodHead {
		fail(c, newProblem(http.StatusNotFound, "route_not_found", "There is no such path; see /docs."))
		return
	}
	public(c)
	if name == "__/firebase/init.json" {
		c.Header("Cache-Control", "no-cache")
		c.Data(http.StatusOK, "application/json", []byte(s.options.Web.Project))
		return
	}
	if info, err := fs.Stat(s.options.Web.Files, name); err != nil || info.IsDir() {
		if path.Ext(name) != "" && !strings.Contains(c.GetHeader("Accept"), "text/html") {
			fail(c, newProblem(http.StatusNotFound, "route_not_found", "There is no such file."))
			return
		}
		name = "index.html"
	}
	// The build names assets after a hash of their content.
	cache := "no-cache"
	if strings.HasPrefix(name, "assets/") {
		cache = "public, max-age=31536000, immutable"
	}
	c.Header("Cache-Control", cache)
	c.Header("Content-Security-Policy", s.options.Web.policy())
	if name == "index.html" {
		// ServeFileFS would redirect to the directory.
		page, err := fs.ReadFile(s.options.Web.Files, name)
		if err != nil {
			s.refuse(c.Request.Context(), c.Writer, err)
			return
		}
		c.Data(http.StatusOK, "text/html; charset=utf-8", page)
		return
	}
	http.ServeFileFS(c.Writer, c.Request, s.options.Web.Files, name)
}
