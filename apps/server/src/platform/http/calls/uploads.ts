import type { Readable } from 'node:stream';
import { UPLOAD_TIMEOUT, type PermissionCode } from '@rmeet/contract';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { awaitFiles } from '../server/body-timeout.ts';
import { AppError } from './app-error.ts';
import { idOfCaller, type UserCaller } from './context.ts';

/** An upload as tus shows it. */
interface UploadState {
  /** Bytes that have arrived. */
  offset: number;
  /** Bytes of the whole file. */
  length: number;
  expiresAt: Date;
}

/** What takes uploads; each throws AppError NOT_FOUND for uploads of others. */
export interface UploadHandlers {
  state(caller: UserCaller, id: string): Promise<UploadState>;
  /** Takes the bytes that follow `offset`, as far as they arrive. @throws AppError UPLOAD_OFFSET */
  receive(caller: UserCaller, id: string, offset: number, body: Readable): Promise<UploadState>;
  remove(caller: UserCaller, id: string): Promise<void>;
}

export interface UploadOptions {
  /** The address of an upload without its id. */
  path: string;
  permission: PermissionCode;
  /** Largest file, bytes. */
  most: number;
}

const VERSION = '1.0.0';
const BYTES = 'application/offset+octet-stream';
const MINUTE = 60_000;
/** Requests per minute of one account: many small files are two requests each. */
const PER_CALLER = 6_000;
const ID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** The account that uploads. @throws AppError UNAUTHORIZED and other codes of sign-in, FORBIDDEN */
async function uploaderOf(
  app: FastifyInstance,
  request: FastifyRequest,
  permission: PermissionCode,
): Promise<UserCaller> {
  const token = (request.headers.authorization ?? '').replace(/^Bearer\s+/i, '').trim();
  if (token === '') throw new AppError('UNAUTHORIZED');
  const caller = await app.rmeet.authenticate(token, 'account');
  if (typeof caller === 'string') throw new AppError(caller);
  if (caller.kind !== 'user' || !caller.permissions.includes(permission)) throw new AppError('FORBIDDEN');
  app.rmeet.connections.signedIn(request.raw.socket, idOfCaller(caller));
  return caller;
}

/** @throws AppError UPLOAD_VERSION */
function mustSpeakTus(request: FastifyRequest): void {
  if (request.headers['tus-resumable'] !== VERSION) throw new AppError('UPLOAD_VERSION');
}

function idOf(request: FastifyRequest): string {
  const { id = '' } = request.params as { id?: string };
  if (!ID.test(id)) throw new AppError('NOT_FOUND');
  return id;
}

function offsetOf(request: FastifyRequest): number {
  const text = request.headers['upload-offset'];
  if (typeof text !== 'string' || !/^\d{1,15}$/.test(text))
    throw new AppError('INVALID_INPUT', {}, { 'upload-offset': 'a number of bytes' });
  return Number(text);
}

function headersOf({ offset, length, expiresAt }: UploadState): Record<string, string> {
  return {
    'upload-offset': String(offset),
    'upload-length': String(length),
    'upload-expires': expiresAt.toUTCString(),
    'cache-control': 'no-store',
  };
}

/**
 * Mounts uploads by tus 1.0.0 (https://tus.io/protocols/resumable-upload): the core protocol, with the extensions
 * expiration and termination. A call of the contract creates them. Failures are answered in the envelope.
 */
export function mountUploads(app: FastifyInstance, options: UploadOptions, handlers: UploadHandlers): void {
  const { path, permission, most } = options;
  const url = `${path}/:id`;
  const calls = app.createRateLimit({
    max: PER_CALLER,
    timeWindow: MINUTE,
    keyGenerator: (request) => `${path} ${request.headers.authorization ?? request.ip}`,
  });

  async function admitted(request: FastifyRequest): Promise<UserCaller> {
    const count = await calls(request);
    if (!count.isAllowed && count.isExceeded) throw new AppError('TOO_MANY_REQUESTS', { seconds: count.ttlInSeconds });
    mustSpeakTus(request);
    return uploaderOf(app, request, permission);
  }

  async function receive(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    try {
      const caller = await admitted(request);
      if (request.headers['content-type'] !== BYTES) throw new AppError('UNSUPPORTED_MEDIA_TYPE');
      awaitFiles(request.raw, UPLOAD_TIMEOUT);
      const state = await handlers.receive(caller, idOf(request), offsetOf(request), request.raw);
      return await reply.code(204).headers(headersOf(state)).send();
    } catch (error) {
      // Browsers do not read an answer before they have sent everything.
      request.raw.resume();
      throw error;
    }
  }

  void app.register((scope, _options, done) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('*', (_request, _body, parsed) => parsed(null));
    scope.addHook('onSend', async (_request, reply) => {
      void reply.header('tus-resumable', VERSION);
    });
    scope.options(url, (_request, reply) =>
      reply
        .code(204)
        .headers({ 'tus-version': VERSION, 'tus-extension': 'expiration,termination', 'tus-max-size': String(most) })
        .send(),
    );
    scope.head(url, async (request, reply) => {
      const state = await handlers.state(await admitted(request), idOf(request));
      return reply.code(200).headers(headersOf(state)).send();
    });
    scope.patch(url, (request, reply) => receive(request, reply));
    scope.delete(url, async (request, reply) => {
      await handlers.remove(await admitted(request), idOf(request));
      return reply.code(204).send();
    });
    done();
  });
}
