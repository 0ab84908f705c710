package mastodon

import (
	"crypto/sha256"
	"encoding/hex"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/hibana-sns/hibana/model"
)

// AdminEmailDomainBlock is the entity of a domain of addresses with which nobody signs up.
type AdminEmailDomainBlock struct {
	ID        string `json:"id"`
	Domain    string `json:"domain"`
	CreatedAt stamp  `json:"created_at"`
	History   []any  `json:"history"`

	AllowWithApproval bool `json:"allow_with_approval"`
}

// AdminIPBlock is the entity of a network from which nobody signs up.
type AdminIPBlock struct {
	ID        string `json:"id"`
	IP        string `json:"ip"`
	Severity  string `json:"severity"` // sign_up_requires_approval or sign_up_block
	Comment   string `json:"comment"`
	CreatedAt stamp  `json:"created_at"`
	ExpiresAt stamp  `json:"expires_at"`
}

type nativeBlock struct {
	Of       string     `json:"of"`
	Kind     string     `json:"kind"`
	Severity string     `json:"severity"`
	Comment  string     `json:"comment"`
	At       time.Time  `json:"at"`
	ExpireAt *time.Time `json:"expireAt"`
}

type newBlock struct {
	Severity string `json:"severity"`
	Comment  string `json:"comment"`
	Days     int    `json:"days"`
}

const (
	signUpBlocksPath    = "/v1/admin/sign-up-blocks"
	ofDomain, ofNetwork = "domain", "network"
)

func adminSignUpMethods() []Method {
	const read, write = "admin:read admin:read:email_domain_blocks", "admin:write admin:write:email_domain_blocks"
	const readIP, writeIP = "admin:read admin:read:ip_blocks", "admin:write admin:write:ip_blocks"
	const readMail = "admin:read admin:read:canonical_email_blocks"
	const writeMail = "admin:write admin:write:canonical_email_blocks"
	const noMail = "an account is suspended in Firebase Auth, where its address stays taken"
	none := func(*call) (any, error) { return []any{}, nil }
	return []Method{
		get("/api/v1/admin/email_domain_blocks", read, func(c *call) (any, error) {
			found, err := c.signUpBlocks(ofDomain)
			return each(found, emailBlock), err
		}).note("the id is the domain; there is no history"),
		get("/api/v1/admin/email_domain_blocks/:id", read, func(c *call) (any, error) {
			b, err := c.signUpBlock(ofDomain)
			return emailBlock(b), err
		}),
		post("/api/v1/admin/email_domain_blocks", write, func(c *call) (any, error) {
			severity := "refusal"
			if c.params.flag("allow_with_approval") {
				severity = "approval"
			}
			domain := c.params.text("domain")
			if _, err := model.BlockedNetwork(domain); err == nil { // which has a scope of its own
				return nil, invalid("domain is that of an address")
			}
			b, err := c.putBlock(domain, newBlock{Severity: severity})
			return emailBlock(b), err
		}),
		remove("/api/v1/admin/email_domain_blocks/:id", write, removeBlock(ofDomain)),
		get("/api/v1/admin/ip_blocks", readIP, func(c *call) (any, error) {
			found, err := c.signUpBlocks(ofNetwork)
			return each(found, ipBlock), err
		}).note("the id is the network with _ for /"),
		get("/api/v1/admin/ip_blocks/:id", readIP, func(c *call) (any, error) {
			b, err := c.signUpBlock(ofNetwork)
			return ipBlock(b), err
		}),
		post("/api/v1/admin/ip_blocks", writeIP, func(c *call) (any, error) {
			return c.blockNetwork(nativeBlock{Severity: "refusal"})
		}).note("of sign-ups alone: no_access is refused; a block ends after whole days"),
		put("/api/v1/admin/ip_blocks/:id", writeIP, func(c *call) (any, error) {
			b, err := c.signUpBlock(ofNetwork)
			if err != nil {
				return nil, err
			}
			return c.blockNetwork(b)
		}).note("the network stays"),
		remove("/api/v1/admin/ip_blocks/:id", writeIP, removeBlock(ofNetwork)),
		get("/api/v1/admin/canonical_email_blocks", readMail, none).off(noMail),
		get("/api/v1/admin/canonical_email_blocks/:id", readMail, absent).off(noMail),
		post("/api/v1/admin/canonical_email_blocks/test", readMail, none).off(noMail),
		post("/api/v1/admin/canonical_email_blocks", writeMail, func(*call) (any, error) {
			return nil, invalid("suspend the account: its address stays taken")
		}).off(noMail),
		remove("/api/v1/admin/canonical_email_blocks/:id", writeMail, absent).off(noMail),
	}
}

