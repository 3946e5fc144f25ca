/**
 * Resets of streams (RFC 6525), which close data channels (RFC 8831, section 6.7): one request of ours at a time, and
 * answers to requests of the peer. Requests other than for its outgoing streams are denied; data channels use no
 * others.
 */
import { ChunkType } from './wire/constants.ts';
import { writeChunk } from './handshake.ts';
import type { PacketReader } from './wire/packet-reader.ts';
import type { PacketWriter } from './wire/packet-writer.ts';
import {
  outgoingResetParameter,
  readReconfig,
  resetResponseParameter,
  ResetResult,
  type ReconfigParameter,
} from './wire/reconfig.ts';
import { isAfter } from './wire/serial.ts';

export interface ResetsHost {
  now(): number;
  rtoMs(): number;
  /** TSN of the next new chunk of ours. */
  nextTsn(): number;
  cumulativeTsn(): number;
  /** Messages of the stream are queued or not acknowledged. */
  isStreamBusy(streamId: number): boolean;
  /** The answer to a request of ours; `isReset` is false if the peer refused. */
  outgoingReset(streamId: number, isReset: boolean): void;
  incomingReset(streamIds: readonly number[]): void;
  unanswered(): void;
}

interface Request {
  sequence: number;
  readonly lastTsn: number;
  readonly streamIds: readonly number[];
}

const MAX_STREAMS_PER_REQUEST = 64;
const MAX_TIMEOUT_MS = 2000;
/** Answers that wait to be sent: a packet has room for many requests, a correct peer has one. */
const MAX_ANSWERS = 2;

export class StreamResets {
  timerAt = Infinity;
  readonly #host: ResetsHost;
  readonly #waiting = new Set<number>();
  readonly #answers: Buffer[] = [];
  #isSupported = false;
  #sequence: number;
  #request: Request | undefined;
  #isDue = false;
  #tries = 0;
  #expected = 0;
  #lastResult: number = ResetResult.nothingToDo;

  constructor(host: ResetsHost, initialTsn: number) {
    this.#host = host;
    this.#sequence = initialTsn | 0;
  }

  start(peerInitialTsn: number, isSupported: boolean): void {
    this.#expected = peerInitialTsn | 0;
    this.#isSupported = isSupported;
  }

  /** Resets the outgoing stream as soon as its messages have been acknowledged or given up. */
  request(streamId: number): void {
    this.#waiting.add(streamId);
  }

  /** Writes one chunk if there is something to say. */
  fill(writer: PacketWriter): boolean {
    const answer = this.#answers[0];
    if (answer !== undefined) {
      this.#answers.shift();
      return writeChunk(writer, ChunkType.reConfig, 0, answer);
    }
    if (this.#request === undefined && this.#waiting.size > 0) {
      this.#nextRequest();
    }
    const request = this.#request;
    if (request === undefined || !this.#isDue) {
      return false;
    }
    this.#isDue = false;
    this.timerAt = this.#host.now() + Math.min(MAX_TIMEOUT_MS, this.#host.rtoMs() * 2 ** this.#tries);
    const { sequence, lastTsn, streamIds } = request;
    const value = outgoingResetParameter(sequence, (this.#expected - 1) | 0, lastTsn, streamIds);
    return writeChunk(writer, ChunkType.reConfig, 0, value);
  }

  onTimer(): void {
    this.timerAt = Infinity;
    if (this.#request !== undefined) {
      this.#isDue = true;
      // The peer answers "in progress" while data is on the way: that is not silence, and #tries stays 0.
      this.#tries++;
      if (this.#tries > 1) {
        this.#host.unanswered();
      }
    }
  }

  /** A RE-CONFIG chunk. True: it answers our request. */
  handle(reader: PacketReader): boolean {
    let isAnswer = false;
    for (const one of readReconfig(reader.value()) ?? []) {
      if (one.kind === 'response') {
        isAnswer = this.#handleResponse(one.request, one.result) || isAnswer;
      } else if (this.#answers.length < MAX_ANSWERS) {
        this.#answers.push(resetResponseParameter(one.request, this.#answer(one)));
      }
    }
    return isAnswer;
  }

  #nextRequest(): void {
    const streamIds: number[] = [];
    for (const id of this.#waiting) {
      if (!this.#host.isStreamBusy(id) && streamIds.length < MAX_STREAMS_PER_REQUEST) {
        streamIds.push(id);
        this.#waiting.delete(id);
      }
    }
    if (streamIds.length === 0) {
      return;
    }
    if (!this.#isSupported) {
      for (const id of streamIds) {
        this.#host.outgoingReset(id, false);
      }
      return;
    }
    this.#request = { sequence: this.#sequence, lastTsn: (this.#host.nextTsn() - 1) | 0, streamIds };
    this.#sequence = (this.#sequence + 1) | 0;
    this.#tries = 0;
    this.#isDue = true;
  }

  #handleResponse(sequence: number, result: number): boolean {
    const request = this.#request;
    if (request === undefined || request.sequence !== sequence) {
      return false;
    }
    if (result === ResetResult.inProgress || result === ResetResult.alreadyInProgress) {
      // Chunks before the reset have not arrived yet. usrsctp and dcSCTP expect a new number for the next attempt.
      request.sequence = this.#sequence;
      this.#sequence = (this.#sequence + 1) | 0;
      this.#tries = 0;
      this.timerAt = this.#host.now() + this.#host.rtoMs();
      return true;
    }
    this.#request = undefined;
    this.timerAt = Infinity;
    const isReset = result === ResetResult.performed || result === ResetResult.nothingToDo;
    for (const id of request.streamIds) {
      this.#host.outgoingReset(id, isReset);
    }
    return true;
  }

  #answer(one: Exclude<ReconfigParameter, { kind: 'response' }>): number {
    const isRepeated = one.request === ((this.#expected - 1) | 0);
    if (isRepeated && this.#lastResult !== ResetResult.inProgress) {
      return this.#lastResult;
    }
    if (!isRepeated && one.request !== this.#expected) {
      return ResetResult.badSequence;
    }
    this.#expected = (one.request + 1) | 0;
    this.#lastResult = this.#perform(one);
    return this.#lastResult;
  }

  #perform(one: Exclude<ReconfigParameter, { kind: 'response' }>): number {
    if (one.kind !== 'outgoing') {
      return ResetResult.denied;
    }
    if (isAfter(one.lastTsn, this.#host.cumulativeTsn())) {
      return ResetResult.inProgress;
    }
    this.#host.incomingReset(one.streams);
    return ResetResult.performed;
  }
}
