#!/usr/bin/env bash
# Makes the job of Cloud Scheduler that calls the service of cmd/functions every minute, for
# what is due by the clock: scheduled tweets. The call has an ID token of the account that
# calls the service for Eventarc, too, so no other caller gets in. Cloud Scheduler counts as
# internal to a service that takes requests from inside the project alone.
#
# It prints the commands; with --apply it runs them, and updates a job that is there already. It
# may be run again at any time. hibana triggers check reports mistakes.
#
#   PROJECT=my-project REGION=asia-northeast1 deploy/schedule.sh [--apply]
#
# PROJECT          Google Cloud project
# REGION           region of the Cloud Run service, and of the job
# SERVICE          Cloud Run service; hibana-functions if absent
# SERVICE_ACCOUNT  who calls the service; hibana-triggers@PROJECT... if absent
set -euo pipefail
: "${PROJECT:?name the Google Cloud project}" "${REGION:?name the region of the Cloud Run service}"
service=${SERVICE:-hibana-functions}
account=${SERVICE_ACCOUNT:-hibana-triggers@$PROJECT.iam.gserviceaccount.com}

case "${1:-}" in
"") apply= ;;
--apply) apply=yes ;;
*) echo "usage: PROJECT=... REGION=... $0 [--apply]" >&2; exit 2 ;;
esac

place=("$service-tick" --project="$PROJECT" --location="$REGION")
verb=create
if [ "$apply" ] && gcloud scheduler jobs describe "${place[@]}" >/dev/null 2>&1 </dev/null; then
  verb=update
fi
describe=(gcloud run services describe "$service" --project="$PROJECT" --region="$REGION" --format="value(status.url)")
# A call that fails is not repeated: the next comes within a minute.
job=(gcloud scheduler jobs "$verb" http "${place[@]}" --schedule="* * * * *" --http-method=POST
  --attempt-deadline=60s --max-retry-attempts=0 --oidc-service-account-email="$account")

# quoted prints a command as a shell would read it.
quoted() {
  printf '%s' "$1"
  printf ' %q' "${@:2}"
}

printf 'url="$('
quoted "${describe[@]}"
printf ')"\n'
quoted "${job[@]}"
echo ' --uri="$url/Tick" --oidc-token-audience="$url"'
if [ "$apply" ]; then
  url=$("${describe[@]}" </dev/null)
  : "${url:?there is no service $service; deploy the functions first}"
  "${job[@]}" --uri="$url/Tick" --oidc-token-audience="$url" </dev/null
fi