func digest(text string) string {
	sum := sha256.Sum256([]byte(text))
	return hex.EncodeToString(sum[:])
}

func emailBlock(b nativeBlock) AdminEmailDomainBlock {
	return AdminEmailDomainBlock{b.Of, b.Of, stamp(b.At), []any{}, b.Severity == "approval"}
}

func ipBlock(b nativeBlock) AdminIPBlock {
	is := AdminIPBlock{ID: strings.ReplaceAll(b.Of, "/", "_"), IP: b.Of, Severity: "sign_up_block", Comment: b.Comment,
		CreatedAt: stamp(b.At)}
	if b.Severity == "approval" {
		is.Severity = "sign_up_requires_approval"
	}
	if b.ExpireAt != nil {
		is.ExpiresAt = stamp(*b.ExpireAt)
	}
	return is
}

// signUpBlocks lists the blocks of a kind. All are on one page.
func (c *call) signUpBlocks(kind string) ([]nativeBlock, error) {
	var found struct{ Items []nativeBlock }
	err := c.get(signUpBlocksPath, nil, &found)
	return slices.DeleteFunc(found.Items, func(b nativeBlock) bool { return b.Kind != kind }), err
}

// signUpBlock reads the block that the path names.
func (c *call) signUpBlock(kind string) (nativeBlock, error) {
	all, err := c.signUpBlocks(kind)
	if err != nil {
		return nativeBlock{}, err
	}
	id := strings.ReplaceAll(c.path("id"), "_", "/")
	i := slices.IndexFunc(all, func(b nativeBlock) bool { return b.Of == id })
	if i < 0 {
		return nativeBlock{}, notHere()
	}
	return all[i], nil
}

// putBlock makes or replaces a block.
func (c *call) putBlock(of string, b newBlock) (nativeBlock, error) {
	if of == "" {
		return nativeBlock{}, invalid("domain is missing")
	}
	path := signUpBlocksPath + "?" + url.Values{"of": {of}}.Encode()
	if err := c.send(http.MethodPut, path, b, nil); err != nil {
		return nativeBlock{}, err
	}
	is := nativeBlock{Of: of, Severity: b.Severity, Comment: b.Comment, At: time.Now()}
	if b.Days > 0 {
		is.ExpireAt = new(is.At.AddDate(0, 0, b.Days))
	}
	return is, nil
}

// blockNetwork writes what a request says of a network.
func (c *call) blockNetwork(b nativeBlock) (any, error) {
	if b.Of == "" {
		var err error // a domain has a scope of its own
		if b.Of, err = model.BlockedNetwork(c.params.text("ip")); err != nil {
			return nil, err
		}
	}
	switch c.params.text("severity") {
	case "":
	case "sign_up_requires_approval":
		b.Severity = "approval"
	case "sign_up_block":
		b.Severity = "refusal"
	default:
		return nil, invalid("severity is sign_up_requires_approval or sign_up_block")
	}
	is := newBlock{Severity: b.Severity, Comment: b.Comment}
	if c.params.has("comment") {
		is.Comment = c.params.text("comment")
	}
	const day = 24 * 60 * 60
	if text := c.params.text("expires_in"); text != "" {
		seconds, ok := whole(text)
		if !ok || seconds < 0 || seconds > 3_650*day {
			return nil, invalid("expires_in has seconds, at most %d", 3_650*day)
		}
		is.Days = (seconds + day - 1) / day
	} else if b.ExpireAt != nil {
		is.Days = max(1, int(time.Until(*b.ExpireAt).Hours()/24))
	}
	out, err := c.putBlock(b.Of, is)
	return ipBlock(out), err
}

// removeBlock makes a method that takes a block away.
func removeBlock(kind string) func(*call) (any, error) {
	return func(c *call) (any, error) {
		b, err := c.signUpBlock(kind)
		if err != nil {
			return nil, err
		}
		return nil, c.send(http.MethodDelete, signUpBlocksPath+"?"+url.Values{"of": {b.Of}}.Encode(), nil, nil)
	}
}
