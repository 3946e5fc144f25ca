/** A file of a ZIP file. */
export interface ZipEntry {
  /** With folders: `Slides/plan.pdf`. */
  path: string;
  /** Bytes. */
  size: number;
  modifiedAt: Date;
  /** CRC-32 of its content. */
  crc(): Promise<number>;
  open(): AsyncIterable<Buffer>;
}

/** From here on sizes, places and numbers need the fields of ZIP64 (APPNOTE 4.4.1.4). */
const MAX_32 = 0xff_ff_ff_ff;
const MAX_16 = 0xff_ff;
/** Names are UTF-8 (APPNOTE 4.4.4, bit 11). */
const UTF8 = 0x08_00;
const VERSION = 20;
const VERSION_64 = 45;

/** An entry that has been written: what the directory at the end needs. */
interface Written {
  name: Buffer;
  size: number;
  crc: number;
  at: number;
  date: number;
}

/** Date and time of MS-DOS, in UTC: two 16-bit words, the date above. */
function dosDate(time: Date): number {
  const year = Math.max(1980, Math.min(2107, time.getUTCFullYear()));
  const date = ((year - 1980) << 9) | ((time.getUTCMonth() + 1) << 5) | time.getUTCDate();
  const clock = (time.getUTCHours() << 11) | (time.getUTCMinutes() << 5) | (time.getUTCSeconds() >> 1);
  return date * 0x1_00_00 + clock;
}

/** The ZIP64 extra field with these values; empty without any. */
function extra64(...values: number[]): Buffer {
  if (values.length === 0) return Buffer.alloc(0);
  const field = Buffer.alloc(4 + 8 * values.length);
  field.writeUInt16LE(1, 0);
  field.writeUInt16LE(8 * values.length, 2);
  values.forEach((value, i) => field.writeBigUInt64LE(BigInt(value), 4 + 8 * i));
  return field;
}

/** What a local header and one of the directory have in common (APPNOTE 4.3.7, 4.3.12); stored, not compressed. */
function common({ name, size, crc, date }: Written, extra: Buffer): Buffer {
  const fields = Buffer.alloc(26);
  fields.writeUInt16LE(extra.length > 0 ? VERSION_64 : VERSION, 0);
  fields.writeUInt16LE(UTF8, 2);
  fields.writeUInt32LE(date, 6);
  fields.writeUInt32LE(crc, 10);
  fields.writeUInt32LE(Math.min(size, MAX_32), 14);
  fields.writeUInt32LE(Math.min(size, MAX_32), 18);
  fields.writeUInt16LE(name.length, 22);
  fields.writeUInt16LE(extra.length, 24);
  return fields;
}

function localHeader(entry: Written): Buffer {
  const extra = entry.size >= MAX_32 ? extra64(entry.size, entry.size) : extra64();
  return Buffer.concat([Buffer.from('PK\x03\x04', 'latin1'), common(entry, extra), entry.name, extra]);
}

function directoryHeader(entry: Written): Buffer {
  const { size, at, name } = entry;
  const extra = extra64(...(size >= MAX_32 ? [size, size] : []), ...(at >= MAX_32 ? [at] : []));
  const rest = Buffer.alloc(14);
  rest.writeUInt32LE(Math.min(at, MAX_32), 10);
  return Buffer.concat([
    Buffer.from('PK\x01\x02', 'latin1'),
    Buffer.from([VERSION_64, 0]),
    common(entry, extra),
    rest,
    name,
    extra,
  ]);
}

/** The end of the directory, with that of ZIP64 where it is needed (APPNOTE 4.3.14 to 4.3.16). */
function directoryEnd(count: number, size: number, at: number): Buffer {
  const end = Buffer.alloc(22);
  end.write('PK\x05\x06', 'latin1');
  end.writeUInt16LE(Math.min(count, MAX_16), 8);
  end.writeUInt16LE(Math.min(count, MAX_16), 10);
  end.writeUInt32LE(Math.min(size, MAX_32), 12);
  end.writeUInt32LE(Math.min(at, MAX_32), 16);
  if (count < MAX_16 && size < MAX_32 && at < MAX_32) return end;
  const end64 = Buffer.alloc(56 + 20);
  end64.write('PK\x06\x06', 'latin1');
  end64.writeBigUInt64LE(44n, 4);
  end64.writeUInt16LE(VERSION_64, 12);
  end64.writeUInt16LE(VERSION_64, 14);
  end64.writeBigUInt64LE(BigInt(count), 24);
  end64.writeBigUInt64LE(BigInt(count), 32);
  end64.writeBigUInt64LE(BigInt(size), 40);
  end64.writeBigUInt64LE(BigInt(at), 48);
  end64.write('PK\x06\x07', 56, 'latin1');
  end64.writeBigUInt64LE(BigInt(at + size), 64);
  end64.writeUInt32LE(1, 72);
  return Buffer.concat([end64, end]);
}

const plan = ({ path, size, modifiedAt }: ZipEntry, at: number): Written => ({
  name: Buffer.from(path),
  size,
  crc: 0,
  at,
  date: dosDate(modifiedAt),
});

/** The bytes of the ZIP file of these entries. */
export function zipSize(entries: readonly ZipEntry[]): number {
  let [at, directory] = [0, 0];
  for (const entry of entries) {
    const planned = plan(entry, at);
    directory += directoryHeader(planned).length;
    at += localHeader(planned).length + entry.size;
  }
  return at + directory + directoryEnd(entries.length, directory, at).length;
}

/**
 * A ZIP file, as a stream: entries are opened one after the other, and stored without compression, since most files
 * of meetings are compressed already. Of each entry only its directory header is kept.
 *
 * @throws Error if an entry has other bytes than its size says, which ends the download before its announced length
 */
export async function* zipOf(entries: readonly ZipEntry[]): AsyncGenerator<Buffer> {
  const written: Written[] = [];
  let at = 0;
  for (const entry of entries) {
    const header = { ...plan(entry, at), crc: await entry.crc() };
    const local = localHeader(header);
    yield local;
    let size = 0;
    for await (const chunk of entry.open()) {
      size += chunk.length;
      yield chunk;
    }
    if (size !== entry.size) throw new Error('A file changed while it was zipped.');
    written.push(header);
    at += local.length + size;
  }
  let directory = 0;
  for (const header of written) {
    const bytes = directoryHeader(header);
    directory += bytes.length;
    yield bytes;
  }
  yield directoryEnd(written.length, directory, at);
}
