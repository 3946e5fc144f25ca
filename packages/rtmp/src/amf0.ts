/** AMF0, the encoding of RTMP commands (Action Message Format AMF 0, Adobe, 2007). */

export type AmfValue = number | boolean | string | null | undefined | AmfValue[] | { [name: string]: AmfValue };
export type AmfObject = Record<string, AmfValue>;

/** Type markers (section 2.1). */
const NUMBER = 0x00;
const BOOLEAN = 0x01;
const STRING = 0x02;
const OBJECT = 0x03;
const NULL = 0x05;
const UNDEFINED = 0x06;
const ECMA_ARRAY = 0x08;
const OBJECT_END = 0x09;
const STRICT_ARRAY = 0x0a;
const DATE = 0x0b;
const LONG_STRING = 0x0c;

/** Objects may be nested this deep; commands need two levels. */
const DEEPEST = 8;

/** Encodes values one after the other, as a command message has them. */
export function writeAmf(...values: AmfValue[]): Buffer {
  return Buffer.concat(values.map(writeValue));
}

function writeValue(value: AmfValue): Buffer {
  if (value === null) return Buffer.from([NULL]);
  if (value === undefined) return Buffer.from([UNDEFINED]);
  if (typeof value === 'number') {
    const bytes = Buffer.alloc(9);
    bytes.writeDoubleBE(value, 1);
    return bytes;
  }
  if (typeof value === 'boolean') return Buffer.from([BOOLEAN, value ? 1 : 0]);
  if (typeof value === 'string') return writeString(value);
  if (Array.isArray(value)) {
    const head = Buffer.from([STRICT_ARRAY, 0, 0, 0, 0]);
    head.writeUInt32BE(value.length, 1);
    return Buffer.concat([head, ...value.map(writeValue)]);
  }
  const members = Object.entries(value).flatMap(([name, member]) => [writeName(name), writeValue(member)]);
  return Buffer.concat([Buffer.from([OBJECT]), ...members, Buffer.from([0, 0, OBJECT_END])]);
}

function writeString(text: string): Buffer {
  const bytes = Buffer.from(text);
  if (bytes.length <= 0xffff) return Buffer.concat([Buffer.from([STRING]), writeName(text)]);
  const head = Buffer.from([LONG_STRING, 0, 0, 0, 0]);
  head.writeUInt32BE(bytes.length, 1);
  return Buffer.concat([head, bytes]);
}

function writeName(name: string): Buffer {
  const bytes = Buffer.from(name);
  const head = Buffer.alloc(2);
  head.writeUInt16BE(bytes.length);
  return Buffer.concat([head, bytes]);
}

/** Decodes all values of a command message. Throws RangeError on truncated, unknown or too deeply nested values. */
export function readAmf(bytes: Buffer): AmfValue[] {
  const reader = new AmfReader(bytes);
  const values: AmfValue[] = [];
  while (!reader.isAtEnd) values.push(reader.value(0));
  return values;
}

class AmfReader {
  readonly #bytes: Buffer;
  #offset = 0;

  constructor(bytes: Buffer) {
    this.#bytes = bytes;
  }

  get isAtEnd(): boolean {
    return this.#offset >= this.#bytes.length;
  }

  value(depth: number): AmfValue {
    if (depth > DEEPEST) throw new RangeError('AMF0: nested too deeply');
    const marker = this.#unsigned(1);
    switch (marker) {
      case NUMBER:
        return this.#take(8).readDoubleBE();
      case BOOLEAN:
        return this.#unsigned(1) !== 0;
      case STRING:
        return this.#text(this.#unsigned(2));
      case OBJECT:
        return this.#members(depth);
      case NULL:
        return null;
      case UNDEFINED:
        return undefined;
      case ECMA_ARRAY:
        // Its length is approximate; the end marker counts (section 2.10).
        this.#take(4);
        return this.#members(depth);
      case STRICT_ARRAY:
        return this.#items(depth);
      case DATE: {
        const ms = this.#take(8).readDoubleBE();
        this.#take(2);
        return ms;
      }
      case LONG_STRING:
        return this.#text(this.#unsigned(4));
      default:
        throw new RangeError(`AMF0: unknown type ${marker}`);
    }
  }

  #members(depth: number): AmfObject {
    // Without a prototype, so that a member named "__proto__" is a member like any other.
    const members = Object.create(null) as AmfObject;
    for (;;) {
      const name = this.#text(this.#unsigned(2));
      if (name === '' && this.#bytes[this.#offset] === OBJECT_END) break;
      members[name] = this.value(depth + 1);
    }
    this.#offset += 1;
    return members;
  }

  #items(depth: number): AmfValue[] {
    const count = this.#unsigned(4);
    // Each value takes at least a byte, so a false count cannot allocate more than was sent.
    if (count > this.#bytes.length - this.#offset) throw new RangeError('AMF0: truncated');
    return Array.from({ length: count }, () => this.value(depth + 1));
  }

  #text(length: number): string {
    return this.#take(length).toString('utf8');
  }

  #unsigned(length: number): number {
    return this.#take(length).readUIntBE(0, length);
  }

  #take(length: number): Buffer {
    const end = this.#offset + length;
    if (end > this.#bytes.length) throw new RangeError('AMF0: truncated');
    const taken = this.#bytes.subarray(this.#offset, end);
    this.#offset = end;
    return taken;
  }
}
