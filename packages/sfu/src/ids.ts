import { randomBytes } from 'node:crypto';

/** A LiveKit sid: a prefix for the kind (`RM_`, `PA_`, `TR_`) and twelve random letters and digits. */
export function newSid(prefix: string): string {
  const letters = randomBytes(18).toString('base64').replaceAll(/[+/=]/g, '');
  return prefix + letters.slice(0, 12).padEnd(12, '0');
}
