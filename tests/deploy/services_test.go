package deploy

import (
	"encoding/json"
	"maps"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/hashicorp/hcl/v2/hclsyntax"

	"github.com/hibana-sns/hibana/dev/testing/testenv"
	"github.com/hibana-sns/hibana/functions"
	"github.com/hibana-sns/hibana/internal/config"
	"github.com/hibana-sns/hibana/internal/httpserver"
	"github.com/hibana-sns/hibana/lab/cost/invoice"
)

// others are variables that Terraform sets and package config does not read, with the reader.
var others = map[string]string{
	"GOGC":                               "Go",
	"GOMEMLIMIT":                         "Go",
	"OTEL_RESOURCE_ATTRIBUTES":           "OpenTelemetry",
	"OTEL_GO_X_METRIC_EXPORT_BATCH_SIZE": "OpenTelemetry", // internal/telemetry.TestBatches
}

// environment: each variable of package config is set by Terraform, or can be by var.settings, for
// the services that read it and for no other.
func environment(t *testing.T, m *module) {
	service := testenv.Variables(reflect.TypeFor[config.Service]())
	api := testenv.Variables(reflect.TypeFor[config.API]())
	var shared, terraformAPI, terraformFunctions []string
	for local, list := range map[string]*[]string{"shared": &shared, "api": &terraformAPI,
		"functions": &terraformFunctions} {
		*list = append(m.strings(local+"_settings"), m.set(local+"_environment")...)
	}
	shared = append(shared, m.set("telemetry_environment")...)
	for name, secret := range m.secrets() {
		switch strings.Join(secret.accounts, " ") {
		case "api":
			terraformAPI = append(terraformAPI, name)
		case "functions":
			terraformFunctions = append(terraformFunctions, name)
		case "api functions":
			shared = append(shared, name)
		default:
			m.add("the secret %s is for %v, where no service is", name, secret.accounts)
		}
	}
	// VAPID_PRIVATE_KEY and VAPID_CONTACT are fields of every service, but only the functions send.
	own := func(name string) bool {
		return slices.Contains(terraformFunctions, name) && slices.Contains(service, name)
	}
	var wantAPI, wantShared []string
	for _, name := range api {
		switch {
		case elsewhere[name] != "" || own(name):
		case slices.Contains(service, name):
			wantShared = append(wantShared, name)
		default:
			wantAPI = append(wantAPI, name)
		}
	}
	known := func(list []string) []string {
		return slices.DeleteFunc(slices.Clone(list), func(name string) bool { return others[name] != "" })
	}
	m.same("variables of both services", wantShared, known(shared))
	m.same("variables of the API", wantAPI, known(terraformAPI))
	for _, name := range known(terraformFunctions) {
		if !slices.Contains(service, name) {
			m.add("variables of the functions: Terraform has %s, and the code has not", name)
		}
	}
	for name := range elsewhere {
		if !slices.Contains(api, name) {
			m.add("the list elsewhere has %s, which no service reads", name)
		}
	}
	for service, local := range map[string]string{"api": "local.api_environment",
		"functions": "local.functions_environment"} {
		if !strings.Contains(m.files["run.tf"], "for_each = "+local) {
			m.add("the service %s does not get %s", service, local)
		}
	}
}

// set returns the names in the objects that a local merges.
func (m *module) set(local string) (names []string) {
	args := []hclsyntax.Expression{m.locals[local]}
	if call, ok := m.locals[local].(*hclsyntax.FunctionCallExpr); ok && call.Name == "merge" {
		args = call.Args
	}
	for _, arg := range args {
		if c, ok := arg.(*hclsyntax.ConditionalExpr); ok {
			arg = c.TrueResult
		}
		if o, ok := arg.(*hclsyntax.ObjectConsExpr); ok {
			names = append(names, slices.Collect(maps.Keys(attributes(o)))...)
		}
	}
	return names
}

type secret struct {
	id       string
	accounts []string
}

// secrets returns the secrets of Terraform by their variables.
func (m *module) secrets() map[string]secret {
	all := map[string]secret{}
	var walk func(e hclsyntax.Expression)
	walk = func(e hclsyntax.Expression) {
		switch e := e.(type) {
		case *hclsyntax.FunctionCallExpr:
			for _, arg := range e.Args {
				walk(arg)
			}
		case *hclsyntax.ConditionalExpr:
			walk(e.TrueResult)
		case *hclsyntax.ParenthesesExpr:
			walk(e.Expression)
		case *hclsyntax.ObjectConsExpr:
			for name, value := range attributes(e) {
				if o, ok := value.(*hclsyntax.ObjectConsExpr); ok {
					a := attributes(o)
					all[name] = secret{text(literal(a["id"])), texts(literal(a["accounts"]))}
				}
			}
		}
	}
	walk(m.locals["secrets"])
	return all
}

