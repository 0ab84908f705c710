package mastodon

import (
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/hibana-sns/hibana/model"
)

// Instance is the entity of the installation.
type Instance struct {
	Domain        string          `json:"domain"`
	Title         string          `json:"title"`
	Version       string          `json:"version"`
	SourceURL     string          `json:"source_url"`
	Description   string          `json:"description"`
	Usage         any             `json:"usage"`
	Thumbnail     any             `json:"thumbnail"`
	Icon          []InstanceIcon  `json:"icon"`
	Languages     []string        `json:"languages"`
	Configuration map[string]any  `json:"configuration"`
	Registrations InstanceSignUps `json:"registrations"`
	APIVersions   map[string]int  `json:"api_versions"`
	Contact       InstanceContact `json:"contact"`
	Rules         []Rule          `json:"rules"`
}

// InstanceIcon is a picture of the installation.
type InstanceIcon struct {
	Src  string `json:"src"`
	Size string `json:"size"`
}

// InstanceSignUps says who may sign up.
type InstanceSignUps struct {
	Enabled          bool    `json:"enabled"`
	ApprovalRequired bool    `json:"approval_required"`
	ReasonRequired   bool    `json:"reason_required"`
	Message          *string `json:"message"`
	MinAge           *int    `json:"min_age"`
	URL              *string `json:"url"`
}

// InstanceContact says whom to ask.
type InstanceContact struct {
	Email   string   `json:"email"`
	Account *Account `json:"account"`
}

// InstanceV1 is the entity of the installation in the first version.
type InstanceV1 struct {
	URI              string            `json:"uri"`
	Title            string            `json:"title"`
	ShortDescription string            `json:"short_description"`
	Description      string            `json:"description"`
	Email            string            `json:"email"`
	Version          string            `json:"version"`
	URLs             map[string]string `json:"urls"`
	Stats            map[string]int64  `json:"stats"`
	Thumbnail        string            `json:"thumbnail"`
	Languages        []string          `json:"languages"`
	Registrations    bool              `json:"registrations"`
	ApprovalRequired bool              `json:"approval_required"`
	InvitesEnabled   bool              `json:"invites_enabled"`
	Configuration    map[string]any    `json:"configuration"`
	ContactAccount   *Account          `json:"contact_account"`
	Rules            []Rule            `json:"rules"`
}

// Rule is a rule of the installation.
type Rule struct {
	ID           string   `json:"id"`
	Text         string   `json:"text"`
	Hint         string   `json:"hint"`
	Translations struct{} `json:"translations"`
}

// Terms are the terms of service.
type Terms struct {
	EffectiveDate string  `json:"effective_date"`
	Effective     bool    `json:"effective"`
	Content       string  `json:"content"`
	SucceededBy   *string `json:"succeeded_by"`
}

type nativeInstance struct {
	Name            string   `json:"name"`
	Description     string   `json:"description"`
	DescriptionHTML string   `json:"descriptionHtml"`
	Rules           []string `json:"rules"`
	Contact         struct {
		Email  string       `json:"email"`
		UserID model.UserID `json:"userId"`
	} `json:"contact"`
	Languages []string `json:"languages"`
	Terms     *struct {
		HTML string    `json:"html"`
		At   time.Time `json:"at"`
	} `json:"terms"`
	InvitationNeeded bool           `json:"invitationNeeded"`
	ApprovalNeeded   bool           `json:"approvalNeeded"`
	Federation       bool           `json:"federation"`
	Limits           map[string]int `json:"limits"`
	Version          string         `json:"version"`
	UpdatedAt        *time.Time     `json:"updatedAt"`
}

type nativeTotals struct {
	Users  int64 `json:"users"`
	Tweets int64 `json:"tweets"`
}

const (
	sourceURL = "https://github.com/hibana-sns/hibana"
	// apiVersion is the version of the API of Mastodon 4.5.
	apiVersion = 7
	// urlLength is how many characters apps take each address for. Hibana counts an address as it is typed, which no
	// number says, so it is what apps take without a number. With 0 an address alone would be an empty post.
	urlLength = 23
	// Of pictures and videos, as package media takes them.
	maxPixels      = 40_000_000
	maxVideoPixels = 36_864 * 256
	maxFrameRate   = 240
	// fresh is for how long caches keep what the installation says of itself.
	fresh = "public, max-age=60"
)

