import type { CodedPicture } from '../switch.ts';

/** Sizes in bytes of the file's header, of a tag's header, and of the length behind each tag. */
const FILE_HEADER = 13;
const TAG_HEADER = 11;
const TAG_END = 4;
const VIDEO_TAG = 9;
const KEY_FRAME = 1;
/** Kinds of AVC packets: parameter sets, and a picture. */
const CONFIGURATION = 0;
const PICTURE = 1;

/**
 * Reads H.264 pictures with their times from FLV (Adobe's Video File Format Specification, version 10, annex E): the
 * simplest of ffmpeg's formats that has times and no delay.
 */
export class FlvReader {
  #onPicture: (picture: CodedPicture, timestamp: number) => void;
  #data = Buffer.alloc(0);
  #hasHeader = false;
  /** They are sent once, and each key frame of a recording has them. */
  #parameterSets: Buffer[] = [];

  /** `timestamp`: ms. */
  constructor(onPicture: (picture: CodedPicture, timestamp: number) => void) {
    this.#onPicture = onPicture;
  }

  /** Takes the next bytes. @throws RangeError if they are not FLV */
  push(chunk: Buffer): void {
    this.#data = Buffer.concat([this.#data, chunk]);
    if (!this.#hasHeader) {
      if (this.#data.length < FILE_HEADER) return;
      if (!this.#data.toString('latin1').startsWith('FLV')) throw new RangeError('This is not FLV.');
      this.#data = this.#data.subarray(FILE_HEADER);
      this.#hasHeader = true;
    }
    while (this.#data.length >= TAG_HEADER) {
      const end = TAG_HEADER + this.#data.readUIntBE(1, 3);
      if (this.#data.length < end + TAG_END) return;
      const timestamp = (this.#data[7]! << 24) | this.#data.readUIntBE(4, 3);
      if (this.#data[0] === VIDEO_TAG) this.#take(this.#data.subarray(TAG_HEADER, end), timestamp);
      this.#data = this.#data.subarray(end + TAG_END);
    }
  }

  /** Takes the body of a video tag: kind, kind of packet, composition time, data. */
  #take(body: Buffer, timestamp: number): void {
    const data = body.subarray(5);
    if (body[1] === CONFIGURATION) this.#parameterSets = parameterSetsOf(data);
    if (body[1] !== PICTURE) return;
    const isKey = body[0]! >> 4 === KEY_FRAME;
    const units = unitsOf(data, 4);
    this.#onPicture({ units: isKey ? [...this.#parameterSets, ...units] : units, isKey }, timestamp);
  }
}

/** Units with their length, of so many bytes, before them. */
function unitsOf(data: Buffer, lengthSize: number, count = Infinity): Buffer[] {
  const units: Buffer[] = [];
  for (let at = 0; at < data.length && units.length < count;) {
    const end = at + lengthSize + data.readUIntBE(at, lengthSize);
    units.push(data.subarray(at + lengthSize, end));
    at = end;
  }
  return units;
}

/** Of a decoder's configuration record (ISO/IEC 14496-15, 5.3.3.1). */
function parameterSetsOf(record: Buffer): Buffer[] {
  const sps = unitsOf(record.subarray(6), 2, record[5]! & 0x1f);
  const rest = record.subarray(6 + sps.reduce((sum, { length }) => sum + 2 + length, 0));
  return [...sps, ...unitsOf(rest.subarray(1), 2, rest[0])];
}
