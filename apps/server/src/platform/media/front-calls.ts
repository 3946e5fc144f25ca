import { buffer } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Log } from '../log/log.ts';
import { NOT_ADMITTED, type Admission } from './front-admission.ts';
import { bodyOf, forward, forwardedHeaders, isRefused, targetOf, VALIDATION, type Target } from './forward.ts';
import type { MediaProcess, MediaProcesses } from './processes.ts';
import { roomOfCall, roomOfConnection, type Destination } from './room-of.ts';

const RESPONSE_TIMEOUT = 2_000;

interface Reply {
  status: number;
  type: string;
  body: Buffer;
}

/** Forwards HTTP calls to the process that hosts the room. */
export class FrontCalls {
  readonly #processes: MediaProcesses;
  readonly #admission: Admission;
  readonly #apiSecret: string;
  readonly #log: Log;

  constructor(processes: MediaProcesses, admission: Admission, apiSecret: string, log: Log) {
    this.#processes = processes;
    this.#admission = admission;
    this.#apiSecret = apiSecret;
    this.#log = log;
  }

  /** False if the request is not for the engine. `isOwn` for calls of this process. */
  request(incoming: IncomingMessage, response: ServerResponse, isOwn = false): boolean {
    const target = targetOf(incoming, isOwn);
    if (!target) return false;
    this.#answer(target, incoming, response).catch((error: unknown) => {
      this.#log.debug({ error }, 'The media engine does not respond');
      if (response.headersSent) response.destroy();
      else response.writeHead(503, { 'content-type': 'text/plain' }).end('media unavailable');
    });
    return true;
  }

  async #answer(target: Target, incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await bodyOf(incoming);
    if (!body) {
      response.writeHead(413, { 'content-type': 'text/plain', connection: 'close' }).end('too large');
      return;
    }
    const { method } = target;
    const isJson = !(incoming.headers['content-type'] ?? '').startsWith('application/protobuf');
    if (method === 'ListRooms' && this.#processes.count > 1) {
      sendRooms(response, await this.#listAll(target, incoming, body), isJson);
      return;
    }
    const { authorization } = incoming.headers;
    const entrance = roomOfConnection(target.query, authorization, this.#apiSecret, false);
    if (VALIDATION.has(target.path) && !(await this.#admission.isAdmitted(entrance))) {
      response.writeHead(401, { 'content-type': 'text/plain', 'access-control-allow-origin': '*' }).end(NOT_ADMITTED);
      return;
    }
    const destination =
      method === undefined ? entrance : roomOfCall(method, authorization, isJson, body, this.#apiSecret);
    const reply = await this.#ask(destination, target, incoming, body);
    if (method === 'DeleteRoom' && reply.statusCode === 200 && destination.room !== undefined)
      this.#processes.forget(destination.room);
    response.writeHead(reply.statusCode ?? 502, forwardedHeaders(reply.headers));
    await pipeline(reply, response);
  }

  /** The response of the process that has the room, or of the next one if that is away. */
  async #ask(
    { room, mayPlace }: Destination,
    target: Target,
    incoming: IncomingMessage,
    body: Buffer,
  ): Promise<IncomingMessage> {
    for (let left = this.#processes.count; ; left -= 1) {
      const process = await this.#processes.locate(room, mayPlace);
      if (!process) throw new Error('no media process can take the call');
      try {
        return await forward(process, target, incoming, body);
      } catch (error) {
        if (!isRefused(error) || left <= 1) throw error;
        this.#processes.isAway(process);
      }
    }
  }

  /** The responses of all processes that can be reached. */
  async #listAll(target: Target, incoming: IncomingMessage, body: Buffer): Promise<Reply[]> {
    const ask = async (process: MediaProcess): Promise<Reply | undefined> => {
      try {
        const reply = await forward(process, target, incoming, body, AbortSignal.timeout(RESPONSE_TIMEOUT));
        return {
          status: reply.statusCode ?? 502,
          type: reply.headers['content-type'] ?? '',
          body: await buffer(reply),
        };
      } catch (error) {
        this.#log.debug({ error, process: process.index }, 'A media process does not respond');
        if (isRefused(error)) this.#processes.isAway(process);
        return undefined;
      }
    };
    const replies = await Promise.all((await this.#processes.answering()).map(ask));
    return replies.filter((reply) => reply !== undefined);
  }
}

/** Sends the rooms of all processes as one list. If one process rejects the call, its response is sent instead. */
function sendRooms(response: ServerResponse, replies: readonly Reply[], isJson: boolean): void {
  const first = replies.find(({ status }) => status !== 200) ?? replies[0];
  if (!first) throw new Error('no media process responds');
  response.writeHead(first.status, { 'content-type': first.type });
  if (first.status !== 200) response.end(first.body);
  else if (isJson) {
    const rooms = replies.flatMap(({ body }) => (JSON.parse(body.toString()) as { rooms?: unknown[] }).rooms ?? []);
    response.end(JSON.stringify({ rooms }));
  }
  // Concatenated messages are one message with all their repeated fields (protobuf encoding, "Last One Wins").
  else response.end(Buffer.concat(replies.map(({ body }) => body)));
}
