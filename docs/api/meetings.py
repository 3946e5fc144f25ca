"""Gets a token, books a meeting and lists meetings, with Python 3 alone."""

import base64
import datetime
import json
import os
import urllib.parse
import urllib.request

URL = os.environ["RMEET_URL"]


def send(request):
    with urllib.request.urlopen(request) as response:
        return json.load(response)


def get_token():
    """1. A token for an hour."""
    names = ("RMEET_CLIENT_ID", "RMEET_CLIENT_SECRET")
    credentials = ":".join(urllib.parse.quote(os.environ[name], safe="") for name in names)
    fields = {"grant_type": "client_credentials"}
    if os.environ.get("RMEET_SUBJECT"):
        fields["subject"] = os.environ["RMEET_SUBJECT"]
    request = urllib.request.Request(
        f"{URL}/api/oauth2/token",
        data=urllib.parse.urlencode(fields).encode(),
        headers={"Authorization": "Basic " + base64.b64encode(credentials.encode()).decode()},
    )
    return send(request)["access_token"]


def call(token, method, path, body=None):
    """Calls Rmeet and returns `data` of the envelope."""
    request = urllib.request.Request(
        f"{URL}/api/api/v1{path}",
        method=method,
        data=None if body is None else json.dumps(body).encode(),
        headers={"Authorization": f"Bearer {token}", "Content-Type": "application/json"},
    )
    return send(request)["data"]


token = get_token()

# 2. A meeting in an hour.
start = datetime.datetime.now(datetime.timezone.utc) + datetime.timedelta(hours=1)
meeting = call(
    token,
    "POST",
    "/meetings/network",
    {"subject": "Ward round (Python)", "startTime": start.isoformat(), "duration": 30, "waitingRoom": True},
)
print("Booked", meeting["numericId"])

# 3. The meetings from now on.
query = urllib.parse.urlencode({"from": datetime.datetime.now(datetime.timezone.utc).isoformat()})
for one in call(token, "GET", f"/meetings/list?{query}")["records"]:
    print(one["startTime"], one["subject"])