// source returns the text of the first line of a file that sets a name.
func (m *module) source(file, name string) string {
	return regexp.MustCompile(`(?m)^.*\b` + name + `\s*=.*$`).FindString(m.files[file])
}

// secrets: each secret of package config comes out of a secret of its own, which the accounts of the
// services that get it may read; nothing else does.
func secrets(t *testing.T, m *module) {
	var code []string
	for _, typ := range []reflect.Type{reflect.TypeFor[config.Service](), reflect.TypeFor[config.API]()} {
		for f := range typ.Fields() {
			if f.Type == reflect.TypeFor[config.Secret]() {
				name, _, _ := strings.Cut(f.Tag.Get("env"), ",")
				code = append(code, name)
			}
		}
	}
	all, ids := m.secrets(), map[string]bool{}
	m.same("secrets", code, slices.Collect(maps.Keys(all)))
	docs := read(t, "docs/operate/configure.md") + read(t, "docs/operate/deploy.md")
	for name, s := range all {
		if ids[s.id] {
			m.add("the secret %s has two variables", s.id)
		}
		ids[s.id] = true
		if !strings.Contains(docs, s.id) {
			m.add("no page says how %s gets its value, %s", name, s.id)
		}
	}
	const member = "google_secret_manager_secret_iam_member.secret"
	if granted := m.of("google_secret_manager_secret_iam_member"); len(granted) != 1 {
		m.add("who reads secrets: %q, want one resource", granted)
	}
	m.want(member, "role", "roles/secretmanager.secretAccessor")
	m.want(member, "for_each", "local.secret_readers")
	m.want(member, "secret_id", "google_secret_manager_secret.secret[each.value.name].secret_id")
	for _, service := range []string{"api", "functions"} {
		if !strings.Contains(m.files["run.tf"], `if contains(secret.accounts, "`+service+`")`) {
			m.add("the service %s does not get its secrets alone", service)
		}
	}
	m.want(member, "member", "google_service_account.account[each.value.account].member")
}

// services: the names, ports, accounts, limits and networks of the two services.
func services(t *testing.T, m *module) {
	m.want("google_cloud_run_v2_service.functions", "ingress", "INGRESS_TRAFFIC_INTERNAL_ONLY")
	m.want("google_cloud_run_v2_service.functions", "invoker_iam_disabled", "")
	m.want("google_cloud_run_v2_service.api", "ingress", "INGRESS_TRAFFIC_ALL")
	m.want("google_cloud_run_v2_service.api", "invoker_iam_disabled", "true")
	for _, name := range []string{"api", "functions"} {
		resource := "google_cloud_run_v2_service." + name
		m.want(resource, "name", "hibana-"+name)
		m.want(resource, "template service_account", `google_service_account.account["`+name+`"].email`)
		m.want(resource, "template containers image", `"${local.images}/`+name+`:${var.tag}"`)
		m.want(resource, "template containers resources startup_cpu_boost", "true")
		m.want(resource, "template containers ports container_port", "8080")
		m.want(resource, "traffic type", "TRAFFIC_TARGET_ALLOCATION_TYPE_LATEST")
		m.want(resource, "traffic percent", "100")
		for _, limit := range []string{"min_instance_count", "max_instance_count"} {
			m.want(resource, "template scaling "+limit, "var."+name+"_instances."+limit[:3])
		}
	}
	billing(m)
	// Cloud Run hands the port over in PORT, unless somebody sets it.
	for _, local := range []string{"shared_environment", "api_environment", "functions_environment"} {
		if slices.Contains(m.set(local), "PORT") {
			m.add("%s sets PORT, which Cloud Run sets", local)
		}
	}
	var hosting struct {
		Hosting struct {
			Rewrites []struct {
				Source string
				Run    struct{ ServiceID string }
			}
		}
	}
	if err := json.Unmarshal([]byte(read(t, "firebase.json")), &hosting); err != nil {
		t.Fatal(err)
	}
	// Behind Hosting the last proxy is Google's, whose address all visitors would share; and an
	// address that a proxy more writes down is one that a caller of the service itself could choose.
	// So there is one way to the API, with one proxy. Only media and public pages come by Hosting, for its CDN, and have
	// no limits of addresses.
	missing := []string{"/media/**", "/@*", "/@*/**", "/oembed", "/sitemap.xml", "/robots.txt"}
	for _, r := range hosting.Hosting.Rewrites {
		at := slices.Index(missing, r.Source)
		switch id := r.Run.ServiceID; {
		case id == "hibana-api" && at >= 0:
			missing = slices.Delete(missing, at, at+1)
		case id != "":
			m.add("firebase.json sends %s to the service %s: its limits of addresses would count those of Hosting", r.Source,
				id)
		}
	}
	for _, source := range missing {
		m.add("firebase.json does not send %s to the API, and MEDIA_URL and PUBLIC_URL are the address of Hosting", source)
	}
	for _, origin := range []string{"https://${var.project}.web.app", "https://${var.project}.firebaseapp.com",
		"var.authorized_domains"} {
		if !strings.Contains(m.source("run.tf", "origins"), origin) {
			m.add("CORS_ORIGINS has no %s, whose pages call the API", origin)
		}
	}
	if !strings.Contains(m.files["run.tf"], `CORS_ORIGINS = join(",", local.origins)`) {
		m.add("CORS_ORIGINS are not the origins of the pages")
	}
	// More requests than the API runs at the same time would be turned away while other instances are free.
	concurrency, _ := strconv.Atoi(m.resource("google_cloud_run_v2_service.api").get(
		"template max_instance_request_concurrency"))
	if most, _ := strconv.Atoi(constant(t, "api/wiring/wiring.go", "maxRequests")); concurrency == 0 ||
		concurrency > most {
		m.add("an instance of the API gets %d requests at once, and runs %d", concurrency, most)
	}
	dockerfile := read(t, "Dockerfile")
	for _, want := range []string{"nonroot", "distroless/static", "ARG PROGRAM", "./cmd/${PROGRAM}"} {
		if !strings.Contains(dockerfile, want) {
			m.add("the Dockerfile has no %q", want)
		}
	}
}

