import { createChallenge } from 'altcha-lib';
import { deriveKey } from 'altcha-lib/algorithms/pbkdf2';
import { randomInt } from 'node:crypto';
import type { contract, Data } from '@rmeet/contract';
import { eq, lt } from 'drizzle-orm';
import svgCaptcha from 'svg-captcha';
import type { PlatformTx } from '../../../platform/db/index.ts';
import { hashToken, newToken } from '../../../platform/secrets/index.ts';
import { PLATFORM_TENANT_ID } from '../tenants/index.ts';
import { captcha } from './tables.ts';

type Captcha = Data<typeof contract.auth.captcha>;

const VALID_FOR = 5 * 60_000;
/**
 * Rounds of PBKDF2 for each counter tried, and the number of counters to try: half a second on a computer, two on a
 * phone.
 */
const COST = 2_000;
const COUNTERS = { least: 400, most: 1_200 };

/**
 * The stored form of an answer; bound to the captcha's id, which is stored hashed, too, so that a reader of the
 * database cannot try out answers.
 */
export function hashAnswer(id: string, answer: string): string {
  return hashToken(`${id} ${answer.trim().toLowerCase()}`);
}

/**
 * A challenge, and the key that a solver of its counter can give: half of it is in the challenge, the other half is
 * not.
 */
async function makeChallenge(): Promise<{ challenge: Captcha['challenge']; answer: string }> {
  let answer = '';
  const { parameters } = await createChallenge({
    algorithm: 'PBKDF2/SHA-256',
    cost: COST,
    counter: randomInt(COUNTERS.least, COUNTERS.most),
    async deriveKey(...given) {
      const derived = await deriveKey(...given);
      answer = Buffer.from(derived.derivedKey).toString('hex');
      return derived;
    },
  });
  const { algorithm, nonce, salt, cost, keyLength, keyPrefix } = parameters;
  return { challenge: { parameters: { algorithm, nonce, salt, cost, keyLength, keyPrefix } }, answer };
}

/**
 * Creates a challenge and stores its answer. The picture is for clients that show one; programs can read it, so it
 * proves nothing.
 */
export async function makeCaptcha(tx: PlatformTx, now: Date): Promise<Captcha> {
  const { challenge, answer } = await makeChallenge();
  const id = newToken();
  await tx.insert(captcha, {
    id: hashToken(id),
    tenantId: PLATFORM_TENANT_ID,
    answer: hashAnswer(id, answer),
    expiresAt: new Date(now.getTime() + VALID_FOR),
  });
  const { data } = svgCaptcha.create({ size: 4, noise: 2, color: true, background: '#ffffff' });
  return { captchaId: id, image: `data:image/svg+xml;base64,${Buffer.from(data).toString('base64')}`, challenge };
}

/** Whether the answer is right. The captcha is used up in either case. */
export async function tryCaptcha(tx: PlatformTx, id: string, answer: string, now: Date): Promise<boolean> {
  const [row] = await tx.delete(captcha, eq(captcha.id, hashToken(id)));
  return row !== undefined && row.expiresAt > now && row.answer === hashAnswer(id, answer);
}

export async function dropOldCaptchas(tx: PlatformTx, now: Date): Promise<void> {
  await tx.delete(captcha, lt(captcha.expiresAt, now));
}
