import { FeedbackReader } from '../rtp/twcc.ts';
import type { PacketSink } from '../forwarding/forwarder.ts';
import { SendHistory } from './send-history.ts';

/** The first byte of a two-byte header extension block's profile (RFC 8285 section 4.3). */
const TWO_BYTE = 0x10;

/** Where media for one subscriber goes: numbers every packet and learns from the feedback how much the way there takes. */
export class SubscriberBandwidth implements PacketSink {
  readonly #transport: { readonly connected: boolean; send(packet: Buffer): boolean };
  readonly #history = new SendHistory();
  readonly #reader = new FeedbackReader({ handlePacketStatus: (sequence, arrivalMs) => this.#handleStatus(sequence, arrivalMs) });

  constructor(transport: { readonly connected: boolean; send(packet: Buffer): boolean }) {
    this.#transport = transport;
  }

  get connected(): boolean {
    return this.#transport.connected;
  }

  send(packet: Buffer): boolean {
    return this.#transport.send(packet);
  }

  sendMedia(packet: Buffer, transportId: number): boolean {
    let first = 0;
    let second = 0;
    let third = 0;
    let fourth = 0;
    if (transportId !== 0) {
      const sequence = this.#history.add(packet.length, 0, performance.now());
      if (packet[12] === TWO_BYTE) {
        first = transportId;
        second = 2;
        third = sequence >> 8;
        fourth = sequence & 0xff;
      } else {
        first = (transportId << 4) | 1;
        second = sequence >> 8;
        third = sequence & 0xff;
      }
    }
    packet[16] = first;
    packet[17] = second;
    packet[18] = third;
    packet[19] = fourth;
    return this.#transport.send(packet);
  }

  /** A transport-wide feedback message of the subscriber, from `start` to `end` of an RTCP packet. */
  handleFeedback(buffer: Buffer, start: number, end: number): void {
    this.#reader.read(buffer, start, end);
  }

  #handleStatus(sequence: number, arrivalMs: number): void {
    if (this.#history.find(sequence) < 0 || Number.isNaN(arrivalMs)) return;
  }
}
