import { randomBytes } from 'node:crypto';

let lastTime = 0;
let sequence = 0;

/**
 * A UUID version 7 (RFC 9562, section 5.7): 48 bits of Unix time in milliseconds, then a 12-bit counter that increases
 * within one millisecond (section 6.2, method 1), then 62 random bits. Ids made by one process sort by creation.
 */
export function newId(): string {
  const now = Math.max(Date.now(), lastTime);
  if (now === lastTime) sequence += 1;
  else sequence = randomBytes(1)[0] ?? 0;
  lastTime = now;
  if (sequence > 0xfff) {
    lastTime += 1;
    sequence = 0;
  }
  const bytes = Buffer.alloc(16);
  bytes.writeUIntBE(lastTime, 0, 6);
  bytes.writeUInt16BE(0x7000 | sequence, 6);
  randomBytes(8).copy(bytes, 8);
  bytes.writeUInt8(0x80 | (bytes.readUInt8(8) & 0x3f), 8);
  const hex = bytes.toString('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
}
