import { timingSafeEqual } from 'node:crypto';
import { MEETING_FILE_LIMITS } from '@rmeet/contract';
import type { SecretBox } from '../../platform/secrets/index.ts';

const PURPOSE = 'meeting-file-preview';
const FORM = /^([0-9a-f-]{36})\.([0-9a-f-]{36})\.(\d{10})\.([\w-]{43})$/;

/** Signs the address of a preview for one account, and checks it. */
export interface PreviewSignatures {
  /** Works for MEETING_FILE_LIMITS.previewSeconds. */
  sign(versionId: string, userId: string): string;
  /** Undefined if it is forged or expired. */
  check(sign: string): { versionId: string; userId: string } | undefined;
}

export function createSignatures(secrets: SecretBox, now: () => Date): PreviewSignatures {
  const macOf = (signed: string): string => secrets.mac(signed, PURPOSE).toString('base64url');
  return {
    sign(versionId, userId) {
      const expiry = Math.floor(now().getTime() / 1_000) + MEETING_FILE_LIMITS.previewSeconds;
      const signed = `${versionId}.${userId}.${expiry}`;
      return `${signed}.${macOf(signed)}`;
    },
    check(sign) {
      const [, versionId, userId, expiry, mac] = FORM.exec(sign) ?? [];
      if (versionId === undefined || userId === undefined || mac === undefined) return undefined;
      // As text: two last characters of base64url can stand for the same bytes.
      const right = Buffer.from(macOf(`${versionId}.${userId}.${expiry}`));
      if (!timingSafeEqual(Buffer.from(mac), right)) return undefined;
      return Number(expiry) * 1_000 > now().getTime() ? { versionId, userId } : undefined;
    },
  };
}
