// Gets a token, books a meeting and lists meetings, with Node 20 or a browser's fetch.
const { RMEET_URL, RMEET_CLIENT_ID, RMEET_CLIENT_SECRET, RMEET_SUBJECT } = process.env;

// 1. A token for an hour.
async function getToken() {
  const credentials = [RMEET_CLIENT_ID, RMEET_CLIENT_SECRET].map(encodeURIComponent).join(':');
  const response = await fetch(`${RMEET_URL}/api/oauth2/token`, {
    method: 'POST',
    headers: { authorization: `Basic ${btoa(credentials)}` },
    body: new URLSearchParams({
      grant_type: 'client_credentials',
      ...(RMEET_SUBJECT ? { subject: RMEET_SUBJECT } : {}),
    }),
  });
  const answer = await response.json();
  if (!response.ok) throw new Error(`${answer.error}: ${answer.error_description}`);
  return answer.access_token;
}

/** Calls Rmeet and returns `data` of the envelope. */
async function call(token, method, path, body) {
  const response = await fetch(`${RMEET_URL}/api/api/v1${path}`, {
    method,
    headers: { authorization: `Bearer ${token}`, ...(body ? { 'content-type': 'application/json' } : {}) },
    body: body ? JSON.stringify(body) : undefined,
  });
  const { status, data, statusCode, message } = await response.json();
  if (!status) throw new Error(`${statusCode}: ${message}`);
  return data;
}

const token = await getToken();

// 2. A meeting in an hour.
const meeting = await call(token, 'POST', '/meetings/network', {
  subject: 'Ward round (JavaScript)',
  startTime: new Date(Date.now() + 3_600_000).toISOString(),
  duration: 30,
  waitingRoom: true,
});
console.log(`Booked ${meeting.numericId}`);

// 3. The meetings from now on.
const { records } = await call(token, 'GET', `/meetings/list?from=${new Date().toISOString()}`);
for (const { startTime, subject } of records) console.log(startTime, subject);
