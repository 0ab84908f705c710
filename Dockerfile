# One program of Hibana: docker build --build-arg PROGRAM=api --build-arg REVISION=$(git rev-parse HEAD) .
# PROGRAM is api, functions or hibana.

FROM golang:1.26-bookworm AS build
WORKDIR /src
COPY go.mod go.sum ./
RUN go mod download
COPY . .
ARG PROGRAM=api
ARG REVISION=unknown
RUN CGO_ENABLED=0 go build -trimpath -buildvcs=false -ldflags "-s -w -X github.com/hibana-sns/hibana/internal/version.revision=${REVISION}" \
    -o /out/program ./cmd/${PROGRAM}

# Certificates and nothing else: no shell, no packages. Time zones are in the programs.
FROM gcr.io/distroless/static-debian12:nonroot
COPY --from=build /out/program /program
USER nonroot:nonroot
ENTRYPOINT ["/program"]
