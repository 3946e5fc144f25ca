import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import type { AmfObject, AmfValue } from './amf0.ts';
import type { RtmpMessage } from './chunks.ts';
import { RtmpConnection, TYPE, type RtmpCommand } from './connection.ts';
import { readAudio, readVideo, type MediaConfig, type MediaFrame } from './flv.ts';

/** What an encoder asks for. */
export interface PublishRequest {
  app: string;
  /** The name of the stream without its parameters: the key. */
  stream: string;
  parameters: URLSearchParams;
  /** The encoder's network address. */
  from: string;
}

/** Takes a stream that was accepted. */
export interface IngestSink {
  onConfig(config: MediaConfig): void;
  onFrame(frame: MediaFrame): void;
  /** Media in another codec than H.264 and AAC came; called once for each codec. */
  onUnknown?(codec: string): void;
  /** Called once; `reason` is null if the encoder ended the stream in order. */
  onClosed(reason: Error | null): void;
}

export interface IngestOptions {
  /**
   * Decides about a stream; null refuses it. `close` ends an accepted stream, for example when its key is changed. Must
   * not tell a wrong key from one that is in use.
   */
  accept(request: PublishRequest, close: () => void): Promise<IngestSink | null>;
  /** Failures of `accept`, which refuse the stream. */
  onError(error: Error): void;
  /** Connections at once, default 100. */
  connections?: number;
}

/** Time from connecting to publishing, ms. */
const PUBLISH_TIME = 15_000;
/** An encoder that sends nothing for this long, ms, is gone. */
const SILENCE = 15_000;
/** Bytes of unfinished messages of an accepted stream: no picture of a camera is larger. */
const LARGEST = 8 << 20;
/** Connections at once from one address before they publish; encoders need one. */
const UNKNOWN_PER_ADDRESS = 8;

/** Takes streams of encoders (OBS, ffmpeg, hardware) by RTMP: H.264 and AAC, after `accept` knows the key. */
export class RtmpIngest {
  readonly #options: IngestOptions;
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();
  /** Connections that have not published, by address. */
  readonly #unknown = new Map<string, number>();

  constructor(options: IngestOptions) {
    this.#options = options;
    this.#server = createServer((socket) => this.#open(socket));
    this.#server.maxConnections = options.connections ?? 100;
    // Without room for another connection, those that stand go on.
    this.#server.on('error', (error) => this.#server.listening && options.onError(error));
  }

  /** Listens; resolves with the port. Rejects if the port is taken. */
  listen(port: number, host?: string): Promise<number> {
    return new Promise((resolve, reject) => {
      this.#server.once('error', reject);
      this.#server.listen(port, host, () => {
        this.#server.off('error', reject);
        resolve((this.#server.address() as AddressInfo).port);
      });
    });
  }