func instanceMethods() []Method {
	const private = "is for administrators, who have it in the admin methods"
	none := func(answer any) func(*call) (any, error) { return func(*call) (any, error) { return answer, nil } }
	all := []Method{
		get("/api/v2/instance", "", instanceV2).note("active_month is the number of users: nobody counts who is active"),
		get("/api/v1/instance", "", instanceV1).note("domain_count is 1. max_characters counts addresses as they are " +
			"typed, and the marks of Markdown that a text has once they are escaped"),
		get("/api/v1/instance/peers", "", none([]string{})).off("nobody lists the servers that Hibana knows"),
		get("/api/v1/instance/activity", "", none([]any{})).off("nobody counts by the week"),
		get("/api/v1/instance/rules", "", func(c *call) (any, error) {
			is, err := c.instance()
			return rules(is), err
		}),
		get("/api/v1/instance/domain_blocks", "", absent).off(private),
		get("/api/v1/instance/extended_description", "", func(c *call) (any, error) {
			is, err := c.instance()
			return map[string]any{"updated_at": changed(is), "content": is.DescriptionHTML}, err
		}),
		get("/api/v1/instance/privacy_policy", "", absent).off("the terms of service have it"),
		get("/api/v1/instance/terms_of_service", "", terms),
		get("/api/v1/instance/terms_of_service/:date", "", terms).note("earlier versions are not kept"),
		get("/api/v1/instance/languages", "", func(c *call) (any, error) {
			is, err := c.instance()
			return each(is.Languages, func(tag string) map[string]string {
				return map[string]string{"code": tag, "name": tag}
			}), err
		}).note("the name of a language is its tag"),
		get("/api/v1/instance/translation_languages", "", none(map[string][]string{})).off("Hibana translates nothing"),
		get("/api/v1/custom_emojis", "", none([]any{})).off("there are no custom emojis"),
	}
	for i := range all {
		all[i] = cached(all[i].public())
	}
	return all
}

// cached lets caches keep what a caller without a token gets.
func cached(m Method) Method {
	handle := m.handle
	m.handle = func(c *call) (any, error) {
		out, err := handle(c)
		if err == nil && c.caller().UID == "" {
			c.header.Set("Cache-Control", fresh)
		}
		return out, err
	}
	return m
}

// instance reads what the installation says of itself.
//
// Cost: 1 read a minute.
func (c *call) instance() (is nativeInstance, err error) {
	err = c.get("/v1/instance", url.Values{"format": {"html"}}, &is)
	return is, err
}

// contact reads the account that the installation names; nil for none.
func (c *call) contact(is nativeInstance) (*Account, error) {
	if is.Contact.UserID == "" {
		return nil, nil
	}
	found, err := c.accounts([]model.UserID{is.Contact.UserID})
	return found[is.Contact.UserID], err
}

func changed(is nativeInstance) stamp {
	if is.UpdatedAt == nil {
		return stamp(time.Time{})
	}
	return stamp(*is.UpdatedAt)
}

func rules(is nativeInstance) []Rule {
	all := make([]Rule, len(is.Rules))
	for i, text := range is.Rules {
		all[i] = Rule{ID: strconv.Itoa(i + 1), Text: text}
	}
	return all
}

// version is how the installation names itself: clients compare the first number.
func (is nativeInstance) version() string {
	return Version + " (compatible; Hibana " + strings.TrimPrefix(is.Version, "v") + ")"
}

func (is nativeInstance) title() string {
	if is.Name == "" {
		return "Hibana"
	}
	return is.Name
}

// host is the name of the installation.
func (c *call) host() string {
	_, host, _ := strings.Cut(c.site().URL, "://")
	return host
}

