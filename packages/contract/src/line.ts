import { z } from 'zod';

/** Characters that end lines or move the cursor: Unicode's control characters, line and paragraph separators. */
const BREAKS = /[\p{Cc}\p{Zl}\p{Zp}]+/gu;

/**
 * Text of one line in a request: names, subjects. Characters that would break the line become a space; leading and
 * trailing spaces are removed.
 */
export const line = (): z.ZodString =>
  z
    .string()
    .overwrite((text) => text.replaceAll(BREAKS, ' '))
    .trim();
