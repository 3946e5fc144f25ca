import type { RtmpAddress } from './address.ts';
import type { AmfObject } from './amf0.ts';
import { CONNECT_TIME, describeClient, openSocket, textOf, type ClientOptions } from './client.ts';
import { RtmpConnection, TYPE, type RtmpCommand } from './connection.ts';
import { readAudio, readVideo } from './flv.ts';
import type { IngestSink } from './ingest.ts';

/** A server that sends nothing for this long, ms, has lost the stream. */
const SILENCE = 15_000;
/** Bytes of unfinished messages: no picture of a camera is larger. */
const LARGEST = 8 << 20;
/** Numbers of our commands, which the answers repeat. */
const CALL = { connect: 1, createStream: 2, play: 3 } as const;

/** A stream that is played. */
export interface RtmpPlayer {
  close(): void;
}

/**
 * Takes a stream from a server by RTMP, from its newest moment on. Never connects again; `sink.onClosed` is called
 * once, with the reason if it was not `close`, also when the stream could not be begun.
 */
export function play(address: RtmpAddress, sink: IngestSink, options: ClientOptions = {}): RtmpPlayer {
  let isClosed = false;
  const connection = new RtmpConnection(
    openSocket(address, options),
    {
      onReady: () => connection.command('connect', CALL.connect, [describeClient(address)]),
      onCommand: (command) => session.answer(command),
      onMessage: (message) => session.take(message),
      onClosed: (error) => {
        clearTimeout(timer);
        sink.onClosed(isClosed ? null : (error ?? new Error('RTMP: the server closed the connection')));
      },
    },
    true,
  );
  const timer = setTimeout(() => connection.fail(new Error('RTMP: the server does not answer')), CONNECT_TIME);
  const session = new PlaySession(connection, address.stream, sink, () => clearTimeout(timer));
  return {
    close() {
      isClosed = true;
      // The server may go on sending after a polite end.
      connection.fail(new Error('RTMP: closed'));
    },
  };
}

/** The commands from `connect` to the media, and the media. */
class PlaySession {
  readonly #connection: RtmpConnection;
  readonly #stream: string;
  readonly #sink: IngestSink;
  readonly #onMedia: () => void;
  readonly #unknown = new Set<string>();
  #hasMedia = false;

  constructor(connection: RtmpConnection, stream: string, sink: IngestSink, onMedia: () => void) {
    this.#connection = connection;
    this.#stream = stream;
    this.#sink = sink;
    this.#onMedia = onMedia;
  }

  answer({ name, transaction, values }: RtmpCommand): void {
    const { level } = (values[1] ?? {}) as AmfObject;
    if (name === '_error' || (name === 'onStatus' && level === 'error'))
      this.#connection.fail(new Error(textOf(values[1]) || 'the server refuses the stream'));
    else if (name === '_result' && transaction === CALL.connect)
      this.#connection.command('createStream', CALL.createStream, [null]);
    else if (name === '_result' && transaction === CALL.createStream)
      // -1: live only (RTMP 1.0, section 7.2.2.1).
      this.#connection.command('play', CALL.play, [null, this.#stream, -1], Number(values[1]));
  }

  take({ type, time, payload }: { type: number; time: number; payload: Buffer }): void {
    if (type !== TYPE.audio && type !== TYPE.video) return;
    const media = type === TYPE.video ? readVideo(payload, time) : readAudio(payload, time);
    if (media === null) return;
    if (!this.#hasMedia) this.#begin();
    if (media.kind === 'unknown') {
      if (this.#unknown.has(media.codec)) return;
      this.#unknown.add(media.codec);
      this.#sink.onUnknown?.(media.codec);
    } else if ('config' in media) this.#sink.onConfig(media);
    else this.#sink.onFrame(media);
  }

  #begin(): void {
    this.#hasMedia = true;
    this.#onMedia();
    this.#connection.allow(LARGEST);
    this.#connection.expect(SILENCE);
  }
}
