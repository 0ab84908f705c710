package deploy

import (
	"encoding/json"
	"errors"
	"io"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/hashicorp/hcl/v2/hclsyntax"

	"github.com/hibana-sns/hibana/dev/testing/testenv"
)

// need is a role that a program needs because it has a package.
type need struct {
	account string   // of accounts.tf
	program string   // below cmd
	pkg     string   // below the module
	roles   []string // on the project, or on a bucket
}

var needs = []need{
	{"api", "api", "store", []string{"roles/datastore.user"}},
	// mirrors standings, helps people back in, and imports users
	{"api", "api", "internal/accounts", []string{"hibanaChangeAccounts", "hibanaCreateAccounts", "hibanaSendLetters"}},
	{"api", "api", "internal/objects", []string{"roles/storage.objectViewer on archives",
		"roles/storage.objectCreator on uploads", "roles/storage.objectViewer on media"}},
	{"functions", "functions", "store", []string{"roles/datastore.user"}},
	// deletes accounts of users who left
	{"functions", "functions", "internal/accounts", []string{"hibanaDeleteAccounts"}},
	{"functions", "functions", "internal/objects", []string{"roles/storage.objectUser on archives",
		"hibanaTakeUploads on uploads", "roles/storage.objectUser on media"}},
	{"functions", "functions", "internal/push", []string{"roles/firebasecloudmessaging.admin"}},
	{"verify", "hibana", "store/verify", []string{"roles/datastore.user", "roles/storage.objectViewer on archives",
		"roles/storage.objectViewer on media"}},
	{"sweep", "hibana", "store", []string{"roles/datastore.user"}},
	{"sweep", "hibana", "internal/accounts", []string{"hibanaChangeAccounts"}}, // mirrors standings that were not
	{"export", "hibana", "cmd/jobs", []string{"roles/datastore.user", "roles/datastore.importExportAdmin"}},
	{"gone", "hibana", "store", []string{"roles/datastore.user"}},
	{"gone", "hibana", "internal/accounts", []string{"hibanaReadAccounts"}}, // compares profiles with accounts
}

// clients are modules that call Google Cloud, and the packages of Hibana that import them. A package
// that calls it and is not here may need a role.
var clients = []string{"cloud.google.com/go/", "firebase.google.com/go/", "gocloud.dev/blob/gcsblob",
	"google.golang.org/api/"}

var callers = []string{
	"store", "internal/accounts", "internal/objects", "internal/push", "internal/meter", // which call
	"internal/idtoken", "internal/appcheck", "internal/callers", // keys that are public
	"internal/sealed", // by KMS_KEY alone, whose operator grants the role on that one key: docs/operate/federation.md
}

