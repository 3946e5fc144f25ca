import { z } from 'zod';
import type { Locale } from '../constants.ts';

/** Every response of the server, success or failure (product document, section 3). */
export interface Envelope<D = unknown> {
  status: boolean;
  /**
   * For a temporary failure `{ seconds }` until the call may be repeated, for TENANT_AMBIGUOUS its `TenantChoice`, for
   * all other failures null.
   */
  data: D;
  /** `OK`, or a code of the error table. */
  statusCode: string;
  /** Empty on success, else a sentence for the user in the requested language. */
  message: string;
  /** The same sentence in every language, on failure, for pages whose language changes while it is on screen. */
  messages?: Record<Locale, string>;
  /** What is wrong with each input field; only with INVALID_INPUT. */
  fields?: Record<string, string>;
  /** What a page needs to describe the failure in its own words; MEETING_EARLY only: `startTime`, ISO 8601. */
  details?: Record<string, string>;
}

/**
 * A page of a list. `total` counts to 10,000, for a keyword in all of a tenant's meetings to 1,000; above that
 * `totalIsLowerBound` is true.
 */
export function page<T extends z.ZodType>(record: T) {
  return z.object({
    records: z.array(record),
    total: z.number().int(),
    current: z.number().int(),
    size: z.number().int(),
    totalIsLowerBound: z.boolean().optional(),
  });
}

export interface Page<T> {
  records: T[];
  total: number;
  current: number;
  size: number;
  totalIsLowerBound?: boolean | undefined;
}

/** Paging part of a list query: `current` starts at 1. */
export const pageQuery = {
  current: z.coerce.number().int().min(1).max(100_000).default(1),
  size: z.coerce.number().int().min(1).max(200).default(20),
};
