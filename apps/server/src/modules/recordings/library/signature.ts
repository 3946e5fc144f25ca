import { timingSafeEqual } from 'node:crypto';
import { PLAYBACK_SECONDS } from '@rmeet/contract';
import type { SecretBox } from '../../../platform/secrets/index.ts';

const PURPOSE = 'recording-media';

/** Whom media addresses are signed for: an account, or one viewer of a link. */
export interface Viewer {
  kind: 'user' | 'view';
  id: string;
}

/** A valid signature. */
export interface Signed {
  viewer: Viewer;
  expiresAt: Date;
}

/** Signs the media addresses of a recording for one viewer, and checks them. */
export interface Signatures {
  /** Works for PLAYBACK_SECONDS. */
  sign(recordingId: string, viewer: Viewer): { sign: string; expiresAt: Date };
  /** Undefined if it is forged, for another recording, or expired. */
  check(recordingId: string, sign: string): Signed | undefined;
}

const LETTERS = { user: 'u', view: 'v' } as const;
const FORM = /^([uv])([0-9a-f-]{36})\.(\d{10})\.([\w-]{43})$/;

export function createSignatures(secrets: SecretBox, now: () => Date): Signatures {
  const macOf = (recordingId: string, viewer: string, expiry: string): Buffer =>
    secrets.mac(`${recordingId} ${viewer} ${expiry}`, PURPOSE);
  return {
    sign(recordingId, { kind, id }) {
      const expiry = Math.floor(now().getTime() / 1_000) + PLAYBACK_SECONDS;
      const viewer = `${LETTERS[kind]}${id}`;
      const mac = macOf(recordingId, viewer, String(expiry)).toString('base64url');
      return { sign: `${viewer}.${expiry}.${mac}`, expiresAt: new Date(expiry * 1_000) };
    },
    check(recordingId, sign) {
      const [, letter, id, expiry, mac] = FORM.exec(sign) ?? [];
      if (letter === undefined || id === undefined || expiry === undefined || mac === undefined) return undefined;
      const expected = macOf(recordingId, `${letter}${id}`, expiry);
      if (!timingSafeEqual(Buffer.from(mac, 'base64url'), expected)) return undefined;
      const expiresAt = new Date(Number(expiry) * 1_000);
      return expiresAt > now() ? { viewer: { kind: letter === 'u' ? 'user' : 'view', id }, expiresAt } : undefined;
    },
  };
}
