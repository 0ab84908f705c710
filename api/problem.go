package api

import (
	"errors"
	"time"

	"github.com/hibana-sns/hibana/api/server"
	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/store/tweets"
)

// Problem is the answer to a request that failed, with the members that resources add.
type Problem struct {
	server.Problem

	Prices []NewPrice `json:"prices,omitempty" nullable:"false" doc:"What products cost now whose prices the caller has not seen; only with the code prices_changed"`

	ID         model.TweetID `json:"id,omitempty" doc:"Id of the deleted tweet"`
	FormerType string        `json:"formerType,omitempty" doc:"Type of the deleted document" example:"tweet"`
	AuthorID   model.UserID  `json:"authorId,omitempty" doc:"Author of the deleted tweet"`
	DeletedAt  *time.Time    `json:"deletedAt,omitempty" doc:"Time of the deletion"`
}

// NewPrice is the current price of a product.
type NewPrice struct {
	ProductID model.ProductID `json:"productId"`
	Price     Price           `json:"price"`
}

// problemOf adds the members of resources to the problem of an error.
func problemOf(frame server.Problem, err error) server.Failure {
	p := &Problem{Problem: frame}
	if d, ok := errors.AsType[*tweets.Deleted](err); ok {
		p.ID, p.FormerType, p.AuthorID, p.DeletedAt = d.ID, d.FormerType, d.AuthorID, &d.DeletedAt
	}
	if changed, ok := errors.AsType[model.PricesChanged](err); ok {
		for _, n := range changed {
			p.Prices = append(p.Prices, NewPrice{n.ProductID, Price(n.Price)})
		}
	}
	return p
}
