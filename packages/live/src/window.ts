/** A part of a segment: a CMAF chunk. Times in ms since the recording's start. */
export interface LivePart {
  /** Numbers of its segment, and of the initialization segment that this one needs. */
  segment: number;
  init: number;
  startsSegment: boolean;
  at: number;
  duration: number;
  data: Buffer;
}

/** Takes what is made, in this order. */
export interface LiveOutput {
  takeInit(number: number, data: Buffer): void;
  takePart(part: LivePart): void;
  /** Nothing follows. */
  end(): void;
}

export interface LiveSegment {
  readonly number: number;
  readonly init: number;
  /** Whole ms, as in the index of a recording. */
  readonly at: number;
  /** Of its parts so far. */
  duration: number;
  /** How many gaps in time without a new initialization segment came before it. */
  readonly gaps: number;
  readonly parts: { readonly at: number; readonly duration: number; data: Buffer }[];
  /** The whole segment; undefined while it grows. */
  data: Buffer | undefined;
}

export interface LiveWindowOptions {
  /** Unix time in ms of the recording's time 0. */
  startsAt: number;
  /** What is kept at most: ms of segments, and bytes. */
  keepMs?: number;
  keepBytes?: number;
}

/** Longer than the longest playlist and a segment (RFC 8216 bis, 6.2.2). */
const KEEP_MS = 40_000;
const KEEP_BYTES = 64 * 2 ** 20;
/** As many parts as their names can number. */
const MOST_PARTS = 10_000;
/** Segments whose times differ by more do not follow each other, ms. */
const GAP_MS = 100;
/** Sums of times are not exact, ms. */
const SAME_MS = 0.01;
/** Seconds: no segment is longer by a half, unless a key frame was very late. */
const TARGET = 3;
/** Seconds: no part is longer; 85 % of it are less than a third, as most parts last. */
const PART_TARGET = 0.39;

/** The last segments of a recording that runs, and the initialization segments that they need. */
export class LiveWindow implements LiveOutput {
  /** Unix time in ms of the recording's time 0. */
  startsAt: number;
  #keepMs: number;
  #keepBytes: number;
  #segments: LiveSegment[] = [];
  #inits = new Map<number, Buffer>();
  #bytes = 0;
  /** Where the last part ends. */
  #end = Number.NEGATIVE_INFINITY;
  #isOpen = false;
  #isOver = false;
  #gaps = 0;
  #version = 0;
  #target = TARGET;
  #partTarget = PART_TARGET;
  #outputs = new Set<LiveOutput>();
  #listeners = new Set<() => void>();

  constructor({ startsAt, keepMs = KEEP_MS, keepBytes = KEEP_BYTES }: LiveWindowOptions) {
    this.startsAt = startsAt;
    this.#keepMs = keepMs;
    this.#keepBytes = keepBytes;
  }

  /** The oldest first; the last one may still grow. */
  get segments(): readonly LiveSegment[] {
    return this.#segments;
  }

  get inits(): ReadonlyMap<number, Buffer> {
    return this.#inits;
  }

  /** Bytes of all that is kept. */
  get bytes(): number {
    return this.#bytes + [...this.#inits.values()].reduce((sum, { length }) => sum + length, 0);
  }

  /** Where the last part ends, ms; -Infinity without parts. */
  get endsAt(): number {
    return this.#end;
  }

  get isOver(): boolean {
    return this.#isOver;
  }

  /** Changes with whatever is taken. */
  get version(): number {
    return this.#version;
  }

  /** EXT-X-TARGETDURATION and PART-TARGET, which nothing in the window exceeds; seconds. They never shrink. */
  get target(): number {
    return this.#target;
  }

  get partTarget(): number {
    return this.#partTarget;
  }

  /** Gaps so far; an empty window continues to count those of another one. */
  get gaps(): number {
    return this.#gaps;
  }

