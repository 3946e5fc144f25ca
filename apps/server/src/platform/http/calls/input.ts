import { errorMessage, type Locale, type Route } from '@rmeet/contract';
import type { z } from 'zod';
import { AppError } from './app-error.ts';

interface RawInput {
  params: unknown;
  query: unknown;
  body: unknown;
}

/** Whether any text in the value cannot be stored: PostgreSQL rejects U+0000 and, in JSON, unpaired surrogates. */
function hasUnstorableText(value: unknown): boolean {
  const open: unknown[] = [value];
  // Not recursive: 256 KiB of "[" would overflow the stack.
  for (let item = open.pop(); open.length > 0 || item !== undefined; item = open.pop()) {
    if (typeof item === 'string' && (item.includes('\0') || !item.isWellFormed())) return true;
    if (typeof item === 'object' && item !== null) {
      for (const [key, inner] of Object.entries(item)) {
        if (key.includes('\0') || !key.isWellFormed()) return true;
        if (inner !== undefined) open.push(inner);
      }
    }
  }
  return false;
}

const parts = ['params', 'query', 'body'] as const;

/**
 * The input a route declares, parsed. Undeclared fields are dropped, so that an older server accepts a newer client's
 * calls.
 *
 * @throws AppError INVALID_INPUT, with what is wrong per field; NOT_FOUND if a path parameter has the wrong format,
 * since no such object can exist
 */
export function parseInput(route: Route, raw: RawInput, locale: Locale): Record<string, unknown> {
  const parsed: Record<string, unknown> = {};
  const fields: Record<string, string> = {};
  for (const part of parts) {
    const schema: z.ZodType | undefined = route.input[part];
    if (!schema) continue;
    const given = raw[part] ?? (part === 'body' ? undefined : {});
    const result = schema.safeParse(given);
    if (result.success && !hasUnstorableText(given)) {
      parsed[part] = result.data;
      continue;
    }
    if (part === 'params') throw new AppError('NOT_FOUND');
    for (const issue of result.error?.issues ?? []) fields[issue.path.join('.') || part] ??= issue.message;
    if (result.success) fields[part] = errorMessage('INVALID_INPUT', locale);
  }
  if (Object.keys(fields).length > 0) throw new AppError('INVALID_INPUT', {}, fields);
  return parsed;
}