// configuration are the limits of the installation.
func (c *call) configuration(is nativeInstance, vapid string) map[string]any {
	l, site := is.Limits, c.site().URL
	var termsURL *string
	if is.Terms != nil {
		termsURL = new(site + "/about")
	}
	feeds := map[string]string{"local": "public", "remote": "public"}
	urls := map[string]any{"status": nil, "about": site + "/about", "privacy_policy": nil, "terms_of_service": termsURL}
	if streams := c.streamingURL(); streams != "" {
		urls["streaming"] = streams
	}
	return map[string]any{
		"urls":  urls,
		"vapid": map[string]any{"public_key": vapid},
		"accounts": map[string]any{"max_display_name_length": l["nickname"], "max_note_length": l["introduction"],
			"max_avatar_description_length": 0, "max_header_description_length": 0,
			"max_featured_tags": l["pinnedTags"], "max_pinned_statuses": l["pins"], "max_profile_fields": model.MaxProfileFields,
			"profile_field_name_limit": model.MaxFieldName, "profile_field_value_limit": model.MaxFieldValue},
		"statuses": map[string]any{"max_characters": l["content"], "max_media_attachments": l["media"],
			"characters_reserved_per_url": urlLength},
		"media_attachments": map[string]any{"description_limit": l["mediaAlt"], "image_size_limit": l["imageBytes"],
			"image_matrix_limit": maxPixels, "video_size_limit": l["videoBytes"], "video_frame_rate_limit": maxFrameRate,
			"video_matrix_limit":   maxVideoPixels,
			"supported_mime_types": []string{"image/jpeg", "image/png", "image/gif", "image/webp", "video/mp4"}},
		"polls": map[string]any{"max_options": l["pollOptions"], "max_characters_per_option": l["pollOption"],
			"min_expiration": l["minPollMinutes"] * 60, "max_expiration": l["maxPollMinutes"] * 60},
		"translation":        map[string]bool{"enabled": false},
		"timelines_access":   map[string]any{"live_feeds": feeds, "hashtag_feeds": feeds, "trending_link_feeds": feeds},
		"limited_federation": !is.Federation,
	}
}

// whole reads all that the entity of the installation has.
func (c *call) whole() (is nativeInstance, totals nativeTotals, vapid string, contact *Account, err error) {
	if is, err = c.instance(); err != nil {
		return is, totals, "", nil, err
	}
	if err = c.get("/v1/totals", nil, &totals); err != nil {
		return is, totals, "", nil, err
	}
	if vapid, err = c.serverKey(); err != nil {
		return is, totals, "", nil, err
	}
	contact, err = c.contact(is)
	return is, totals, vapid, contact, err
}

func instanceV2(c *call) (any, error) {
	is, totals, vapid, contact, err := c.whole()
	if err != nil {
		return nil, err
	}
	site := c.site().URL
	i := Instance{Domain: c.host(), Title: is.title(), Version: is.version(), SourceURL: sourceURL,
		Description: is.Description, Languages: notNull(is.Languages), Rules: rules(is),
		Usage: map[string]any{"users": map[string]int64{"active_month": totals.Users}},
		Thumbnail: map[string]any{"url": site + missingHeader, "description": "", "blurhash": nil,
			"versions": struct{}{}},
		Icon:          []InstanceIcon{{site + missingAvatar, pictureSize}},
		Configuration: c.configuration(is, vapid), APIVersions: map[string]int{"mastodon": apiVersion},
		Contact: InstanceContact{is.Contact.Email, contact},
		Registrations: InstanceSignUps{Enabled: !is.InvitationNeeded, ApprovalRequired: is.ApprovalNeeded,
			URL: new(site + "/sign-up")},
	}
	return i, nil
}

func instanceV1(c *call) (any, error) {
	is, totals, vapid, contact, err := c.whole()
	if err != nil {
		return nil, err
	}
	return InstanceV1{URI: c.host(), Title: is.title(), ShortDescription: is.Description, Description: is.DescriptionHTML,
		Email: is.Contact.Email, Version: is.version(), URLs: c.streamingURLs(),
		Stats:     map[string]int64{"user_count": totals.Users, "status_count": totals.Tweets, "domain_count": 1},
		Thumbnail: c.site().URL + missingHeader, Languages: notNull(is.Languages), Registrations: !is.InvitationNeeded,
		ApprovalRequired: is.ApprovalNeeded, Configuration: c.configuration(is, vapid), ContactAccount: contact,
		Rules: rules(is)}, nil
}

// notNull is a list that is not null in JSON.
func notNull(all []string) []string {
	if all == nil {
		return []string{}
	}
	return all
}

// terms answers with the terms of service, of a day if the path has one.
func terms(c *call) (any, error) {
	is, err := c.instance()
	if err != nil {
		return nil, err
	}
	day := c.path("date")
	if is.Terms == nil || day != "" && day != date(is.Terms.At) {
		return nil, notHere()
	}
	return Terms{EffectiveDate: date(is.Terms.At), Effective: true, Content: is.Terms.HTML}, nil
}

// serverKey is the key by which push services know the installation; empty if there is no web push.
func (c *call) serverKey() (string, error) {
	var ways struct{ VAPIDPublicKey string }
	err := c.get("/v1/push", nil, &ways)
	return ways.VAPIDPublicKey, err
}
