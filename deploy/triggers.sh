#!/usr/bin/env bash
# Makes the Eventarc triggers of the table in functions/table.go, one for each function
# and event type, with the service of cmd/functions as their destination. Then it gives the
# subscription of each trigger what deploy/terraform/events.tf gives it:
#
# * the longest acknowledgement deadline. Pub/Sub takes the deadline as the time-out of a push
#   too: an event that is not answered by then is delivered again beside the first attempt. A new
#   subscription has 10 s.
# * waits of 10 s to 600 s between attempts, and 100 attempts, which take 16 hours. What is not
#   handled by then waits in the subscription hibana-dead-events for 31 days, where it would be
#   lost after 24 hours.
#
# It prints the commands; with --apply it runs them, and updates triggers that are there
# already. It may be run again at any time. hibana triggers check reports mistakes.
#
#   PROJECT=my-project REGION=asia-northeast1 deploy/triggers.sh [--apply]
#
# PROJECT          Google Cloud project
# REGION           region of the Cloud Run service
# LOCATION         of the Firestore database, such as nam5; REGION if absent
# DATABASE         "(default)" if absent
# SERVICE          Cloud Run service; hibana-functions if absent
# SERVICE_ACCOUNT  who calls the service; hibana-triggers@PROJECT... if absent
# UPLOADS_BUCKET   bucket to which clients upload files, in REGION, without gs://; if absent, media are off. The service
#                  agent of Cloud Storage (gcloud storage service-agent) needs roles/pubsub.publisher in the project
# DEAD_LETTERS     topic and subscription for events that are given up; hibana-dead-events if absent
# HIBANA           the hibana command; go run ./cmd/hibana if absent
set -euo pipefail
: "${PROJECT:?name the Google Cloud project}" "${REGION:?name the region of the Cloud Run service}"
location=${LOCATION:-$REGION}
account=${SERVICE_ACCOUNT:-hibana-triggers@$PROJECT.iam.gserviceaccount.com}
dead=${DEAD_LETTERS:-hibana-dead-events}

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

# there tells whether what gcloud makes by these words is there already. Without --apply nobody asks.
there() {
  [ "$apply" ] && gcloud "$@" --project="$PROJECT" >/dev/null 2>&1 </dev/null
}

# change prints a command, and runs it with --apply.
change() {
  quoted gcloud "$@"
  echo
  if [ "$apply" ]; then
    gcloud "$@" </dev/null
  fi
}

# Where events end that are given up. Pub/Sub itself moves them, by the account that it has in each project.
numbered=(gcloud projects describe "$PROJECT" --format="value(projectNumber)")
printf 'pubsub="serviceAccount:service-$('
quoted "${numbered[@]}"
echo ')@gcp-sa-pubsub.iam.gserviceaccount.com"'
if [ "$apply" ]; then
  number=$("${numbered[@]}" </dev/null)
  pubsub=serviceAccount:service-${number:?there is no project $PROJECT}@gcp-sa-pubsub.iam.gserviceaccount.com
fi
there pubsub topics describe "$dead" || change pubsub topics create "$dead" --project="$PROJECT"
there pubsub subscriptions describe "$dead" || change pubsub subscriptions create "$dead" --project="$PROJECT" \
  --topic="$dead" --ack-deadline=600 --message-retention-duration=31d --expiration-period=never

printf 'gcloud pubsub topics add-iam-policy-binding %q --project=%q --role=roles/pubsub.publisher --format=none --member="$pubsub"\n' "$dead" "$PROJECT"
if [ "$apply" ]; then
  gcloud pubsub topics add-iam-policy-binding "$dead" --project="$PROJECT" --role=roles/pubsub.publisher --format=none --member="$pubsub" </dev/null
fi

while read -r name document type; do
  id=$(sed 's/\([a-z]\)\([A-Z]\)/\1-\2/g' <<<"$name-${type##*.}" | tr '[:upper:]' '[:lower:]')
  at=$location of=(--event-filters="database=${DATABASE:-(default)}" --event-filters-path-pattern="document=$document"
    --event-data-content-type=application/protobuf)
  if [[ $document == gs://* ]]; then
    [ "${UPLOADS_BUCKET:-}" ] || continue
    at=$REGION of=(--event-filters="bucket=$UPLOADS_BUCKET" --event-data-content-type=application/json)
  fi
  place=("$id" --project="$PROJECT" --location="$at")
  verb=create
  if there eventarc triggers describe "$id" --location="$at"; then
    verb=update
  fi
  change eventarc triggers "$verb" "${place[@]}" \
    --destination-run-service="${SERVICE:-hibana-functions}" --destination-run-region="$REGION" --destination-run-path="/$name" \
    --event-filters="type=$type" "${of[@]}" --service-account="$account"
  describe=(gcloud eventarc triggers describe "${place[@]}" --format="value(transport.pubsub.subscription)")
  printf 'subscription="$('
  quoted "${describe[@]}"
  echo ')"'
  deliver=(--project="$PROJECT" --ack-deadline=600 --min-retry-delay=10s --max-retry-delay=600s
    --dead-letter-topic="projects/$PROJECT/topics/$dead" --max-delivery-attempts=100)
  printf 'gcloud pubsub subscriptions add-iam-policy-binding "$subscription"'
  printf ' %q' --project="$PROJECT" --role=roles/pubsub.subscriber --format=none
  echo ' --member="$pubsub"'
  printf 'gcloud pubsub subscriptions update "$subscription"'
  printf ' %q' "${deliver[@]}"
  echo
  if [ "$apply" ]; then
    subscription=$("${describe[@]}" </dev/null)
    : "${subscription:?the trigger $id has no subscription yet, run this again}"
    gcloud pubsub subscriptions add-iam-policy-binding "$subscription" --project="$PROJECT" --role=roles/pubsub.subscriber --format=none --member="$pubsub" </dev/null
    gcloud pubsub subscriptions update "$subscription" "${deliver[@]}" </dev/null
  fi
done <<<"$table"
