import { sequenceDistance } from '../rtp/packet.ts';

const HISTORY = 16;
/** Only packets this recent count as late; anything older is from the last round of the 16-bit circle. */
const LATE = 4096;

/**
 * Maps the sequence numbers of one source to those a subscriber gets: a constant shift that moves
 * whenever a packet is left out, so that the subscriber sees no gap. Packets that come late are
 * mapped by the shift that held at their place.
 */
export class SequenceShift {
  #shift = 0;
  #start = 0;
  #highest = 0;
  readonly #dropped: Array<{ sequence: number; shiftBefore: number }> = [];

  /** A source starts with `sequence`, which becomes `next` for the subscriber. */
  restart(sequence: number, next: number): void {
    this.#shift = (next - sequence) & 0xffff;
    this.#start = sequence;
    this.#highest = (sequence - 1) & 0xffff;
    this.#dropped.length = 0;
  }

  /** The subscriber's number; -1 for a packet from before the start. */
  map(sequence: number): number {
    if (sequenceDistance(this.#highest, sequence) > 0) {
      this.#highest = sequence;
      return (sequence + this.#shift) & 0xffff;
    }
    return this.#mapLate(sequence);
  }

  /** Leaves out one packet: the numbers after it close the gap. Late ones leave theirs open. */
  drop(sequence: number): void {
    if (sequenceDistance(this.#highest, sequence) <= 0) return;
    this.#highest = sequence;
    this.#dropped.push({ sequence, shiftBefore: this.#shift });
    if (this.#dropped.length > HISTORY) this.#dropped.shift();
    this.#shift = (this.#shift - 1) & 0xffff;
  }

  #mapLate(sequence: number): number {
    if (this.#isRecent(this.#start) && sequenceDistance(this.#start, sequence) < 0) return -1;
    for (const drop of this.#dropped) {
      if (!this.#isRecent(drop.sequence)) continue;
      const distance = sequenceDistance(sequence, drop.sequence);
      if (distance === 0) return -1;
      if (distance > 0) return (sequence + drop.shiftBefore) & 0xffff;
    }
    return (sequence + this.#shift) & 0xffff;
  }

  #isRecent(sequence: number): boolean {
    const age = sequenceDistance(sequence, this.#highest);
    return age >= -1 && age < LATE;
  }
}