// roles: each account has the roles that its program needs, and no other.
func roles(t *testing.T, m *module) {
	deps := programs(t)
	want := map[string][]string{"triggers": {"roles/eventarc.eventReceiver"}, "jobs": nil}
	for _, n := range needs {
		if !slices.Contains(deps["cmd/"+n.program], n.pkg) {
			m.add("roles: %s has no package %s, so it needs no %q", n.program, n.pkg, n.roles)
			continue
		}
		want[n.account] = append(want[n.account], n.roles...)
	}
	got := map[string][]string{}
	for _, local := range []string{"project_roles"} {
		for account, e := range m.object(local) {
			got[account] = append(got[account], texts(literal(e))...)
		}
	}
	if cond, ok := m.locals["push_roles"].(*hclsyntax.ConditionalExpr); ok {
		for account, e := range attributes(cond.TrueResult.(*hclsyntax.ObjectConsExpr)) {
			got[account] = append(got[account], texts(literal(e))...)
		}
	}
	for _, bucket := range []string{"archives", "uploads", "media"} {
		member := "google_storage_bucket_iam_member." + bucket
		m.want(member, "bucket", "google_storage_bucket."+bucket+".name")
		if o, ok := m.resource(member).Body.Attributes["for_each"]; ok {
			for account, e := range attributes(o.Expr.(*hclsyntax.ObjectConsExpr)) {
				got[account] = append(got[account], text(literal(e))+" on "+bucket)
			}
		}
	}
	accounts := slices.Collect(maps.Keys(m.object("accounts")))
	m.same("accounts", slices.Collect(maps.Keys(want)), accounts)
	for _, account := range accounts {
		m.same("roles of "+account, want[account], got[account])
	}
	// What Terraform grants, each with its role and who gets it. Whatever else gives a role is a problem.
	for resource, b := range m.resources {
		if regexp.MustCompile(`_iam_(member|binding|policy)\.`).MatchString(resource) && grants[resource] == [2]string{} {
			m.add("roles: %s is in no list", resource)
		} else if grant := grants[resource]; grant != [2]string{} &&
			(b.get("role") != grant[0] || b.get("member") != grant[1]) {
			m.add("roles: %s gives %s to %s, want %s to %s", resource, b.get("role"), b.get("member"), grant[0], grant[1])
		}
	}
	for resource := range grants {
		m.resource(resource)
	}
	permissions(t, m)
	if !strings.Contains(m.files["accounts.tf"],
		`for_each = each.value.role == "roles/datastore.user" ? [google_firestore_database.database.name] : []`) {
		m.add("roles: that of Firestore holds for other databases, too")
	}
	m.want("google_project_iam_member.grant", "condition expression",
		`"resource.name == \"projects/${var.project}/databases/${condition.value}\""`)
	// An organization with domain restricted sharing lets its own accounts have roles, and those of
	// Google that act for the project.
	for _, foreign := range []string{"allUsers", "allAuthenticatedUsers", `"group:`, `"user:`, `"domain:`} {
		for name, text := range m.files {
			if strings.HasSuffix(name, ".tf") && strings.Contains(code(text), foreign) {
				m.add("roles: %s names %s, which domain restricted sharing refuses", name, strings.Trim(foreign, `":`))
			}
		}
	}
	telemetry, ok := m.locals["telemetry_roles"].(*hclsyntax.ForExpr)
	if !ok {
		m.add("roles: telemetry_roles is no list of accounts")
		return
	}
	m.same("accounts with telemetry", []string{"api", "functions"}, texts(literal(telemetry.CollExpr)))
	m.same("roles of telemetry", []string{"roles/telemetry.writer", "roles/serviceusage.serviceUsageConsumer"},
		texts(literal(telemetry.ValExpr)))
}

// code is a text of Terraform without its comments of whole lines.
func code(text string) string { return regexp.MustCompile(`(?m)^\s*#.*$`).ReplaceAllString(text, "") }

// calls are what package accounts calls of Firebase Auth, with the permission that Google asks for it.
var calls = map[string]string{
	"GetUser": "firebaseauth.users.get", "GetUserByEmail": "firebaseauth.users.get", "GetUsers": "firebaseauth.users.get",
	"Users":      "firebaseauth.users.get",
	"UpdateUser": "firebaseauth.users.update", "RevokeRefreshTokens": "firebaseauth.users.update",
	"CreateUser": "firebaseauth.users.create", "DeleteUser": "firebaseauth.users.delete",
	"Do": "firebaseauth.users.sendEmail", // the request of accounts:sendOobCode
}

// permissions: the roles of our own have the permissions of what is called, and no other; and
// nobody has a role of Google's over accounts.
func permissions(t *testing.T, m *module) {
	want := map[string]bool{
		"iam.serviceAccounts.signBlob": true,                                 // links to archives, addresses of uploads
		"storage.objects.get":          true, "storage.objects.delete": true, // uploads
		"storage.objects.list": true, // without it a missing upload answers 403
	}
	sources, err := filepath.Glob(filepath.Join(testenv.Root(), "internal", "accounts", "*.go"))
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range sources {
		if strings.HasSuffix(path, "_test.go") {
			continue
		}
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		for _, call := range regexp.MustCompile(`\bclient\.(\w+)\(`).FindAllStringSubmatch(string(text), -1) {
			if calls[call[1]] == "" {
				m.add("roles: internal/accounts calls %s, and this test does not know its permission", call[1])
			}
			want[calls[call[1]]] = true
		}
	}
	got := map[string]bool{}
	for _, e := range m.object("custom_roles") {
		for _, permission := range texts(literal(e)) {
			got[permission] = true
		}
	}
	m.same("permissions of our roles", slices.Collect(maps.Keys(want)), slices.Collect(maps.Keys(got)))
	m.want("google_project_iam_custom_role.role", "permissions", "each.value")
	// A repair removes files of media and uploads, and reads none.
	m.want("google_storage_bucket_iam_member.repair", "bucket", "{ media = google_storage_bucket.media.name, uploads = "+
		"google_storage_bucket.uploads.name }[each.value.bucket]")
	m.same("permissions of operators", []string{"storage.objects.delete", "storage.objects.list"},
		texts(literal(m.object("custom_roles")["hibanaRemoveFiles"])))
	for name, text := range m.files {
		if strings.Contains(code(text), "roles/firebaseauth.") || strings.Contains(code(text), "serviceAccountTokenCreator") {
			m.add("roles: %s gives a role of Google's that may do more than our code does", name)
		}
	}
}