  /** Ends all streams and stops listening. */
  async close(): Promise<void> {
    const closed = new Promise((resolve) => this.#server.close(resolve));
    for (const socket of this.#sockets) socket.destroy();
    await closed;
  }

  #open(socket: Socket): void {
    const from = socket.remoteAddress ?? '';
    const unknown = (this.#unknown.get(from) ?? 0) + 1;
    if (unknown > UNKNOWN_PER_ADDRESS) {
      socket.destroy();
      return;
    }
    this.#unknown.set(from, unknown);
    this.#sockets.add(socket);
    let isKnown = false;
    const known = () => {
      if (isKnown) return;
      isKnown = true;
      const left = (this.#unknown.get(from) ?? 1) - 1;
      if (left === 0) this.#unknown.delete(from);
      else this.#unknown.set(from, left);
    };
    socket.once('close', () => {
      this.#sockets.delete(socket);
      known();
    });
    void new IngestSession(socket, from, this.#options, known);
  }
}

/** One encoder's connection. */
class IngestSession {
  readonly #connection: RtmpConnection;
  readonly #options: IngestOptions;
  readonly #from: string;
  readonly #onAccepted: () => void;
  readonly #timer: NodeJS.Timeout;
  readonly #unknown = new Set<string>();
  #app: string | null = null;
  #isAsking = false;
  #sink: IngestSink | null = null;
  #isClosed = false;

  constructor(socket: Socket, from: string, options: IngestOptions, onAccepted: () => void) {
    this.#options = options;
    this.#from = from;
    this.#onAccepted = onAccepted;
    this.#connection = new RtmpConnection(
      socket,
      {
        onReady: () => undefined,
        onCommand: (command) => this.#handle(command),
        onMessage: (message) => this.#media(message),
        onClosed: (reason) => this.#closed(reason),
      },
      false,
    );
    this.#timer = setTimeout(() => this.#connection.fail(new Error('RTMP: nothing is published')), PUBLISH_TIME);
  }

  #closed(reason: Error | null): void {
    this.#isClosed = true;
    clearTimeout(this.#timer);
    this.#sink?.onClosed(reason);
    this.#sink = null;
  }

  #handle({ name, transaction, values, streamId }: RtmpCommand): void {
    switch (name) {
      case 'connect':
        this.#connect(transaction, values[0]);
        return;
      case 'createStream':
        this.#connection.command('_result', transaction, [null, 1]);
        return;
      case 'publish':
        void this.#publish(values[1], streamId);
        return;
      case 'play':
        this.#status('error', 'NetStream.Play.Failed', 'This server takes streams; it does not play them.', streamId);
        this.#connection.end();
        return;
      case 'deleteStream':
      case 'closeStream':
      case 'FCUnpublish':
        this.#connection.end();
        return;
      default:
        // Encoders ask for more than is needed, and some wait for the answer.
        if (transaction > 0) this.#connection.command('_result', transaction, [null, undefined]);
    }
  }

  #connect(transaction: number, command: AmfValue): void {
    const { app } = (command ?? {}) as AmfObject;
    this.#app = typeof app === 'string' ? (app.split('?')[0] ?? '').replace(/^\/+|\/+$/g, '') : '';
    this.#connection.announceLimits();
    this.#connection.command('_result', transaction, [
      { fmsVer: 'FMS/3,5,7,7009', capabilities: 31 },
      { level: 'status', code: 'NetConnection.Connect.Success', description: 'Connected.', objectEncoding: 0 },
    ]);
  }

  async #publish(name: AmfValue, streamId: number): Promise<void> {
    if (this.#app === null || this.#isAsking || typeof name !== 'string') return;
    this.#isAsking = true;
    const [stream = '', query = ''] = name.split('?', 2);
    const request = { app: this.#app, stream, parameters: new URLSearchParams(query), from: this.#from };
    let sink: IngestSink | null = null;
    try {
      sink = await this.#options.accept(request, () => this.#connection.fail(new Error('RTMP: ended')));
    } catch (error) {
      this.#options.onError(error as Error);
    }
    if (sink === null) {
      this.#status('error', 'NetStream.Publish.BadName', 'The stream key is not valid now.', streamId);
      this.#connection.end();
      return;
    }
    if (this.#isClosed) {
      sink.onClosed(null);
      return;
    }
    clearTimeout(this.#timer);
    this.#sink = sink;
    this.#onAccepted();
    this.#connection.allow(LARGEST);
    this.#connection.expect(SILENCE);
    this.#connection.announceStream(streamId);
    this.#status('status', 'NetStream.Publish.Start', 'Publishing.', streamId);
  }

  #media({ type, time, payload }: RtmpMessage): void {
    const sink = this.#sink;
    if (sink === null || (type !== TYPE.audio && type !== TYPE.video)) return;
    const media = type === TYPE.video ? readVideo(payload, time) : readAudio(payload, time);
    if (media === null) return;
    if (media.kind === 'unknown') {
      if (this.#unknown.has(media.codec)) return;
      this.#unknown.add(media.codec);
      sink.onUnknown?.(media.codec);
    } else if ('config' in media) sink.onConfig(media);
    else sink.onFrame(media);
  }

  #status(level: 'status' | 'error', code: string, description: string, streamId: number): void {
    this.#connection.command('onStatus', 0, [null, { level, code, description }], streamId);
  }
}
