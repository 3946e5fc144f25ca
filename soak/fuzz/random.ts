/**
 * Numbers that depend only on the seed (mulberry32), and values derived from them: the same seed sends the same
 * messages.
 */
export class Random {
  #state: number;

  constructor(seed: number) {
    this.#state = seed | 0;
  }

  /** 0 to below 1. */
  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), 1 | this.#state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }

  /** A whole number from 0 to below `end`. */
  below(end: number): number {
    return Math.floor(this.next() * end);
  }

  chance(share: number): boolean {
    return this.next() < share;
  }

  pick<T>(from: readonly T[]): T {
    return from[this.below(from.length)]!;
  }

  bytes(length: number): Buffer {
    return Buffer.from(Array.from({ length }, () => this.below(256)));
  }

  /** A number at which programs often fail. */
  extreme(): number {
    return this.pick([
      0,
      1,
      -1,
      127,
      128,
      255,
      256,
      32_767,
      32_768,
      65_535,
      65_536,
      2 ** 31 - 1,
      2 ** 31,
      2 ** 32 - 1,
      2 ** 32,
      2 ** 53,
      -(2 ** 31),
      1.5,
      1e300,
    ]);
  }
}

const LONGEST = 64 * 1024;

function mutateOnce(bytes: Buffer, random: Random): Buffer {
  if (bytes.length === 0) return random.bytes(1 + random.below(16));
  const at = random.below(bytes.length);
  const length = 1 + random.below(Math.min(32, bytes.length - at));
  switch (random.below(8)) {
    case 0:
      bytes[at]! ^= 1 << random.below(8);
      return bytes;
    case 1:
      bytes[at] = random.pick([0, 1, 0x7f, 0x80, 0xff, random.below(256)]);
      return bytes;
    case 2: // a number of two or four bytes
      if (at + 4 <= bytes.length) bytes.writeUInt32BE(random.pick([0, 1, 0x7fff_ffff, 0x8000_0000, 0xffff_ffff]), at);
      return bytes;
    case 3:
      return Buffer.concat([bytes.subarray(0, at), random.bytes(length), bytes.subarray(at)]);
    case 4:
      return Buffer.concat([bytes.subarray(0, at), bytes.subarray(at + length)]);
    case 5:
      return bytes.subarray(0, at);
    case 6: // duplicated
      return Buffer.concat([bytes.subarray(0, at + length), bytes.subarray(at)]);
    default: {
      const times = Math.min(200, Math.floor(LONGEST / (bytes.length + length)));
      return Buffer.concat([
        bytes.subarray(0, at),
        ...Array.from({ length: random.below(times + 1) }, () => bytes.subarray(at, at + length)),
        bytes.subarray(at),
      ]);
    }
  }
}

/** A message with some of its bytes changed: flipped, removed, inserted, duplicated. */
export function mutate(message: Uint8Array, random: Random): Buffer {
  let bytes: Buffer = Buffer.from(message);
  for (let times = 1 + random.below(4); times > 0; times--) bytes = mutateOnce(bytes, random);
  return bytes.length > LONGEST ? bytes.subarray(0, LONGEST) : bytes;
}

/** The same for text of lines: lines removed, duplicated, moved, numbers made extreme, characters changed. */
export function mutateLines(text: string, random: Random): string {
  const lines = text.split('\r\n');
  for (let times = 1 + random.below(6); times > 0; times--) {
    const at = random.below(lines.length);
    const line = lines[at] ?? '';
    switch (random.below(6)) {
      case 0:
        lines.splice(at, 1 + random.below(4));
        break;
      case 1:
        lines.splice(at, 0, ...Array.from({ length: 1 + random.below(20) }, () => line));
        break;
      case 2:
        lines.splice(at, 1);
        lines.splice(random.below(lines.length + 1), 0, line);
        break;
      case 3:
        lines[at] = line.replace(/\d+/, String(random.extreme()));
        break;
      case 4:
        lines[at] = mutate(Buffer.from(line), random).toString('latin1');
        break;
      default:
        lines[at] = line.slice(0, random.below(line.length + 1));
    }
  }
  return lines.join('\r\n').slice(0, LONGEST);
}

/**
 * The same for JSON: values of other types, extreme numbers, long texts, deep nesting; sometimes the text itself is
 * corrupted.
 */
export function mutateJson(value: unknown, random: Random): string {
  const wrong = (): unknown =>
    random.pick<() => unknown>([
      () => null,
      () => true,
      () => random.extreme(),
      () => 'x'.repeat(random.below(2_000)),
      () => [],
      () => ({}),
      () => random.bytes(8).toString('latin1'),
      () => Array.from({ length: random.below(50) }, () => 'y'),
      () => '__proto__',
      () => ({ __proto__: null, constructor: 1 }),
      () => '-1',
      () => [[[[[[{}]]]]]],
    ])();
  const visit = (part: unknown): unknown => {
    if (random.chance(0.2)) return wrong();
    if (Array.isArray(part)) return part.map(visit);
    if (part !== null && typeof part === 'object') {
      const fields = Object.entries(part)
        .filter(() => !random.chance(0.1))
        .map(([key, field]): [string, unknown] => [random.chance(0.05) ? JSON.stringify(wrong()) : key, visit(field)]);
      return Object.fromEntries(fields);
    }
    return part;
  };
  const text = JSON.stringify(visit(value)) ?? 'null';
  return random.chance(0.2) ? mutate(Buffer.from(text), random).toString('latin1') : text;
}
