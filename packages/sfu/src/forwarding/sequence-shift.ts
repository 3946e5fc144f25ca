import { sequenceDistance } from '@rmeet/rtp';

/** Stored runs of dropped packets: more than a second of video with every other layer dropped. A power of two. */
const RUNS = 64;
/** Only packets this recent count as late; older numbers are from before the last wrap. */
const LATE = 4096;

/**
 * Maps the sequence numbers of one source to those of a subscriber: a constant shift that changes whenever a packet is
 * dropped, so that the subscriber sees no gap. Late packets are mapped by the shift at their place.
 */
export class SequenceShift {
  #shift = 0;
  #start = 0;
  #highest = 0;
  /** Runs of dropped packets: the first, their number, and the shift before them; a ring. */
  readonly #first = new Uint16Array(RUNS);
  readonly #count = new Uint16Array(RUNS);
  readonly #shiftBefore = new Uint16Array(RUNS);
  #runs = 0;

  /** A source starts with `sequence`, which becomes `next` for the subscriber. */
  restart(sequence: number, next: number): void {
    this.#shift = (next - sequence) & 0xffff;
    this.#start = sequence;
    this.#highest = (sequence - 1) & 0xffff;
    this.#runs = 0;
  }

  /** Whether the packet is newer than all others. */
  isNewest(sequence: number): boolean {
    return sequenceDistance(this.#highest, sequence) > 0;
  }

  /** The subscriber's number; -1 for a packet from before the start, or a dropped one. */
  map(sequence: number): number {
    if (this.isNewest(sequence)) {
      this.#highest = sequence;
      return (sequence + this.#shift) & 0xffff;
    }
    return this.#mapLate(sequence);
  }

  /** Drops a packet: the numbers after it close the gap. Returns false for a late one, whose gap stays open. */
  drop(sequence: number): boolean {
    const ahead = sequenceDistance(this.#highest, sequence);
    if (ahead <= 0) return false;
    this.#highest = sequence;
    const last = (this.#runs - 1) & (RUNS - 1);
    if (this.#runs > 0 && ahead === 1 && ((this.#first[last]! + this.#count[last]!) & 0xffff) === sequence)
      this.#count[last]! += 1;
    else {
      const slot = this.#runs & (RUNS - 1);
      this.#first[slot] = sequence;
      this.#count[slot] = 1;
      this.#shiftBefore[slot] = this.#shift;
      this.#runs += 1;
    }
    this.#shift = (this.#shift - 1) & 0xffff;
    return true;
  }

  #mapLate(sequence: number): number {
    if (this.#isRecent(this.#start) && sequenceDistance(this.#start, sequence) < 0) return -1;
    let shift = this.#shift;
    for (let run = this.#runs - 1; run >= Math.max(0, this.#runs - RUNS); run -= 1) {
      const slot = run & (RUNS - 1);
      const first = this.#first[slot]!;
      if (!this.#isRecent(first)) break;
      const into = sequenceDistance(first, sequence);
      if (into >= this.#count[slot]!) break;
      if (into >= 0) return -1;
      shift = this.#shiftBefore[slot]!;
    }
    return (sequence + shift) & 0xffff;
  }

  #isRecent(sequence: number): boolean {
    const age = sequenceDistance(sequence, this.#highest);
    return age >= -1 && age < LATE;
  }
}
