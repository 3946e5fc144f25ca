import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { SdpError } from '@rmeet/rtp/sdp';
import type { IngestSink } from '@rmeet/rtmp';
import { CodecRefused, readOffer, type WhipOffer } from './offer.ts';
import { WhipSession, type WhipNetwork } from './session.ts';

export interface WhipEndpointOptions {
  /**
   * Decides about a stream; null refuses it. `close` ends an accepted stream. Must not tell a wrong key from one that
   * is in use.
   */
  open(key: string, request: IncomingMessage, close: () => void): Promise<IngestSink | null>;
  /** The path of the endpoint; sessions are below it. */
  path: string;
  network?: WhipNetwork;
  /** Failures of `open` and of the media connection. */
  onError(error: Error): void;
  /** Sessions at once, default 100. */
  sessions?: number;
}

const MOST_BYTES = 65_536;
const MOST_SESSIONS = 100;

/** A refusal with a sentence for the person who set up the encoder. */
class Refusal extends Error {
  readonly status: number;
  constructor(status: number, sentence: string) {
    super(sentence);
    this.status = status;
  }
}

/** The body as text. @throws Refusal if it is too long */
async function readBody(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > MOST_BYTES) throw new Refusal(413, 'The session description is too long.');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString();
}

function expectType(request: IncomingMessage, type: string): void {
  const given = (request.headers['content-type'] ?? '').split(';')[0]!.trim().toLowerCase();
  if (given !== type) throw new Refusal(415, `The content type must be ${type}.`);
}

function keyOf(request: IncomingMessage): string {
  return /^Bearer ([\x21-\x7e]{1,256})$/i.exec(request.headers.authorization ?? '')?.[1] ?? '';
}

/** Reads the offer. @throws Refusal */
function offerOf(sdp: string): WhipOffer {
  try {
    return readOffer(sdp);
  } catch (error) {
    if (error instanceof CodecRefused) throw new Refusal(406, error.message);
    if (error instanceof SdpError) throw new Refusal(400, `The session description is unusable: ${error.message}.`);
    throw error;
  }
}

/** Takes streams of encoders by WHIP (RFC 9725). */
export class WhipEndpoint {
  readonly #options: WhipEndpointOptions;
  readonly #sessions = new Map<string, WhipSession>();
  /** Streams that are being accepted. */
  #opening = 0;
  #isClosed = false;

  constructor(options: WhipEndpointOptions) {
    this.#options = options;
  }

  /** Answers a request to the endpoint's path or one below it. */
  async handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    try {
      await this.#route(request, response);
    } catch (error) {
      if (!(error instanceof Refusal)) this.#options.onError(error as Error);
      const { status, message } = error instanceof Refusal ? error : new Refusal(500, 'The stream cannot be taken.');
      const challenge = status === 401 ? { 'www-authenticate': 'Bearer' } : {};
      if (!response.headersSent)
        response.writeHead(status, { 'content-type': 'text/plain', connection: 'close', ...challenge });
      response.end(message);
    }
  }

  async #route(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const path = (request.url ?? '').split('?')[0]!;
    const { method } = request;
    if (path === this.#options.path) {
      if (method === 'POST') return this.#begin(request, response);
      response.setHeader('allow', 'POST');
      throw new Refusal(405, 'Only POST is accepted here.');
    }
    const id = path.slice(this.#options.path.length + 1);
    const session = this.#sessions.get(id);
    if (!session || !path.startsWith(`${this.#options.path}/`)) throw new Refusal(404, 'There is no such stream.');
    if (method === 'DELETE') {
      session.close();
      response.writeHead(200).end();
    } else if (method === 'PATCH') {
      expectType(request, 'application/trickle-ice-sdpfrag');
      session.connect(await readBody(request));
      response.writeHead(204).end();
    } else {
      response.setHeader('allow', 'DELETE, PATCH');
      throw new Refusal(405, 'Only DELETE and PATCH are accepted here.');
    }
  }

  async #begin(request: IncomingMessage, response: ServerResponse): Promise<void> {
    expectType(request, 'application/sdp');
    const key = keyOf(request);
    if (key === '') throw new Refusal(401, 'The key is refused.');
    if (this.#isClosed || this.#sessions.size + this.#opening >= (this.#options.sessions ?? MOST_SESSIONS))
      throw new Refusal(503, 'No more streams can be taken.');
    this.#opening += 1;
    try {
      const sdp = await readBody(request);
      const { id, session, answer } = await this.#open(key, request, offerOf(sdp));
      const headers = { 'content-type': 'application/sdp', location: `${this.#options.path}/${id}` };
      response.writeHead(201, headers).end(answer, () => session.connect(sdp));
    } finally {
      this.#opening -= 1;
    }
  }

  async #open(
    key: string,
    request: IncomingMessage,
    offer: WhipOffer,
  ): Promise<{ id: string; session: WhipSession; answer: string }> {
    const id = randomUUID();
    let wasEnded = false;
    const sink = await this.#options.open(key, request, () => {
      wasEnded = true;
      this.#sessions.get(id)?.close();
    });
    if (!sink) throw new Refusal(401, 'The key is refused.');
    const onClosed = (reason: Error | null): void => {
      this.#sessions.delete(id);
      sink.onClosed(reason);
    };
    const session = new WhipSession(
      `whip-${id}`,
      { onConfig: (config) => sink.onConfig(config), onFrame: (frame) => sink.onFrame(frame), onClosed },
      this.#options.network,
    );
    this.#sessions.set(id, session);
    try {
      const answer = await session.answer(offer);
      if (wasEnded || this.#isClosed) throw new Refusal(401, 'The key is refused.');
      return { id, session, answer };
    } catch (error) {
      session.close();
      throw wasEnded ? new Refusal(401, 'The key is refused.') : error;
    }
  }

  /** Ends all streams. */
  close(): void {
    this.#isClosed = true;
    for (const session of this.#sessions.values()) session.close();
  }
}
