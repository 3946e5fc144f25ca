import type { RtmpAddress } from './address.ts';
import { writeAmf, type AmfObject } from './amf0.ts';
import { CONNECT_TIME, describeClient, openSocket, textOf, type ClientOptions } from './client.ts';
import { RtmpConnection, type RtmpCommand } from './connection.ts';
import { writeConfig, writeFrame, type MediaConfig, type MediaFrame } from './flv.ts';

/** With more bytes waiting, pictures are left out until the next key frame. */
const FULL = 1 << 20;
/** With more bytes waiting, the connection is given up. */
const OVERFULL = 4 << 20;

/** Numbers of our commands, which the answers repeat. */
const CALL = { connect: 1, releaseStream: 2, fcPublish: 3, createStream: 4, publish: 5 } as const;

export interface PublisherOptions extends ClientOptions {
  /** Called once, when the connection ends after it was taken; `reason` is for logs. */
  onClosed: (reason: Error | null) => void;
}

/** The server took the connection and refuses the stream: a wrong key, or one that is in use. */
export class PublishRefused extends Error {
  override readonly name = 'PublishRefused';
}

/**
 * Opens a connection and asks the server to take the stream. Rejects with PublishRefused, or with another error if the
 * server cannot be reached or does not answer.
 */
export function publish(address: RtmpAddress, options: PublisherOptions): Promise<RtmpPublisher> {
  return new Promise((resolve, reject) => {
    let publisher: RtmpPublisher | null = null;
    const connection = new RtmpConnection(
      openSocket(address, options),
      {
        onReady: () => connection.command('connect', CALL.connect, [describeClient(address)]),
        onCommand: (command) => {
          if (publisher !== null) return;
          const streamId = dialogue.answer(command);
          if (streamId === null) return;
          clearTimeout(timer);
          connection.expect(0);
          publisher = new RtmpPublisher(connection, streamId, address.stream);
          resolve(publisher);
        },
        onMessage: () => undefined,
        onClosed: (error) => {
          clearTimeout(timer);
          if (publisher === null) reject(error ?? new Error('RTMP: the server closed the connection'));
          else options.onClosed(error);
        },
      },
      true,
    );
    const dialogue = new Dialogue(connection, address.stream);
    const timer = setTimeout(() => connection.fail(new Error('RTMP: the server does not answer')), CONNECT_TIME);
  });
}

/** The commands from `connect` to the start of the stream. */
class Dialogue {
  readonly #connection: RtmpConnection;
  readonly #stream: string;
  #streamId = 0;

  constructor(connection: RtmpConnection, stream: string) {
    this.#connection = connection;
    this.#stream = stream;
  }

  /** Takes the next step after an answer of the server. The stream's id once it is taken; null before. */
  answer({ name, transaction, values }: RtmpCommand): number | null {
    const { code, level } = (values[1] ?? {}) as AmfObject;
    if (name === '_result') this.#proceed(transaction, values[1]);
    // Many servers do not know the two other commands, which changes nothing.
    else if (name === '_error' && (transaction === CALL.connect || transaction === CALL.createStream))
      throw new PublishRefused(textOf(values[1]) || 'the server refuses the connection');
    else if (name === 'onStatus' && level === 'error') throw new PublishRefused(textOf(values[1]));
    else if (name === 'onStatus' && code === 'NetStream.Publish.Start') return this.#streamId;
    return null;
  }

  #proceed(transaction: number, result: unknown): void {
    const stream = this.#stream;
    if (transaction === CALL.connect) {
      this.#connection.command('releaseStream', CALL.releaseStream, [null, stream]);
      this.#connection.command('FCPublish', CALL.fcPublish, [null, stream]);
      this.#connection.command('createStream', CALL.createStream, [null]);
    } else if (transaction === CALL.createStream) {
      this.#streamId = Number(result);
      this.#connection.command('publish', CALL.publish, [null, stream, 'live'], this.#streamId);
    }
  }
}

/** A stream that a server takes. Never blocks its source: what the connection cannot carry is left out. */
export class RtmpPublisher {
  readonly #connection: RtmpConnection;
  readonly #streamId: number;
  readonly #stream: string;
  /** The time of the first frame, and of the last one in the stream's own time. */
  #start: number | null = null;
  #last = 0;
  #waitsForKeyFrame = true;
  #hasVideo = false;
  #dropped = 0;

  constructor(connection: RtmpConnection, streamId: number, stream: string) {
    this.#connection = connection;
    this.#streamId = streamId;
    this.#stream = stream;
  }

  /** Pictures that were left out because the connection was too slow. */
  get dropped(): number {
    return this.#dropped;
  }

  /** What the stream contains, for servers and players that show it; see the fields of `onMetaData`. */
  describe(metadata: AmfObject): void {
    this.#connection.media('data', this.#streamId, 0, writeAmf('@setDataFrame', 'onMetaData', metadata));
  }

  /** Sends a decoder configuration: before the first frame, and when it changes. */
  config(config: MediaConfig): void {
    if (config.kind === 'video') {
      this.#hasVideo = true;
      this.#waitsForKeyFrame = true;
    }
    this.#connection.media(config.kind, this.#streamId, this.#last, writeConfig(config));
  }

  /** Sends a frame. With video, nothing is sent before its first key frame. */
  send(frame: MediaFrame): void {
    const { backlog } = this.#connection;
    if (backlog > OVERFULL) {
      this.#connection.fail(new Error('RTMP: the server takes less than the stream needs'));
      return;
    }
    if (frame.kind === 'video' && !this.#passes(frame, backlog)) return;
    if (this.#start === null && this.#hasVideo && frame.kind === 'audio') return;
    this.#start ??= frame.time;
    // Audio and video come from two sources, whose times may cross by a few ms.
    this.#last = Math.max(0, Math.round(frame.time - this.#start));
    this.#connection.media(frame.kind, this.#streamId, this.#last, writeFrame(frame));
  }

  #passes({ isKeyFrame }: MediaFrame, backlog: number): boolean {
    if (isKeyFrame && backlog < FULL / 2) this.#waitsForKeyFrame = false;
    else if (backlog > FULL) this.#waitsForKeyFrame = true;
    if (this.#waitsForKeyFrame) this.#dropped += 1;
    return !this.#waitsForKeyFrame;
  }

  /** Ends the stream in order. */
  close(): void {
    this.#connection.command('FCUnpublish', 0, [null, this.#stream]);
    this.#connection.command('deleteStream', 0, [null, this.#streamId]);
    this.#connection.end();
  }
}