  set gaps(count: number) {
    if (this.#segments.length === 0) this.#gaps = count;
  }

  takeInit(number: number, data: Buffer): void {
    if (this.#isOver) return;
    // One that no part needed is not needed any more.
    for (const known of this.#inits.keys())
      if (!this.#segments.some(({ init }) => init === known)) this.#inits.delete(known);
    this.#inits.set(number, data);
    for (const output of this.#outputs) output.takeInit(number, data);
  }

  /** Parts that it has already are left out: who continues from elsewhere may repeat some. */
  takePart(part: LivePart): void {
    if (this.#isOver || part.at + SAME_MS < this.#end) return;
    if (part.startsSegment) this.#openSegment(part);
    const last = this.#segments.at(-1);
    if (!this.#isOpen || last?.number !== part.segment || last.init !== part.init) return;
    if (last.parts.length >= MOST_PARTS) return this.#abandon();
    last.parts.push({ at: part.at, duration: part.duration, data: part.data });
    this.#end = part.at + part.duration;
    last.duration = this.#end - last.at;
    this.#bytes += part.data.length;
    this.#target = Math.max(this.#target, Math.round(last.duration / 1_000));
    this.#partTarget = Math.max(this.#partTarget, Math.ceil(part.duration / 10) / 100);
    this.#trim();
    for (const output of this.#outputs) output.takePart(part);
    this.#changed();
  }

  /** Nothing follows. */
  end(): void {
    if (this.#isOver) return;
    this.#complete();
    this.#isOver = true;
    for (const output of this.#outputs) output.end();
    this.#changed();
  }

  /** Gives all that is kept to `output`, and then what comes. Returns what ends that. */
  pipe(output: LiveOutput): () => void {
    let known: number | undefined;
    for (const segment of this.#segments) {
      if (segment.init !== known) output.takeInit(segment.init, this.#inits.get(segment.init) ?? Buffer.alloc(0));
      known = segment.init;
      for (const part of partsOf(segment)) output.takePart(part);
    }
    for (const [number, data] of this.#inits) if (known === undefined || number > known) output.takeInit(number, data);
    if (this.#isOver) output.end();
    this.#outputs.add(output);
    return () => this.#outputs.delete(output);
  }

  /** Calls `listener` after each change. Returns what ends that. */
  onChange(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  #changed(): void {
    this.#version += 1;
    for (const listener of this.#listeners) listener();
  }

  #openSegment({ segment: number, init, at }: LivePart): void {
    this.#complete();
    // A recorder that died may have sent what it could not write: its numbers are used again.
    while ((this.#segments.at(-1)?.number ?? 0) >= number) this.#remove(this.#segments.pop());
    const before = this.#segments.at(-1);
    if (!this.#inits.has(init)) return;
    const isGap = before?.init === init && (number !== before.number + 1 || at - this.#end > GAP_MS);
    if (isGap) this.#gaps += 1;
    this.#segments.push({
      number,
      init,
      at: Math.round(at),
      duration: 0,
      gaps: this.#gaps,
      parts: [],
      data: undefined,
    });
    this.#isOpen = true;
  }

  #complete(): void {
    const last = this.#segments.at(-1);
    if (!this.#isOpen || !last) return;
    this.#isOpen = false;
    last.data = Buffer.concat(last.parts.map(({ data }) => data));
    // The same bytes are not kept twice.
    let offset = 0;
    for (const part of last.parts) {
      const end = offset + part.data.length;
      part.data = last.data.subarray(offset, end);
      offset = end;
    }
  }

  /** The segment that grows is too long to be kept: it waits for the next one. */
  #abandon(): void {
    this.#isOpen = false;
    this.#remove(this.#segments.pop());
    this.#changed();
  }

  #remove(segment: LiveSegment | undefined): void {
    this.#bytes -= segment?.parts.reduce((sum, { data }) => sum + data.length, 0) ?? 0;
  }

  #trim(): void {
    const isOld = (segment: LiveSegment): boolean => segment.at + segment.duration <= this.#end - this.#keepMs;
    while (this.#segments.length > 1 && (this.#bytes > this.#keepBytes || isOld(this.#segments[0]!)))
      this.#remove(this.#segments.shift());
    if (this.#bytes > this.#keepBytes) this.#abandon();
    const oldest = this.#segments[0]?.init ?? 0;
    for (const init of this.#inits.keys()) if (init < oldest) this.#inits.delete(init);
  }
}

/** The parts of a segment as they were taken. */
function* partsOf({ number: segment, init, parts }: LiveSegment): Generator<LivePart> {
  for (const [n, part] of parts.entries()) yield { segment, init, startsSegment: n === 0, ...part };
}
