#!/usr/bin/env bash
# Makes the Eventarc triggers of the table in functions/table.go, one for each function
# and event type, with the service of cmd/functions as their destination. Then it gives the
# subscription of each trigger the longest acknowledgement deadline. Pub/Sub takes the
# deadline as the time-out of a push too: an event that is not answered by then is delivered
# again beside the first attempt. A new subscription has 10 s.
#
# It prints the commands; with --apply it runs them, and updates triggers that are there
# already. It may be run again at any time. hibana triggers check tells what is wrong.
#
#   PROJECT=my-project REGION=asia-northeast1 deploy/triggers.sh [--apply]
#
# PROJECT          Google Cloud project
# REGION           region of the Cloud Run service
# LOCATION         of the Firestore database, such as nam5; REGION if absent
# DATABASE         "(default)" if absent
# SERVICE          Cloud Run service; hibana-functions if absent
# SERVICE_ACCOUNT  who calls the service; hibana-triggers@PROJECT... if absent
# HIBANA           the hibana command; go run ./cmd/hibana if absent
set -euo pipefail
: "${PROJECT:?name the Google Cloud project}" "${REGION:?name the region of the Cloud Run service}"
location=${LOCATION:-$REGION}
account=${SERVICE_ACCOUNT:-hibana-triggers@$PROJECT.iam.gserviceaccount.com}

case "${1:-}" in
"") apply= ;;
--apply) apply=yes ;;
*) echo "usage: PROJECT=... REGION=... $0 [--apply]" >&2; exit 2 ;;
esac

cd "$(dirname "${BASH_SOURCE[0]}")/.."
table=$(${HIBANA:-go run ./cmd/hibana} triggers --json | node -e '
  for (const f of JSON.parse(require("fs").readFileSync(0)))
    for (const type of f.eventTypes) console.log(f.name, f.document, type)')

# quoted prints a command as a shell would read it.
quoted() {
  printf '%s' "$1"
  printf ' %q' "${@:2}"
}

while read -r name document type; do
  id=$(sed 's/\([a-z]\)\([A-Z]\)/\1-\2/g' <<<"$name-${type##*.}" | tr '[:upper:]' '[:lower:]')
  place=("$id" --project="$PROJECT" --location="$location")
  verb=create
  if [ "$apply" ] && gcloud eventarc triggers describe "${place[@]}" >/dev/null 2>&1 </dev/null; then
    verb=update
  fi
  command=(gcloud eventarc triggers "$verb" "${place[@]}"
    --destination-run-service="${SERVICE:-hibana-functions}" --destination-run-region="$REGION" --destination-run-path="/$name"
    --event-filters="type=$type" --event-filters="database=${DATABASE:-(default)}"
    --event-filters-path-pattern="document=$document"
    --event-data-content-type=application/protobuf --service-account="$account")
  describe=(gcloud eventarc triggers describe "${place[@]}" --format="value(transport.pubsub.subscription)")
  raise=(--project="$PROJECT" --ack-deadline=600)
  quoted "${command[@]}"
  echo
  printf 'gcloud pubsub subscriptions update "$('
  quoted "${describe[@]}"
  printf ')"'
  printf ' %q' "${raise[@]}"
  echo
  if [ "$apply" ]; then
    "${command[@]}" </dev/null
    subscription=$("${describe[@]}" </dev/null)
    gcloud pubsub subscriptions update "${subscription:?the trigger $id has no subscription yet, run this again}" "${raise[@]}" </dev/null
  fi
done <<<"$table"
