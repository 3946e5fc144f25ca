/** One value of DER (X.690): where it begins, and where its content begins and ends. */
export interface Value {
  tag: number;
  at: number;
  start: number;
  end: number;
}

/** The length at an offset, and where the content begins. @throws RangeError */
function lengthAt(bytes: Buffer, at: number): { length: number; start: number } {
  const first = bytes.readUInt8(at);
  if (first < 0x80) return { length: first, start: at + 1 };
  const count = first & 0x7f;
  if (count === 0 || count > 4) throw new RangeError('A length of DER is not readable.');
  return { length: bytes.readUIntBE(at + 1, count), start: at + 1 + count };
}

/** The values behind each other between two offsets. @throws RangeError */
export function* valuesIn(bytes: Buffer, from: number, to: number): Generator<Value> {
  for (let at = from; at < to;) {
    const tag = bytes.readUInt8(at);
    const { length, start } = lengthAt(bytes, at + 1);
    const end = start + length;
    if (end > to) throw new RangeError('A value of DER is longer than what it is in.');
    yield { tag, at, start, end };
    at = end;
  }
}

/** The values inside a SEQUENCE. @throws RangeError if it is another value */
export function partsOf(bytes: Buffer, { tag, start, end }: Value): Value[] {
  if (tag !== 0x30) throw new RangeError('A SEQUENCE is missing.');
  return [...valuesIn(bytes, start, end)];
}

/** A value with its tag and length. */
export const derOfValue = (bytes: Buffer, { at, end }: Value): Buffer => bytes.subarray(at, end);
