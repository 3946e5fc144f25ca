import type { Socket } from 'node:net';
import { readAmf, writeAmf, type AmfValue } from './amf0.ts';
import { ChunkReader, writeChunks, type RtmpMessage } from './chunks.ts';
import { greeting, Handshake } from './handshake.ts';

/** Types of messages (RTMP 1.0, sections 5.4 and 7.1). */
export const TYPE = {
  chunkSize: 1,
  abort: 2,
  acknowledgement: 3,
  userControl: 4,
  windowSize: 5,
  peerBandwidth: 6,
  audio: 8,
  video: 9,
  commandAmf3: 17,
  data: 18,
  command: 20,
} as const;

/** Events of user control messages (section 7.1.7). */
const STREAM_BEGIN = 0;
const PING_REQUEST = 6;
const PING_RESPONSE = 7;

/** Chunk streams by what they carry; 2 is prescribed for control messages (section 5.4). */
const CHUNK_STREAM = { control: 2, command: 3, audio: 4, video: 6 } as const;
/** Bytes per chunk that we send: a picture is a few chunks, and audio need not wait long behind it. */
const CHUNK_SIZE = 4_096;
/** The peer acknowledges after this many bytes. */
const WINDOW = 2_500_000;
/** Time for the handshake, ms. */
const HANDSHAKE_TIME = 10_000;

export interface RtmpCommand {
  name: string;
  transaction: number;
  /** Everything behind name and transaction; the first is the command object or null. */
  values: AmfValue[];
  streamId: number;
}

export interface ConnectionEvents {
  /** The handshake is complete. */
  onReady(): void;
  onCommand(command: RtmpCommand): void;
  /** Media and metadata. */
  onMessage(message: RtmpMessage): void;
  /** Called once; `error` is null if the peer closed the connection in order. */
  onClosed(error: Error | null): void;
}

/** One RTMP connection of either side, over a connected socket: handshake, chunks, and the protocol's own messages. */
export class RtmpConnection {
  readonly #socket: Socket;
  readonly #events: ConnectionEvents;
  readonly #isClient: boolean;
  readonly #reader = new ChunkReader();
  #handshake: Handshake | null = new Handshake();
  #chunkSize = 128;
  /** Bytes received, acknowledged, and the window that the peer asked for (section 5.4.3 and 5.4.4). */
  #received = 0;
  #acknowledged = 0;
  #window = WINDOW;
  #error: Error | null = null;

  /** A client sends its greeting at once, a server after the client's. */
  constructor(socket: Socket, events: ConnectionEvents, isClient: boolean) {
    this.#socket = socket;
    this.#events = events;
    socket.setNoDelay(true);
    socket.setTimeout(HANDSHAKE_TIME, () => this.fail(new Error('RTMP: the peer does not answer')));
    socket.on('data', (bytes: Buffer) => this.#receive(bytes));
    socket.on('error', (error) => (this.#error ??= error));
    socket.on('close', () => events.onClosed(this.#error));
    this.#isClient = isClient;
    if (isClient) socket.write(greeting());
  }

  /** Bytes that wait to be sent. */
  get backlog(): number {
    return this.#socket.writableLength;
  }

  /** Sets how many bytes of unfinished messages the peer may send; small at first. */
  allow(bytes: number): void {
    this.#reader.allow(bytes);
  }

  /** Closes the connection if the peer sends nothing for this long, ms; 0 for no limit. */
  expect(ms: number): void {
    this.#socket.setTimeout(ms);
  }

  command(name: string, transaction: number, values: AmfValue[], streamId = 0): void {
    this.#send(CHUNK_STREAM.command, {
      type: TYPE.command,
      streamId,
      time: 0,
      payload: writeAmf(name, transaction, ...values),
    });
  }

  /** Sends a media or metadata message. */
  media(kind: 'audio' | 'video' | 'data', streamId: number, time: number, payload: Buffer): void {
    this.#send(CHUNK_STREAM[kind === 'video' ? 'video' : 'audio'], { type: TYPE[kind], streamId, time, payload });
  }

  #send(chunkStream: number, message: RtmpMessage): void {
    if (this.#socket.writable) this.#socket.write(writeChunks(chunkStream, message, this.#chunkSize));
  }

  /** Announces what a server announces at `connect`. */
  announceLimits(): void {
    this.#control(TYPE.windowSize, uint32(WINDOW));
    this.#control(TYPE.peerBandwidth, Buffer.concat([uint32(WINDOW), Buffer.from([2])]));
  }

  announceStream(streamId: number): void {
    this.#control(TYPE.userControl, userControl(STREAM_BEGIN, streamId));
  }

  /** Sends the rest and closes. */
  end(): void {
    this.#socket.end();
    // A peer that does not close its side would keep the socket.
    this.#socket.setTimeout(HANDSHAKE_TIME, () => this.#socket.destroy());
  }

  fail(error: Error): void {
    this.#error ??= error;
    this.#socket.destroy();
  }

  #receive(bytes: Buffer): void {
    this.#received += bytes.length;
    try {
      if (this.#handshake === null) this.#read(bytes);
      else this.#shake(this.#handshake, bytes);
    } catch (error) {
      this.fail(error as Error);
      return;
    }
    if (this.#received - this.#acknowledged < this.#window / 2) return;
    this.#acknowledged = this.#received;
    this.#control(TYPE.acknowledgement, uint32(this.#received >>> 0));
  }

  #shake(handshake: Handshake, bytes: Buffer): void {
    const { answer, rest } = handshake.push(bytes);
    if (answer !== null) this.#socket.write(this.#isClient ? answer : Buffer.concat([greeting(), answer]));
    if (rest === null) return;
    this.#handshake = null;
    this.#control(TYPE.chunkSize, uint32(CHUNK_SIZE));
    this.#chunkSize = CHUNK_SIZE;
    this.#events.onReady();
    this.#read(rest);
  }

  #read(bytes: Buffer): void {
    this.#reader.push(bytes, (message) => {
      if (!this.#socket.destroyed) this.#handle(message);
    });
  }

  #handle(message: RtmpMessage): void {
    const { type, payload, streamId } = message;
    switch (type) {
      case TYPE.chunkSize:
        this.#reader.setChunkSize(payload.readUInt32BE() & 0x7fffffff);
        return;
      case TYPE.abort:
        this.#reader.abort(payload.readUInt32BE());
        return;
      case TYPE.windowSize:
        this.#window = Math.max(payload.readUInt32BE(), CHUNK_SIZE);
        return;
      case TYPE.userControl:
        if (payload.readUInt16BE() === PING_REQUEST)
          this.#control(TYPE.userControl, userControl(PING_RESPONSE, payload.readUInt32BE(2)));
        return;
      case TYPE.command:
      case TYPE.commandAmf3: {
        // AMF3 commands begin with a byte 0 and go on in AMF0.
        const [name, transaction, ...values] = readAmf(type === TYPE.command ? payload : payload.subarray(1));
        if (typeof name !== 'string') throw new RangeError('RTMP: a command without a name');
        this.#events.onCommand({ name, transaction: Number(transaction ?? 0), values, streamId });
        return;
      }
      case TYPE.acknowledgement:
      case TYPE.peerBandwidth:
        return;
      default:
        this.#events.onMessage(message);
    }
  }

  #control(type: number, payload: Buffer): void {
    this.#send(CHUNK_STREAM.control, { type, streamId: 0, time: 0, payload });
  }
}

function uint32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
}

function userControl(event: number, value: number): Buffer {
  const bytes = Buffer.alloc(6);
  bytes.writeUInt16BE(event);
  bytes.writeUInt32BE(value, 2);
  return bytes;
}
