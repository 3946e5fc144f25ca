import { z } from 'zod';
import { EMPTY_CONTACT } from '../constants.ts';

/**
 * A phone number or mail address as it is transmitted: base64 of its UTF-8, or `--` for none (product document, section
 * 3).
 */
export function encodeContact(text: string): string {
  return text === '' ? EMPTY_CONTACT : btoa(String.fromCodePoint(...new TextEncoder().encode(text)));
}

/** The text given to encodeContact; empty for `--`, for nothing, and for undecodable input. */
export function decodeContact(wire: string | undefined): string {
  if (wire === undefined || wire === '' || wire === EMPTY_CONTACT) return '';
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(
      Uint8Array.from(atob(wire), (letter) => letter.codePointAt(0) ?? 0),
    );
  } catch {
    return ''; // not base64 of a text
  }
}

/** Digits, spaces, hyphens and a leading plus; 3 to 20 digits (E.164 allows 15, plus extensions). */
export const PHONE_PATTERN = /^\+?(?:[\s-]?\d){3,20}$/;
const phone = z.string().regex(PHONE_PATTERN);

/** A phone number in a request: encoded, decoded when parsed; `--` clears it. */
export const phoneInput = z
  .string()
  .max(200)
  .transform(decodeContact)
  .pipe(z.union([z.literal(''), phone]));
/** A mail address in a request, encoded in the same way. */
export const emailInput = z
  .string()
  .max(400)
  .transform(decodeContact)
  .pipe(z.union([z.literal(''), z.email().max(254)]));
/** A phone number or mail address in an answer. */
export const contact = z.string().describe('base64, or -- for none');
