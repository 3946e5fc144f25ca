import { errorEntry, errorMessage } from '@rmeet/contract';
import type { FastifyInstance, FastifyReply } from 'fastify';
import { toAppError } from './errors.ts';

/** A form that was sent to an address outside the contract. */
export interface FormPost {
  fields: URLSearchParams;
  /** The header authorization; empty if there is none. */
  authorization: string;
  address: string;
  origin: string;
  requestId: string;
}

/** An answer that is not in the envelope. */
export interface PlainAnswer {
  status: number;
  headers?: Record<string, string>;
  body: object;
}

const FORM = 'application/x-www-form-urlencoded';
const MINUTE = 60_000;
/** Calls per minute from one address. */
const PER_ADDRESS = 600;
const BODY_BYTES = 64 * 1024;

function send(reply: FastifyReply, { status, headers = {}, body }: PlainAnswer): FastifyReply {
  return reply
    .code(status)
    .headers({ 'cache-control': 'no-store', pragma: 'no-cache', ...headers })
    .send(body);
}

/**
 * Mounts a POST for forms that answers as its RFC says: failures are `error` and `error_description` (RFC 6749, section
 * 5.2). At most 600 calls a minute from one address.
 */
export function mountFormPost(
  app: FastifyInstance,
  path: string,
  handle: (post: FormPost) => Promise<PlainAnswer>,
): void {
  const { addresses } = app.rmeet;
  const calls = app.createRateLimit({
    max: PER_ADDRESS,
    timeWindow: MINUTE,
    keyGenerator: ({ ip }) => `${path} ${ip}`,
  });
  void app.register((scope, _options, done) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser(FORM, { parseAs: 'string' }, (_request, body, parsed) =>
      parsed(null, new URLSearchParams(body as string)),
    );
    scope.setErrorHandler((error, request, reply) => {
      const { code, params } = toAppError(error, request.id);
      const { httpStatus } = errorEntry(code);
      if (code === 'SERVER_ERROR') request.log.error({ error }, 'A request failed');
      return send(reply, {
        status: httpStatus,
        body: {
          error: httpStatus >= 500 ? 'server_error' : 'invalid_request',
          error_description: errorMessage(code, 'en', params),
        },
      });
    });
    scope.post(path, { bodyLimit: BODY_BYTES, exposeHeadRoute: false }, async (request, reply) => {
      const count = await calls(request);
      if (!count.isAllowed && count.isExceeded)
        return send(reply, {
          status: 429,
          headers: { 'retry-after': String(count.ttlInSeconds) },
          body: { error: 'invalid_request', error_description: 'Too many requests.' },
        });
      const answer = await handle({
        fields: (request.body as URLSearchParams | undefined) ?? new URLSearchParams(),
        authorization: request.headers.authorization ?? '',
        address: request.ip,
        origin: addresses.originOf(request.raw),
        requestId: request.id,
      });
      return send(reply, answer);
    });
    done();
  });
}