// billing: a service has one container, and its CPU is on between requests from the number of users from which that
// costs less.
func billing(m *module) {
	api, triggered := invoice.Terraform.AlwaysOnFrom(invoice.Measured)
	from := map[string]string{}
	for name, e := range m.object("always_on_from") {
		from[name] = text(literal(e))
	}
	if want := map[string]string{"api": strconv.Itoa(api), "functions": strconv.Itoa(triggered)}; !maps.Equal(from, want) {
		m.add("billing: the CPU of services is on from %v users, and lab/cost/invoice says from %v", from, want)
	}
	for _, name := range []string{"api", "functions"} {
		resource := "google_cloud_run_v2_service." + name
		m.want(resource, "template containers resources cpu_idle", "!local.always_on."+name)
		if template := m.resource(resource).block("template"); template == nil || len(template.blocks("containers")) != 1 {
			m.add("billing: the service %s has not one container", name)
		}
		if want := name + strings.Repeat(" ", len("functions")-len(name)) + " = coalesce(var.always_on." + name +
			", var.users >= local.always_on_from." + name + ")"; !strings.Contains(m.files["run.tf"], want) {
			m.add("billing: always_on has no %s", want)
		}
	}
}

// probes: each probe asks a path that the service answers.
func probes(t *testing.T, m *module) {
	answers := map[string]string{"functions": read(t, "functions/serve.go"), "api": read(t, "api/server/health.go")}
	for service, source := range answers {
		found := map[string]string{}
		for _, probe := range []string{"startup_probe", "liveness_probe"} {
			path := m.resource("google_cloud_run_v2_service." + service).get("template containers " + probe + " http_get path")
			found[probe] = path
			if path == "" || !strings.Contains(source, `"GET `+path+`"`) && !strings.Contains(source, `probe("`+path+`"`) {
				m.add("the %s of %s asks %q, which the service does not answer", probe, service, path)
			}
		}
		if found["startup_probe"] != "/ready" || found["liveness_probe"] != "/health" {
			m.add("%s: a start waits for the database, and a life does not depend on it; the probes are %v", service, found)
		}
	}
}

// streamsFor is the time limit of a service with streaming, and without.
var streamsFor = regexp.MustCompile(`"MASTODON_STREAMING", "off"\) == "on" \? "(\d+s)" : "(\d+s)"`)

// connection is how long a connection with streaming lasts at most, see api/mastodon.
const connection = 55 * time.Minute

// timeouts: Cloud Run waits longer than a service for itself, and Pub/Sub longer than Cloud Run.
func timeouts(t *testing.T, m *module) {
	deadline, _ := time.ParseDuration(text(literal(m.object("delivery")["ack_deadline"])) + "s")
	api, _ := time.ParseDuration(constant(t, "api/server/server.go", `\t?o\.Timeout`) + "s")
	for service, own := range map[string]time.Duration{"functions": functions.Timeout, "api": api} {
		given := m.resource("google_cloud_run_v2_service." + service).get("template timeout")
		if streams := streamsFor.FindStringSubmatch(given); streams != nil {
			if long, err := time.ParseDuration(streams[1]); err != nil || long <= connection || long > time.Hour {
				m.add("Cloud Run gives a connection of %s %v: it lasts %v, and Cloud Run allows an hour", service, long, connection)
			}
			given = streams[2]
		}
		cloud, err := time.ParseDuration(given)
		if err != nil || cloud <= own || cloud <= httpserver.Grace || cloud > deadline {
			m.add("Cloud Run gives %s %v: it takes %v itself, stops within %v, and Pub/Sub waits %v", service, cloud, own,
				httpserver.Grace, deadline)
		}
	}
}
