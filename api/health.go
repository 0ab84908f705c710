package api

import (
	"context"
	"net/http"
	"time"

	"github.com/gin-gonic/gin"

	"github.com/hibana-sns/hibana/internal/errs"
)

// readyTimeout is how long the database may take to answer a readiness probe.
const readyTimeout = 2 * time.Second

// health adds the probes: /healthz says that the process runs, /readyz that it
// reaches the database.
func (s *server) health() {
	for _, method := range []string{http.MethodGet, http.MethodHead} {
		s.engine.Handle(method, "/healthz", func(c *gin.Context) {
			c.JSON(http.StatusOK, gin.H{"status": "ok"})
		})
		s.engine.Handle(method, "/readyz", func(c *gin.Context) {
			ctx, cancel := context.WithTimeout(c.Request.Context(), readyTimeout)
			defer cancel()
			if err := s.Ping(ctx); err != nil {
				p := problemOf(&errs.Error{Kind: errs.Unavailable, Code: "not_ready", Msg: "The database does not answer.", Err: err})
				note(c.Request.Context(), p, err)
				p.write(c.Writer)
				return
			}
			c.JSON(http.StatusOK, gin.H{"status": "ready"})
		})
	}
}
