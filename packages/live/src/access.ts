import { createHmac, timingSafeEqual } from 'node:crypto';

/** Seconds: it is used at once. */
const LIFETIME = 60;
const FORM = /^(\d{10})\.([\w-]{43})$/;

function macOf(secret: string, recordingId: string, expiry: string): Buffer {
  return createHmac('sha256', secret).update(`rmeet live origin ${recordingId} ${expiry}`).digest();
}

/** What a relay shows an origin to get one recording. Both know the secret. */
export function signAccess(secret: string, recordingId: string, now: Date): string {
  const expiry = String(Math.floor(now.getTime() / 1_000) + LIFETIME);
  return `${expiry}.${macOf(secret, recordingId, expiry).toString('base64url')}`;
}

export function mayAccess(secret: string, recordingId: string, token: string, now: Date): boolean {
  const [, expiry, mac] = FORM.exec(token) ?? [];
  if (expiry === undefined || mac === undefined || Number(expiry) * 1_000 <= now.getTime()) return false;
  return timingSafeEqual(Buffer.from(mac, 'base64url'), macOf(secret, recordingId, expiry));
}
