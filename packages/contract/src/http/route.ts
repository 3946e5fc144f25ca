import { z } from 'zod';
import type { ErrorCode } from '../errors.ts';
import type { PermissionCode } from '../accounts/permissions-catalogue.ts';

/**
 * Who may call a route. The server refuses everyone else before the handler runs.
 *
 * - `anyone`: no token needed; a token that is sent is ignored.
 * - `user`: a signed-in account of a tenant (its own rows are checked by the module's policy).
 * - `operator`: a signed-in account of the platform's staff, superAdmin included.
 * - `terminal`: the holder of a conference `sessionToken`, guests included, for its own conference only.
 * - `desk`: the holder of a `deskToken`, which a signed link to the control desk or the status wall gives, for its
 *   meeting only.
 */
export type Caller = 'anyone' | 'user' | 'operator' | 'terminal' | 'desk';

export type Method = 'GET' | 'POST' | 'PUT' | 'DELETE';

/** How often one key may call a route; past it the answer is 429 TOO_MANY_REQUESTS. */
export interface RateLimit {
  /** `address`: the caller's network address; `caller`: the account or terminal. */
  by: 'address' | 'caller';
  max: number;
  seconds: number;
  /**
   * With `by: 'caller'`: how often all those together who have neither account nor terminal may call from one address;
   * `max` without.
   */
  perAddress?: number;
  /**
   * How often calls from one address may fail by their caller's fault (4xx) before all further ones wait; short, since
   * it holds up everybody there.
   */
  failures?: { max: number; seconds: number };
}

/** Calls a minute that an office of 500 people behind one address may need, each some times. */
const PER_OFFICE = 3_000;
const officeFailures = { max: 100, seconds: 10 };
/**
 * Of calls that a whole office makes at once behind one address. It keeps off floods, of wrong tries above all; guesses
 * are braked where they are made, by account, by meeting and by address.
 */
export const officeLimit: RateLimit = { by: 'address', max: PER_OFFICE, seconds: 60, failures: officeFailures };
/** The same, with those who are signed in counted by account. */
export const officeLimitByCaller: RateLimit = {
  by: 'caller',
  max: 300,
  seconds: 60,
  perAddress: PER_OFFICE,
  failures: officeFailures,
};

/** The parts of a request a route reads; each is a zod object schema. */
export interface RouteInput {
  params?: z.ZodType;
  query?: z.ZodType;
  body?: z.ZodType;
}

export interface Multipart {
  permission: PermissionCode;
}

/** A file that came with a call, as the handler gets it. */
export interface ReceivedFile {
  /** As its sender called it, cleaned. */
  name: string;
  /** Bytes. */
  size: number;
  /** What it is stored under; removed again when the call fails. */
  key: string;
}

export interface Route<
  I extends RouteInput = RouteInput,
  D extends z.ZodType = z.ZodType,
  C extends readonly Caller[] = readonly Caller[],
> {
  method: Method;
  /** Full path with `:name` parameters. */
  path: string;
  /** Further paths that answer the same. */
  aliases?: readonly string[];
  summary: string;
  callers: C;
  /** What an account must hold besides being a declared caller; without it the answer is 403 FORBIDDEN. */
  permission?: PermissionCode;
  /** Changes something that must be answered for: each success leaves a row in the audit log. */
  audit?: true;
  input: I;
  /** Shape of `data` in the envelope. */
  data: D;
  /** Codes this route answers by its own rules, besides the ones every route may answer. */
  errors: readonly ErrorCode[];
  limit?: RateLimit;
  /** Most bytes of the body, where it may be larger than LIMITS.bodyBytes. */
  bodyBytes?: number;
  /**
   * A GET whose answer is a file in place of the envelope: `?ticket=` (downloads.ticket) stands in for the header
   * token.
   */
  download?: true;
  /**
   * Takes files: multipart/form-data of one field `meeting`, the body as JSON, and parts `file`. Whoever sends files
   * must hold
   * `permission`. JSON alone counts as the same without files.
   */
  multipart?: Multipart;
  /** Valid input and output; shown in the OpenAPI document and tried by the tests. */
  example: { params?: unknown; query?: unknown; body?: unknown; data: unknown };
}

/** Declares one route. The type of the call is inferred from its schemas. */
export function route<I extends RouteInput, D extends z.ZodType, const C extends readonly Caller[]>(
  definition: Route<I, D, C> & { download: true },
): Route<I, D, C> & { download: true };
export function route<I extends RouteInput, D extends z.ZodType, const C extends readonly Caller[]>(
  definition: Route<I, D, C> & { multipart: Multipart },
): Route<I, D, C> & { multipart: Multipart };
export function route<I extends RouteInput, D extends z.ZodType, const C extends readonly Caller[]>(
  definition: Route<I, D, C>,
): Route<I, D, C>;
export function route<I extends RouteInput, D extends z.ZodType, const C extends readonly Caller[]>(
  definition: Route<I, D, C>,
): Route<I, D, C> {
  return definition;
}

type Parsed<S> = S extends z.ZodType ? z.output<S> : undefined;
type Given<S> = S extends z.ZodType ? z.input<S> : never;

/** What a handler gets: every part parsed. */
export type Input<R> =
  R extends Route<infer I>
    ? { [K in keyof I]: Parsed<I[K]> } & (R extends { multipart: Multipart }
        ? { files: readonly ReceivedFile[] }
        : unknown)
    : never;

/** What a client passes. */
export type Args<R> =
  R extends Route<infer I>
    ? { [K in keyof I]: Given<I[K]> } & (R extends { multipart: Multipart } ? { files?: readonly File[] } : unknown)
    : never;

/** What a handler returns and a client receives in `data`. */
export type Data<R> = R extends Route<RouteInput, infer D> ? z.output<D> : never;

/** The routes of one domain by name. */
export type Routes = Record<string, Route>;
