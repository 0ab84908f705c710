# One program of Hibana: docker build --build-arg PROGRAM=api --build-arg REVISION=$(git rev-parse HEAD) .
# PROGRAM is api, functions or hibana.

FROM golang:1.26.8-bookworm@sha256:a688600ca24f8a4d3ca77f95b0dd40704a9fc787c826660eb7ba0b641b8b175d AS build
WORKDIR /src
COPY go.mod go.sum ./
RUN go mod download
COPY . .
ARG PROGRAM=api
ARG REVISION=unknown
RUN CGO_ENABLED=0 go build -trimpath -buildvcs=false -tags disable_grpc_modules -ldflags "-s -w -X github.com/hibana-sns/hibana/internal/version.revision=${REVISION}" \
    -o /out/program ./cmd/${PROGRAM}

# Certificates and nothing else: no shell, no packages. Time zones are in the programs. The image has no tags of versions.
FROM gcr.io/distroless/static-debian12:nonroot@sha256:afa5c872c891853ca7fcf1f12c3edb23f7eeef36189728842dd51042ff57f7ab
COPY --from=build /out/program /program
USER nonroot:nonroot
ENTRYPOINT ["/program"]
