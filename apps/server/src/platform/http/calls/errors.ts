import { errorEntry, errorMessage, localeOfTags, type Envelope, type ErrorCode, type Locale } from '@rmeet/contract';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { DatabaseDamaged, NestedTransaction, sqlError } from '../../db/index.ts';
import { isDiskFull } from '../../durable/index.ts';
import { StorageUnavailable } from '../../storage/index.ts';
import { AppError } from './app-error.ts';

/** Fastify's and Node's own errors as codes of the contract. */
const FRAMEWORK_CODES: Record<string, ErrorCode> = {
  FST_ERR_CTP_BODY_TOO_LARGE: 'BODY_TOO_LARGE',
  FST_ERR_CTP_INVALID_MEDIA_TYPE: 'UNSUPPORTED_MEDIA_TYPE',
  FST_ERR_CTP_EMPTY_JSON_BODY: 'MALFORMED_BODY',
  FST_ERR_CTP_INVALID_JSON_BODY: 'MALFORMED_BODY',
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: 'MALFORMED_BODY',
  FST_ERR_BAD_URL: 'NOT_FOUND',
  FST_ERR_MAX_PARAM_LENGTH: 'NOT_FOUND',
  FST_ERR_ASYNC_CONSTRAINT: 'NOT_FOUND',
};

/** Errors that Fastify and its plugins mark only with a 4xx status: a truncated body, a forbidden file. */
function codeOfStatus(status: number): ErrorCode | undefined {
  if (status < 400 || status > 499) return undefined;
  return status === 403 || status === 404 ? 'NOT_FOUND' : 'MALFORMED_BODY';
}

/** PostgreSQL's SQLSTATE, by class or code, as a code of the contract (manual, appendix A). */
function codeOfSqlState(state: string): ErrorCode | undefined {
  if (state.startsWith('22')) return 'INVALID_INPUT'; // a value the column cannot store
  if (['40001', '40P01', '55P03', '57014'].includes(state)) return 'SERVICE_BUSY'; // gave way to another transaction
  if (state === '53100') return 'DISK_FULL';
  // the database is unavailable or overloaded
  if (state.startsWith('08') || state.startsWith('57P') || state.startsWith('53')) return 'SERVICE_BUSY';
  return undefined;
}

/** The AppError that represents a failure to the caller. */
export function toAppError(error: unknown, requestId: string): AppError {
  if (error instanceof AppError)
    return error.code === 'SERVER_ERROR' ? new AppError('SERVER_ERROR', { requestId }) : error;
  if (error instanceof DatabaseDamaged) return new AppError('DATABASE_DAMAGED');
  if (!(error instanceof NestedTransaction)) {
    const { code, statusCode } = error as { code?: unknown; statusCode?: unknown };
    const framework = typeof code === 'string' ? FRAMEWORK_CODES[code] : undefined;
    if (framework) return new AppError(framework);
    const byStatus = typeof statusCode === 'number' ? codeOfStatus(statusCode) : undefined;
    if (byStatus) return new AppError(byStatus);
    if (isDiskFull(error)) return new AppError('DISK_FULL');
    if (error instanceof StorageUnavailable) return new AppError('SERVICE_BUSY');
    const state = sqlError(error)?.code;
    const known = state === undefined ? undefined : codeOfSqlState(state);
    if (known) return new AppError(known);
  }
  return new AppError('SERVER_ERROR', { requestId });
}

/** A busy server always gives a time for the retry, even if that is only a guess. */
const BUSY_SECONDS = 3;

/** Seconds after which the same call may succeed; undefined if waiting does not help. */
function secondsToWait({ code, params }: AppError): number | undefined {
  if (typeof params['seconds'] === 'number') return params['seconds'];
  return code === 'SERVICE_BUSY' ? BUSY_SECONDS : undefined;
}

/** The envelope of a failure. */
export function failure(error: AppError, locale: Locale): Envelope<Record<string, unknown> | null> {
  const seconds = secondsToWait(error);
  const messages = {
    zh: errorMessage(error.code, 'zh', error.params),
    en: errorMessage(error.code, 'en', error.params),
  };
  return {
    status: false,
    data: error.data ?? (seconds === undefined ? null : { seconds }),
    statusCode: error.code,
    message: messages[locale],
    messages,
    ...(error.fields ? { fields: error.fields } : {}),
    ...(error.details ? { details: error.details } : {}),
  };
}

/** The caller's language: the first supported one of Accept-Language. */
export function localeOf(request: Pick<FastifyRequest, 'headers'>): Locale {
  return localeOfTags((request.headers['accept-language'] ?? '').slice(0, 200).split(','));
}

/** What API clients are told about their access token (RFC 6750, section 3). */
function challengeOf({ code, params }: AppError): string | undefined {
  if (code === 'API_TOKEN_INVALID') return 'Bearer realm="Rmeet", error="invalid_token"';
  return code === 'SCOPE_MISSING'
    ? `Bearer realm="Rmeet", error="insufficient_scope", scope="${params['scope'] ?? ''}"`
    : undefined;
}

/** Sends the envelope of a failure, and logs it if the server is at fault. */
export function sendFailure(request: FastifyRequest, reply: FastifyReply, cause: unknown): FastifyReply {
  const error = toAppError(cause, request.id);
  const { httpStatus } = errorEntry(error.code);
  if (error.code === 'SERVER_ERROR') request.log.error({ error: cause }, 'A request failed');
  else if (sqlError(cause)) request.log.info({ error: cause, statusCode: error.code }, 'A request was refused');
  // Errors that any caller can cause by the input need no stack.
  else if (!(cause instanceof AppError))
    request.log.info(
      { reason: (cause as { code?: unknown }).code ?? (cause as Error).name, statusCode: error.code },
      'A request was refused',
    );
  const challenge = challengeOf(error);
  if (challenge !== undefined) void reply.header('www-authenticate', challenge);
  const seconds = secondsToWait(error);
  if (seconds !== undefined && (httpStatus === 429 || httpStatus === 503)) void reply.header('retry-after', seconds);
  return reply
    .code(httpStatus)
    .headers({ 'content-type': 'application/json; charset=utf-8', 'cache-control': 'no-store' })
    .send(failure(error, localeOf(request)));
}
