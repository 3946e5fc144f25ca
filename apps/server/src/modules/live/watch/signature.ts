import { timingSafeEqual } from 'node:crypto';
import { WATCH_SECONDS } from '@rmeet/contract';
import type { SecretBox } from '../../../platform/secrets/index.ts';

const PURPOSE = 'broadcast-media';
/** Addresses of a viewer stay the same for so many seconds, so that few signatures have to be checked. */
const STEP = 20;
/** Valid signatures that are remembered. */
const KEPT = 50_000;
const FORM = /^l([0-9a-f-]{36})\.(\d{10})\.([\w-]{43})$/;

/** Signs the media addresses of a broadcast for one viewer, and checks them. */
export interface WatchSignatures {
  /** Works for `seconds` at least, default WATCH_SECONDS. */
  sign(broadcastId: string, viewerId: string, seconds?: number): string;
  /** The viewer; undefined if it is forged, for another broadcast, or expired. */
  check(broadcastId: string, sign: string): string | undefined;
}

export function createWatchSignatures(secrets: SecretBox, now: () => Date): WatchSignatures {
  const macOf = (broadcastId: string, viewerId: string, expiry: string): Buffer =>
    secrets.mac(`${broadcastId} ${viewerId} ${expiry}`, PURPOSE);
  const valid = new Set<string>();
  const isValid = (broadcastId: string, sign: string): boolean => {
    const key = `${broadcastId} ${sign}`;
    if (valid.has(key)) return true;
    const [, viewerId, expiry, mac] = FORM.exec(sign) ?? [];
    if (viewerId === undefined || expiry === undefined || mac === undefined) return false;
    if (!timingSafeEqual(Buffer.from(mac, 'base64url'), macOf(broadcastId, viewerId, expiry))) return false;
    if (valid.size >= KEPT) valid.clear();
    valid.add(key);
    return true;
  };
  return {
    sign(broadcastId, viewerId, seconds = WATCH_SECONDS) {
      const expiry = String(Math.ceil((now().getTime() / 1_000 + seconds) / STEP) * STEP);
      return `l${viewerId}.${expiry}.${macOf(broadcastId, viewerId, expiry).toString('base64url')}`;
    },
    check(broadcastId, sign) {
      const [, viewerId, expiry] = FORM.exec(sign) ?? [];
      if (!isValid(broadcastId, sign) || Number(expiry) * 1_000 <= now().getTime()) return undefined;
      return viewerId;
    },
  };
}
