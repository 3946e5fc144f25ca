const OPUS = 111;

/** A RED payload (RFC 2198): `repeated` are earlier frames, each with its distance in timestamp units. */
export function redPayload(primary: string, repeated: Array<[ago: number, frame: string]>): Buffer {
  const heads = repeated.map(([ago, frame]) => {
    const head = Buffer.alloc(4);
    head.writeUInt32BE((((0x80 | OPUS) << 24) | (ago << 10) | frame.length) >>> 0);
    return head;
  });
  return Buffer.concat([
    ...heads,
    Buffer.from([OPUS]),
    ...repeated.map(([, frame]) => Buffer.from(frame)),
    Buffer.from(primary),
  ]);
}
