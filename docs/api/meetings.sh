#!/bin/sh
# Gets a token, books a meeting and lists meetings, with curl.
set -eu

# 1. A token for an hour.
token=$(
  curl -sS --fail-with-body -u "$RMEET_CLIENT_ID:$RMEET_CLIENT_SECRET" \
    --data-urlencode grant_type=client_credentials \
    ${RMEET_SUBJECT:+--data-urlencode "subject=$RMEET_SUBJECT"} \
    "$RMEET_URL/api/oauth2/token" |
    sed 's/.*"access_token":"\([^"]*\)".*/\1/'
)

# 2. A meeting in an hour.
start=$(date -u -d '+1 hour' +%Y-%m-%dT%H:%M:%SZ)
curl -sS --fail-with-body -H "Authorization: Bearer $token" -H 'Content-Type: application/json' \
  --data "{\"subject\":\"Ward round (curl)\",\"startTime\":\"$start\",\"duration\":30,\"waitingRoom\":true}" \
  "$RMEET_URL/api/api/v1/meetings/network"
echo

# 3. The meetings from now on.
now=$(date -u +%Y-%m-%dT%H:%M:%SZ)
curl -sS --fail-with-body -H "Authorization: Bearer $token" "$RMEET_URL/api/api/v1/meetings/list?from=$now"
echo
