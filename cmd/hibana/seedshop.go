package main

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strings"

	"github.com/hibana-sns/hibana/dev/seed/draw"
)

// products are the products in the shop of the seed. An amount is in minor units of its currency.
var products = []product{
	{"Senko Hanabi", "線香花火。Ten hand-rolled sparklers that burn with small, slow sparks.", price{600, "JPY"}, 240},
	{"Nagate Botan Sparklers", "長手牡丹。Paper sparklers of eastern Japan, held head down.", price{780, "JPY"}, 180},
	{"Subote Botan Sparklers", "スボ手牡丹。Straw sparklers of western Japan, held head up.", price{980, "JPY"}, 2},
	{"Susuki Fountain Sticks", "すすき花火。Hand-held, with a long spray like pampas grass. Five in a pack.", price{450, "JPY"},
		320},
	{"Color Change Sticks", "変色花火。Red, then green, then white. Eight in a pack.", price{520, "JPY"}, 275},
	{"Gold Wire Sparklers", "スパーク花火。Wire sparklers with dense golden stars. Twelve in a pack.", price{380, "JPY"}, 410},
	{"Snake Pellets", "へび花火。Black pellets that grow into a twisting snake of ash.", price{220, "JPY"}, 500},
	{"Mouse Spinners", "ねずみ花火。Rings that race over the ground and end with a pop.", price{260, "JPY"}, 350},
	{"Smoke Balls", "煙玉。Six colors of smoke for daylight.", price{330, "JPY"}, 290},
	{"Pull String Crackers", "クラッカー。Paper streamers and a small bang. Ten in a pack.", price{300, "JPY"}, 600},
	{"Ground Fountain, Small", "噴出花火・小。Silver sparks up to one meter, for about 20 seconds.", price{480, "JPY"}, 150},
	{"Ground Fountain, Large", "噴出花火・大。Gold and violet up to three meters, for about 50 seconds.", price{1_480, "JPY"},
		85},
	{"Dragon Fountain", "ドラゴン花火。A classic cone with a roar of white sparks.", price{650, "JPY"}, 130},
	{"Niagara Rope", "ナイアガラ。A rope of two meters with a falling curtain of silver.", price{2_980, "JPY"}, 24},
	{"Parachute Rocket", "落下傘花火。A small parachute opens high up. Daylight use.", price{420, "JPY"}, 160},
	{"Whistle Rockets", "笛ロケット花火。Bottle rockets with a whistle. Ten in a pack.", price{540, "JPY"}, 0},
	{"Roman Candle, 8 Shots", "乱玉。Eight stars in eight colors, one after the other.", price{880, "JPY"}, 95},
	{"Cake, 16 Shots", "連発花火・16連。Crackling palms with green tips.", price{2_480, "JPY"}, 40},
	{"Cake, 36 Shots", "連発花火・36連。A small show with a finale of golden brocade.", price{4_980, "JPY"}, 18},
	{"Family Assortment", "手持ち花火セット。Sixty hand-held pieces for four people.", price{1_980, "JPY"}, 210},
	{"Festival Assortment", "夏祭りセット。Hand-held, spinning and standing pieces for an evening.", price{3_480, "JPY"}, 75},
	{"Quiet Night Assortment", "静かな花火セット。Without bangs and whistles, for late hours.", price{2_280, "JPY"}, 90},
	{"Safety Candle", "花火用ろうそく。A wind-proof candle in a metal cup.", price{280, "JPY"}, 380},
	{"Folding Water Bucket", "折りたたみバケツ。Eight liters. First the water, then the match.", price{1_200, "JPY"}, 140},
	{"Long Lighter", "着火ライター。With a bendable neck; refillable.", price{690, "JPY"}, 165},
	{"Summer Fan", "うちわ。Bamboo and paper, printed with a chrysanthemum shell.", price{850, "JPY"}, 110},
	{"Shell Maker's Notebook", "花火師の手帳。Grid paper, 96 pages, with a firing list to fill in.", price{1_490, "EUR"}, 60},
	{"Poster: Kinds of Shells", "花火図鑑ポスター。Forty shells and how they open; 50 by 70 cm.", price{2_400, "EUR"}, 45},
	{"Enamel Pin: Willow", "しだれ柳ピンバッジ。Gold on black, 28 mm.", price{950, "USD"}, 200},
	{"Cotton Towel: Spark", "火花の手ぬぐい。Dyed by hand, 35 by 90 cm.", price{1_650, "USD"}, 70},
}

