import { z } from 'zod';

/** What ends lines or moves the cursor: Unicode's control characters, line and paragraph separators. */
const BREAKS = /[\p{Cc}\p{Zl}\p{Zp}]+/gu;

/**
 * Text of one line in a request: names, subjects. What would break the line counts as a space, and none stays at its
 * ends.
 */
export const line = (): z.ZodString =>
  z
    .string()
    .overwrite((text) => text.replaceAll(BREAKS, ' '))
    .trim();
