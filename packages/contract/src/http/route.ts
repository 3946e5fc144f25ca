import { z } from 'zod';
import type { ApiScope } from '../accounts/api-scopes.ts';
import type { ErrorCode } from '../errors.ts';
import type { FileKind } from '../platform/files.ts';
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

/** How often one key may call a route; above that the response is 429 TOO_MANY_REQUESTS. */
export interface RateLimit {
  /** `address`: the caller's network address; `caller`: the account or terminal. */
  by: 'address' | 'caller';
  max: number;
  seconds: number;
  /**
   * With `by: 'caller'`: the limit per address for all callers together that have neither account nor terminal; default
   * `max`.
   */
  perAddress?: number;
  /**
   * How many calls from one address may fail by the caller's fault (4xx) before all further ones must wait; a short
   * time, since it blocks everybody at that address.
   */
  failures?: { max: number; seconds: number };
}

/** Calls per minute for an office of 500 people behind one address, each calling several times. */
const PER_OFFICE = 3_000;
const officeFailures = { max: 100, seconds: 10 };
/**
 * For calls that a whole office makes at once from one address. It stops floods, especially of wrong attempts; guessing
 * is slowed down where it happens, by account, by meeting and by address.
 */
export const officeLimit: RateLimit = { by: 'address', max: PER_OFFICE, seconds: 60, failures: officeFailures };
/** The same, but signed-in callers are counted by account. */
export const officeLimitByCaller: RateLimit = {
  by: 'caller',
  max: 300,
  seconds: 60,
  perAddress: PER_OFFICE,
  failures: officeFailures,
};

/** The parts of a request that a route reads; each is a zod object schema. */
export interface RouteInput {
  params?: z.ZodType;
  query?: z.ZodType;
  body?: z.ZodType;
}

export interface Multipart {
  /** What a caller that sends files must hold; without it, the module decides before the first file is read. */
  permission?: PermissionCode;
}

/** A file sent with a call, as the handler receives it. */
export interface ReceivedFile {
  /** The sender's file name, sanitised. */
  name: string;
  /** Bytes. */
  size: number;
  /** Its storage key; the file is removed again if the call fails. */
  key: string;
  /** SHA-256 of its content, hexadecimal. */
  sha256: string;
  kind: FileKind;
  /** Its MIME type and pixels, if pages may show it as a picture. */
  picture?: { type: string; width: number; height: number } | undefined;
}

export interface Route<
  I extends RouteInput = RouteInput,
  D extends z.ZodType = z.ZodType,
  C extends readonly Caller[] = readonly Caller[],
> {
  method: Method;
  /** Full path with `:name` parameters. */
  path: string;
  /** Further paths with the same handler. */
  aliases?: readonly string[];
  summary: string;
  callers: C;
  /** What an account must hold in addition to being a declared caller; without it the response is 403 FORBIDDEN. */
  permission?: PermissionCode;
  /** What an API client must hold to call it; without one, it refuses API clients. */
  scope?: ApiScope;
  /** A change that somebody must answer for: each success writes a row to the audit log. */
  audit?: true;
  /**
   * A dangerous act: the session must have proved its password or second factor within the last ten minutes
   * (multiauth.prove), else the response is STEP_UP_REQUIRED.
   */
  stepUp?: true;
  input: I;
  /** Shape of `data` in the envelope. */
  data: D;
  /** Codes specific to this route, in addition to those every route may return. */
  errors: readonly ErrorCode[];
  limit?: RateLimit;
  /** Milliseconds until it is answered, if it waits for something for longer than usual. */
  timeout?: number;
  /** Maximum bytes of the body, if larger than LIMITS.bodyBytes. */
  bodyBytes?: number;
  /**
   * Returns a file, or another address to go to, instead of the envelope. Of a GET, `?ticket=` (downloads.ticket)
   * replaces the header token.
   */
  download?: true;
  /**
   * Takes files: multipart/form-data with one field `meeting`, the body as JSON, and parts `file`. A caller that sends
   * files must hold `permission`, if one is named. JSON alone is the same call without files.
   */
  multipart?: Multipart;
  /** The body may also be application/x-www-form-urlencoded, as the standard demands that defines the call. */
  form?: true;
  /** Valid input and output; shown in the OpenAPI document and used by the tests. */
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

/** What a handler receives: every part parsed. */
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