// pictured says in words what the pictures of the products show. Package draw draws them by the same names.
var pictured = map[string]string{
	"Senko Hanabi":            "A twisted paper with a drop of fire at its end, and fine sparks around it",
	"Nagate Botan Sparklers":  "Five pink paper sparklers with fringes, side by side",
	"Subote Botan Sparklers":  "Seven straw sparklers with black heads, side by side",
	"Susuki Fountain Sticks":  "A hand-held stick whose golden spray bends like pampas grass",
	"Color Change Sticks":     "Three burning sticks: red, green and white",
	"Gold Wire Sparklers":     "Three wire sparklers with round stars of gold",
	"Snake Pellets":           "A black snake of ash, and four pellets",
	"Mouse Spinners":          "Six striped rings in six colors, each with a fuse",
	"Smoke Balls":             "Six balls with clouds of their own colors",
	"Pull String Crackers":    "Three paper cones that throw streamers and confetti",
	"Ground Fountain, Small":  "A small blue tube with a silver fountain",
	"Ground Fountain, Large":  "A violet tube with a high fountain of gold and violet",
	"Dragon Fountain":         "A green cone with golden scales, and white sparks above it",
	"Niagara Rope":            "A rope between two poles, from which a silver curtain falls",
	"Parachute Rocket":        "A small tube under a red and white parachute, above clouds",
	"Whistle Rockets":         "Five bottle rockets on sticks, in five colors",
	"Roman Candle, 8 Shots":   "A red candle, and eight stars of different colors on their way up",
	"Cake, 16 Shots":          "A green box with sixteen tubes",
	"Cake, 36 Shots":          "A red box with thirty-six tubes",
	"Family Assortment":       "A bag of colorful sticks with a green label",
	"Festival Assortment":     "A large bag of colorful sticks with a red label",
	"Quiet Night Assortment":  "A bag of sticks with a blue label, at night under the moon",
	"Safety Candle":           "A candle that burns in a metal cup",
	"Folding Water Bucket":    "A blue bucket, full of water",
	"Long Lighter":            "A pink lighter with a long neck and a flame",
	"Summer Fan":              "A round fan with a chrysanthemum of fire on dark blue",
	"Shell Maker's Notebook":  "A dark blue notebook with a golden star, and a red pencil",
	"Poster: Kinds of Shells": "A dark poster with rows of opened shells in all colors",
	"Enamel Pin: Willow":      "A round black pin with a golden willow, on its card",
	"Cotton Towel: Spark":     "An indigo towel with white sparks, over a pole",
}

// ordered is what the first person orders: pieces of products by name.
var ordered = map[string]int{"Gold Wire Sparklers": 3, "Senko Hanabi": 2, "Folding Water Bucket": 1}

// order puts what the first person orders into the cart, and orders it.
func (w *writer) order(ctx context.Context) error {
	var found struct {
		Items []struct {
			ID, Name string
			Price    price
		}
	}
	token := w.tokens[0]
	if err := w.c.call(ctx, token, http.MethodGet, "/v1/products?pageSize=100", "", nil, &found); err != nil {
		return err
	}
	var items []map[string]any
	for _, p := range found.Items {
		n := ordered[p.Name]
		if n == 0 {
			continue
		}
		items = append(items, map[string]any{"productId": p.ID, "quantity": n, "price": p.Price})
		if err := w.c.call(ctx, token, http.MethodPut, "/v1/cart/items/"+p.ID, "", map[string]int{"quantity": n},
			nil); err != nil {
			return err
		}
	}
	return w.c.call(ctx, token, http.MethodPost, "/v1/orders", "seed-order", map[string]any{"items": items}, nil)
}

type product struct {
	Name        string `json:"name"`
	Description string `json:"description"`
	Price       price  `json:"price"`
	Stock       int    `json:"stock"`
}

type price struct {
	Amount   int    `json:"amount"`
	Currency string `json:"currency"`
}

// signInAdmin returns an ID token of the seed's administrator, and creates the account and its role if necessary.
func (c *client) signInAdmin(ctx context.Context) (token string, err error) {
	token, uid, err := c.signIn(ctx, seedAdmin)
	if err != nil {
		return "", err
	}
	var claims struct {
		Aud   string // the project
		Admin bool
	}
	if err := readClaims(token, &claims); err != nil || claims.Admin {
		return token, err
	}
	err = c.do(ctx, http.MethodPost, c.auth+"/identitytoolkit.googleapis.com/v1/projects/"+claims.Aud+"/accounts:update",
		http.Header{"Authorization": {"Bearer owner"}}, map[string]string{"localId": uid,
			"customAttributes": `{"admin":true}`}, nil)
	if err != nil {
		return "", err
	}
	token, _, err = c.signIn(ctx, seedAdmin) // a role is in the next token
	return token, err
}

// readClaims decodes the claims of an ID token. The API checks the token.
func readClaims(token string, claims any) error {
	parts := strings.Split(token, ".")
	if len(parts) != 3 {
		return fmt.Errorf("the ID token has %d parts, and not 3", len(parts))
	}
	text, err := base64.RawURLEncoding.DecodeString(parts[1])
	if err != nil {
		return fmt.Errorf("ID token: %w", err)
	}
	return json.Unmarshal(text, claims)
}

// addProducts adds the products of the seed to the shop.
func (c *client) addProducts(ctx context.Context, parallel parallel) error {
	token, err := c.signInAdmin(ctx)
	if err != nil {
		return err
	}
	return parallel("products", len(products), func(ctx context.Context, i int) error {
		var made struct {
			ID      string
			Picture any
		}
		err := c.call(ctx, token, http.MethodPost, "/v1/products", fmt.Sprintf("seed-%d", i), products[i], &made)
		if err != nil || made.Picture != nil { // of an earlier run
			return err
		}
		name := products[i].Name
		id, err := c.upload(ctx, token, &picture{kind: "product", alt: pictured[name], draw: func() []byte {
			return draw.Good(name)
		}})
		if r, ok := errors.AsType[*refusal](err); ok && r.Code == "media_off" {
			return nil
		}
		if err != nil {
			return err
		}
		return c.call(ctx, token, http.MethodPatch, "/v1/products/"+made.ID, "", map[string]string{"imageMedia": id}, nil)
	})
}
