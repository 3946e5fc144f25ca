import { REQUEST_TIMEOUT, UPLOAD_TIMEOUT, type Envelope, type Send } from '@rmeet/contract';
import { ApiError, isApiError } from './error.ts';

export interface SendOptions {
  /** The token for the `authorization` header; if null, the header is omitted. */
  token: () => string | null;
  /** Language of the server's messages, for `accept-language`. */
  language: () => string;
  /** Called for every 401, with the rejected token. */
  onUnauthorized?: (error: ApiError, token: string) => void;
  /** The call needs a proof of who the user is (STEP_UP_REQUIRED); it is repeated once if this resolves with true. */
  onStepUp?: () => Promise<boolean>;
  /** Milliseconds; if missing, uploads get more time than other calls. */
  timeout?: number;
  /**
   * True once the session has ended and the page is about to be left: nothing is sent any more, and calls fail as
   * without a session.
   */
  isOver?: () => boolean;
  /** Aborts the call; it then fails as if there were no response. */
  signal?: AbortSignal;
  fetch?: typeof fetch;
}

/**
 * Sends calls to the server: resolves with `data` of the envelope, otherwise throws {@link ApiError}. A timeout counts
 * as status 408, no response as status 0.
 */
export function createSend({
  token,
  language,
  onUnauthorized,
  onStepUp,
  isOver,
  timeout,
  signal,
  fetch = globalThis.fetch,
}: SendOptions): Send {
  const sendOnce: Send = async (method, path, body) => {
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
  return async (method, path, body) => {
    try {
      return await sendOnce(method, path, body);
    } catch (error) {
      if (!isApiError(error, 'STEP_UP_REQUIRED') || !(await onStepUp?.())) throw error;
      return sendOnce(method, path, body);
    }
  };
}

function headersOf(token: string | null, language: string, body: unknown): Record<string, string> {
  return {
    accept: 'application/json',
    'accept-language': language,
    ...(token === null ? {} : { authorization: token }),
    // The browser itself adds the boundary of a form.
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

/**
 * Aborts with the first of these signals, for the same reason. (The oldest supported browsers lack AbortSignal.any.)
 */
function anyOf(signals: readonly AbortSignal[]): AbortSignal {
  const either = new AbortController();
  for (const signal of signals) {
    if (signal.aborted) either.abort(signal.reason);
    // The listener is removed from long-lived signals as soon as one has aborted.
    else signal.addEventListener('abort', () => either.abort(signal.reason), { once: true, signal: either.signal });
  }
  return either.signal;
}

/** The body as an envelope; a response of another kind (a proxy's error page) is an empty envelope. */
async function readEnvelope(response: Response): Promise<Partial<Envelope>> {
  const isJson = response.headers.get('content-type')?.includes('json') ?? false;
  return isJson ? ((await response.json()) as Partial<Envelope>) : {};
}

function isTimeout(error: unknown): boolean {
  return error instanceof DOMException && error.name === 'TimeoutError';
}
