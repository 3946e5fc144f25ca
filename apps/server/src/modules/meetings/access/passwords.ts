import { createHash, timingSafeEqual } from 'node:crypto';
import type { SecretBox } from '../../../platform/secrets/index.ts';
import type { MeetingRow } from '../tables.ts';

type Sealed = Pick<MeetingRow, 'id' | 'tenantId' | 'passwordSealed'>;

const bindingOf = (tenantId: string, id: string) => `meeting-password:${tenantId}:${id}`;

/** Sealed for this one meeting of this tenant; null for no password. */
export function sealPassword(secrets: SecretBox, tenantId: string, id: string, password: string): string | null {
  return password === '' ? null : secrets.seal(password, bindingOf(tenantId, id));
}

/** The password members see; empty when there is none. */
export function passwordOf(secrets: SecretBox, meeting: Sealed): string {
  return meeting.passwordSealed === null
    ? ''
    : secrets.open(meeting.passwordSealed, bindingOf(meeting.tenantId, meeting.id));
}

const digest = (text: string) => createHash('sha256').update(text).digest();

/** Compares in constant time. */
export function isPassword(secrets: SecretBox, meeting: Sealed, tried: string): boolean {
  return timingSafeEqual(digest(passwordOf(secrets, meeting)), digest(tried));
}
