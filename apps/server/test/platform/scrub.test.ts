import { expect, test } from 'vitest';
import { scrub } from '../../src/platform/log/scrub.ts';

test.each([
  ['an account in an address', 'connect to postgres://rmeet:hunter22@db.example.org/rmeet', 'hunter22'],
  ['a bearer token', 'authorization: Bearer abc.def-ghi', 'abc.def-ghi'],
  ['a password in a message', 'login failed with password=hunter22', 'hunter22'],
  ['a secret in JSON', '{"clientSecret":"hunter22"}', 'hunter22'],
  ['a secret in JSON within JSON', String.raw`{"body":"{\"apiKey\":\"hunter22\"}"}`, 'hunter22'],
  ['a JSON Web Token', 'got eyJhbGciOi.eyJzdWIiOi.c2lnbmF0', 'eyJzdWIiOi'],
  ['a hash of a password', '$argon2id$v=19$m=1,t=1,p=1$c2FsdA$aGFzaA', 'c2FsdA'],
  ['a key of an API client', 'rms_9f8e7d6c5b4a', '9f8e7d6c5b4a'],
  ['a private key', '-----BEGIN PRIVATE KEY-----\nMIIE\n-----END PRIVATE KEY-----', 'MIIE'],
  ['a cut private key', '-----BEGIN EC PRIVATE KEY-----\\nMIIE', 'MIIE'],
  ['a mail address', 'mail to chair@example.org failed', 'chair@'],
  ['a mobile number', 'sent to 138 0013 8000', '0013'],
  ['an international number', 'sent to +44 20 7183 8750', '7183'],
  ['a fixed number', 'call 010-62345678', '62345678'],
  ['a code in a message', 'code: 482913', '482913'],
  ['random hexadecimal', 'key 9f86d081884c7d659a2feaa0c55ad015', '9f86d081884c'],
  ['random base64', 'q83vEjRWeJq83vEjRWeJq83vEjRWeJq83vEjRWeJ/+=', 'EjRWeJ'],
])('%s is hidden', (_, text, secret) => {
  expect(text).toContain(secret);
  expect(scrub(text)).not.toContain(secret);
});

test('known secrets are hidden wherever they stand', () => {
  expect(scrub('xhunterx and hunter', ['hunter'])).toBe('x***x and ***');
});

test.each([
  '{"level":"info","time":"2026-11-20T09:00:00.000Z","meetId":"0198f6a2-7e6d-7c40-9a11-5b1f0e3c2d11"}',
  'GET /api/api/v1/statistics/query 200 in 12 ms',
  'error code ECONNREFUSED at /srv/rmeet/apps/server/src/modules/conferences/engine/reconciler.ts:206:7',
  '"hasMetricsToken": true',
  'meeting 482913057, table conference_command with 1234567 rows',
])('%s is kept', (text) => {
  expect(scrub(text)).toBe(text);
});
