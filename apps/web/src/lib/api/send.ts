import { REQUEST_TIMEOUT, UPLOAD_TIMEOUT, type Envelope, type Send } from '@rmeet/contract';
import { ApiError } from './error.ts';

export interface SendOptions {
  /** The token shown in the `authorization` header; none is sent without it. */
  token: () => string | null;
  /** Language of the server's sentences, for `accept-language`. */
  language: () => string;
  /** Called for every 401, with the refused token. */
  onUnauthorized?: (error: ApiError, token: string) => void;
  /** Milliseconds; calls that bring files have longer without. */
  timeout?: number;
  /**
   * True once the session has ended and its page is about to go: nothing is sent any more, and calls fail like ones
   * without a session.
   */
  isOver?: () => boolean;
  /** Aborts the call; it then fails like one without a response. */
  signal?: AbortSignal;
  fetch?: typeof fetch;
}

/**
 * Carries calls to the server: resolves with `data` of the envelope, throws {@link ApiError} for all else.
 * No answer in time counts as status 408, none at all as status 0.
 */
export function createSend({
  token,
  language,
  onUnauthorized,
  isOver,
  timeout,
  signal,
  fetch = globalThis.fetch,
}: SendOptions): Send {
  return async (method, path, body) => {
    if (isOver?.() === true) throw new ApiError(401, 'UNAUTHORIZED');
    const shown = token();
    const init = {
      method,
      headers: headersOf(shown, language(), body),
      credentials: 'include' as const,
      cache: 'no-store' as const,
      signal: anyOf([
        AbortSignal.timeout(timeout ?? (body instanceof FormData ? UPLOAD_TIMEOUT : REQUEST_TIMEOUT)),
        ...(signal ? [signal] : []),
      ]),
      ...(body === undefined ? {} : { body: body instanceof FormData ? body : JSON.stringify(body) }),
    };
    const { status, envelope } = await call(fetch, path, init);
    if (status === 200 && envelope.statusCode === 'OK') return envelope.data;
    const error = ApiError.of(status, envelope);
    if (status === 401 && shown !== null) onUnauthorized?.(error, shown);
    throw error;
  };
}

function headersOf(token: string | null, language: string, body: unknown): Record<string, string> {
  return {
    accept: 'application/json',
    'accept-language': language,
    ...(token === null ? {} : { authorization: token }),
    // The browser adds the boundary of a form itself.
    ...(body === undefined || body instanceof FormData ? {} : { 'content-type': 'application/json' }),
  };
}

async function call(
  fetch: typeof globalThis.fetch,
  path: string,
  init: RequestInit,
): Promise<{ status: number; envelope: Partial<Envelope> }> {
  try {
    const response = await fetch(path, init);
    return { status: response.status, envelope: await readEnvelope(response) };
  } catch (error) {
    throw isTimeout(error) ? new ApiError(408, 'REQUEST_TIMEOUT') : new ApiError(0, 'UNREACHABLE', String(error));
  }
}

/** Aborts with the first of these that does, for its reason. (AbortSignal.any is younger than the lowest browsers.) */
function anyOf(signals: readonly AbortSignal[]): AbortSignal {
  const either = new AbortController();
  for (const signal of signals) {
    if (signal.aborted) either.abort(signal.reason);
    // What lives longer than the call forgets it with the first of them.
    else signal.addEventListener('abort', () => either.abort(signal.reason), { once: true, signal: either.signal });
  }
  return either.signal;
}

/** The body as an envelope; an answer of another kind (a proxy's error page) is an empty one. */
async function readEnvelope(response: Response): Promise<Partial<Envelope>> {
  const isJson = response.headers.get('content-type')?.includes('json') ?? false;
  return isJson ? ((await response.json()) as Partial<Envelope>) : {};
}

function isTimeout(error: unknown): boolean {
  return error instanceof DOMException && error.name === 'TimeoutError';
}
