/** The orderly end of an association (RFC 9260, section 9.2): what is queued is delivered before. */
import { ChunkType } from './wire/constants.ts';
import type { PacketWriter } from './wire/packet-writer.ts';
import { writeChunk } from './handshake.ts';

export interface ShutdownHost {
  now(): number;
  rtoMs(): number;
  /** Messages are queued or not acknowledged. */
  isSending(): boolean;
  cumulativeTsn(): number;
  /** A packet with a chunk of this type alone. */
  sendAlone(type: number): void;
  unanswered(): void;
  shutDown(): void;
}

const MAX_TRIES = 10;

type State = 'open' | 'pending' | 'sent' | 'received' | 'ack-sent';

export class Shutdown {
  /** T2-shutdown. */
  timerAt = Infinity;
  readonly #host: ShutdownHost;
  #state: State = 'open';
  #isDue = false;
  #tries = 0;

  constructor(host: ShutdownHost) {
    this.#host = host;
  }

  /** New messages are accepted. */
  get isOpen(): boolean {
    return this.#state === 'open';
  }

  start(): void {
    if (this.#state === 'open') {
      this.#state = 'pending';
    }
  }

  /** Writes SHUTDOWN or SHUTDOWN ACK when it is time for one. */
  fill(writer: PacketWriter): boolean {
    if (this.#host.isSending()) {
      return false;
    }
    if (this.#state === 'pending') {
      this.#become('sent');
    } else if (this.#state === 'received') {
      this.#become('ack-sent');
    }
    if (!this.#isDue) {
      return false;
    }
    this.#isDue = false;
    this.timerAt = this.#host.now() + this.#host.rtoMs() * 2 ** Math.min(4, this.#tries);
    if (this.#state === 'ack-sent') {
      return writeChunk(writer, ChunkType.shutdownAck, 0, Buffer.alloc(0));
    }
    const value = Buffer.alloc(4);
    value.writeInt32BE(this.#host.cumulativeTsn(), 0);
    return writeChunk(writer, ChunkType.shutdown, 0, value);
  }

  onTimer(): void {
    this.timerAt = Infinity;
    this.#isDue = true;
    this.#tries++;
    if (this.#tries > MAX_TRIES) {
      // A peer that answers heartbeats but no SHUTDOWN (T5-shutdown-guard).
      this.#host.shutDown();
    } else {
      this.#host.unanswered();
    }
  }

  /** DATA after our SHUTDOWN is answered by SACK and SHUTDOWN. */
  handleData(): void {
    if (this.#state === 'sent') {
      this.#isDue = true;
    }
  }

  handleShutdown(): void {
    if (this.#state === 'open' || this.#state === 'pending') {
      this.#state = 'received';
    } else if (this.#state === 'sent') {
      this.#become('ack-sent');
    } else if (this.#state === 'ack-sent') {
      this.#isDue = true;
    }
  }

  handleShutdownAck(): void {
    if (this.#state === 'sent' || this.#state === 'ack-sent') {
      this.#host.sendAlone(ChunkType.shutdownComplete);
      this.#host.shutDown();
    }
  }

  handleShutdownComplete(): void {
    if (this.#state === 'ack-sent') {
      this.#host.shutDown();
    }
  }

  #become(state: State): void {
    this.#state = state;
    this.#isDue = true;
    this.#tries = 0;
  }
}
