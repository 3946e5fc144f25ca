// Verifies the signature of a webhook (Standard Webhooks), with Node.
import { createHmac, timingSafeEqual } from 'node:crypto';
import { text } from 'node:stream/consumers';

/** How old a request may be, in seconds: an older one may be a copy that someone sends again. */
const TOLERANCE = 300;

function isSigned(secret, { id, timestamp, signature }, body) {
  if (Math.abs(Date.now() / 1_000 - Number(timestamp)) > TOLERANCE) return false;
  const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64');
  const right = createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest();
  // While a secret changes there are two signatures; one has to be right.
  return signature.split(' ').some((one) => {
    const [version, value = ''] = one.split(',');
    const given = Buffer.from(value, 'base64');
    return version === 'v1' && given.length === right.length && timingSafeEqual(given, right);
  });
}

const { RMEET_WEBHOOK_SECRET, WEBHOOK_ID, WEBHOOK_TIMESTAMP, WEBHOOK_SIGNATURE } = process.env;
const headers = { id: WEBHOOK_ID, timestamp: WEBHOOK_TIMESTAMP, signature: WEBHOOK_SIGNATURE };
// The body as it came: parsed and written again, it might not be the same.
const isRight = isSigned(RMEET_WEBHOOK_SECRET, headers, await text(process.stdin));
console.log(isRight ? 'signed by Rmeet' : 'NOT signed by Rmeet');
process.exitCode = isRight ? 0 : 1;
