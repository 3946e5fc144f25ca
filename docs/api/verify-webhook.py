"""Verifies the signature of a webhook (Standard Webhooks), with Python 3 alone."""

import base64
import hashlib
import hmac
import os
import sys
import time

# How old a request may be, in seconds: an older one may be a copy that someone sends again.
TOLERANCE = 300


def is_signed(secret, webhook_id, timestamp, signatures, body):
    if abs(time.time() - int(timestamp)) > TOLERANCE:
        return False
    key = base64.b64decode(secret.removeprefix("whsec_"))
    signed = f"{webhook_id}.{timestamp}.".encode() + body
    right = "v1," + base64.b64encode(hmac.new(key, signed, hashlib.sha256).digest()).decode()
    # While a secret changes there are two signatures; one has to be right.
    return any(hmac.compare_digest(one, right) for one in signatures.split(" "))


names = ("RMEET_WEBHOOK_SECRET", "WEBHOOK_ID", "WEBHOOK_TIMESTAMP", "WEBHOOK_SIGNATURE")
# The body as it came: parsed and written again, it might not be the same.
is_right = is_signed(*(os.environ[name] for name in names), sys.stdin.buffer.read())
print("signed by Rmeet" if is_right else "NOT signed by Rmeet")
sys.exit(0 if is_right else 1)