// grants has the role that each resource gives, and to whom.
var grants = map[string][2]string{
	"google_project_iam_member.grant": {
		`startswith(each.value.role, "roles/") ? each.value.role : google_project_iam_custom_role.role[each.value.role].name`,
		"google_service_account.account[each.value.account].member"},
	// which makes the subscriptions of triggers
	"google_project_iam_member.eventarc": {"roles/eventarc.serviceAgent",
		`google_project_service_identity.agent["eventarc.googleapis.com"].member`},
	"google_service_account_iam_member.sign": {`google_project_iam_custom_role.role["hibanaSign"].name`,
		`google_service_account.account["api"].member`},
	"google_cloud_run_v2_service_iam_member.events": {"roles/run.invoker",
		`google_service_account.account["triggers"].member`},
	"google_cloud_run_v2_job_iam_member.begin": {"roles/run.invoker",
		`google_service_account.account["jobs"].member`},
	"google_secret_manager_secret_iam_member.secret": {"roles/secretmanager.secretAccessor",
		"google_service_account.account[each.value.account].member"},
	"google_pubsub_topic_iam_member.dead": {"roles/pubsub.publisher",
		`google_project_service_identity.agent["pubsub.googleapis.com"].member`},
	"google_pubsub_subscription_iam_member.dead": {"roles/pubsub.subscriber",
		"google_pubsub_topic_iam_member.dead.member"},
	"google_storage_bucket_iam_member.archives": {"each.value", "google_service_account.account[each.key].member"},
	"google_storage_bucket_iam_member.media":    {"each.value", "google_service_account.account[each.key].member"},
	"google_storage_bucket_iam_member.uploads": {
		`startswith(each.value, "roles/") ? each.value : google_project_iam_custom_role.role[each.value].name`,
		"google_service_account.account[each.key].member"},
	// operators who repair
	"google_storage_bucket_iam_member.repair": {`google_project_iam_custom_role.role["hibanaRemoveFiles"].name`,
		"each.value.member"},
	// which publishes the events of buckets
	"google_project_iam_member.storage": {"roles/pubsub.publisher",
		"data.google_storage_project_service_account.agent.member"},
}

var list = sync.OnceValues(func() (map[string][]string, error) {
	const module = "github.com/hibana-sns/hibana/"
	cmd := exec.Command("go", "list", "-e", "-json=ImportPath,Imports,Deps", "./...")
	cmd.Dir = testenv.Root()
	out, err := cmd.Output()
	if err != nil {
		return nil, err
	}
	deps := map[string][]string{}
	for d := json.NewDecoder(strings.NewReader(string(out))); ; {
		var p struct {
			ImportPath    string
			Imports, Deps []string
		}
		if err := d.Decode(&p); errors.Is(err, io.EOF) {
			return deps, nil
		} else if err != nil {
			return nil, err
		}
		name := strings.TrimPrefix(p.ImportPath, module)
		for _, dep := range p.Deps {
			deps[name] = append(deps[name], strings.TrimPrefix(dep, module))
		}
		for _, i := range p.Imports {
			if slices.ContainsFunc(clients, func(c string) bool { return strings.HasPrefix(i, c) }) {
				deps["imports "+name] = append(deps["imports "+name], i)
			}
		}
	}
})

// programs returns what each package depends on.
func programs(t *testing.T) map[string][]string {
	t.Helper()
	deps, err := list()
	if err != nil {
		t.Fatal(err)
	}
	return deps
}

// Whoever calls Google Cloud is known, with the roles that it needs.
func TestCallers(t *testing.T) {
	t.Parallel()
	deps := programs(t)
	for _, program := range []string{"cmd/api", "cmd/functions"} {
		for _, dep := range deps[program] {
			if imports := deps["imports "+dep]; len(imports) > 0 && !strings.HasPrefix(dep, "store/") &&
				!slices.Contains(callers, dep) {
				t.Errorf("%s of %s imports %q: does it need a role? Add it to needs or callers", dep, program, imports)
			}
		}
	}
}
