#!/bin/sh
# Verifies the signature of a webhook (Standard Webhooks), with openssl. For scripts; it does not check the age.
set -eu

key=$(printf %s "${RMEET_WEBHOOK_SECRET#whsec_}" | base64 -d | od -An -v -tx1 | tr -d ' \n')
right=$(
  { printf '%s.%s.' "$WEBHOOK_ID" "$WEBHOOK_TIMESTAMP"; cat; } |
    openssl dgst -sha256 -mac HMAC -macopt "hexkey:$key" -binary | base64
)
for one in $WEBHOOK_SIGNATURE; do
  if [ "$one" = "v1,$right" ]; then
    echo 'signed by Rmeet'
    exit 0
  fi
done
echo 'NOT signed by Rmeet'
exit 1
