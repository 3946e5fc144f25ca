import { eq, lt } from 'drizzle-orm';
import svgCaptcha from 'svg-captcha';
import type { PlatformTx } from '../../platform/db/index.ts';
import { hashToken, newToken } from '../../platform/secrets/index.ts';
import { PLATFORM_TENANT_ID } from '../tenants/index.ts';
import { captcha } from './tables.ts';

const VALID_FOR = 5 * 60_000;

/** What is stored of an answer; bound to the picture's id, which is stored hashed too, so that a reader of the database cannot try answers out. */
export function hashAnswer(id: string, answer: string): string {
  return hashToken(`${id} ${answer.trim().toLowerCase()}`);
}

/** Makes a picture and remembers its characters; look-alikes are left out. */
export async function makeCaptcha(tx: PlatformTx, now: Date): Promise<{ captchaId: string; image: string }> {
  const { text, data } = svgCaptcha.create({ size: 4, noise: 2, color: true, background: '#ffffff', ignoreChars: '0oOQ1iIlLsS5zZ2' });
  const id = newToken();
  await tx.insert(captcha, { id: hashToken(id), tenantId: PLATFORM_TENANT_ID, answer: hashAnswer(id, text), expiresAt: new Date(now.getTime() + VALID_FOR) });
  return { captchaId: id, image: `data:image/svg+xml;base64,${Buffer.from(data).toString('base64')}` };
}

/** Whether the characters are right. Right or wrong, the picture is used up. */
export async function tryCaptcha(tx: PlatformTx, id: string, answer: string, now: Date): Promise<boolean> {
  const [row] = await tx.delete(captcha, eq(captcha.id, hashToken(id)));
  return row !== undefined && row.expiresAt > now && row.answer === hashAnswer(id, answer);
}

export async function dropOldCaptchas(tx: PlatformTx, now: Date): Promise<void> {
  await tx.delete(captcha, lt(captcha.expiresAt, now));
}
