import type { ChannelOptions } from '../options.ts';

/** Messages of the Data Channel Establishment Protocol (RFC 8832 section 5). */
export const DcepType = { ack: 2, open: 3 } as const;

const HEADER = 12;
const UNORDERED = 0x80;
const RETRANSMITS = 1;
const LIFETIME = 2;
/** Bytes of a label and of a protocol, each. */
const MOST_TEXT = 256;
const PRIORITY_NORMAL = 256;

export interface DcepOpen extends ChannelOptions {
  label: string;
  protocol: string;
}

/** Undefined: malformed, an unknown type of channel, or a label or protocol that is too long. */
export function readOpen(message: Buffer): DcepOpen | undefined {
  if (message.length < HEADER || message[0] !== DcepType.open) return undefined;
  const kind = message[1]! & ~UNORDERED;
  const limit = message.readUInt32BE(4);
  const labelLength = message.readUInt16BE(8);
  const protocolLength = message.readUInt16BE(10);
  if (kind > LIFETIME || labelLength > MOST_TEXT || protocolLength > MOST_TEXT) return undefined;
  if (HEADER + labelLength + protocolLength > message.length) return undefined;
  const open: DcepOpen = {
    label: message.toString('utf8', HEADER, HEADER + labelLength),
    protocol: message.toString('utf8', HEADER + labelLength, HEADER + labelLength + protocolLength),
    ordered: (message[1]! & UNORDERED) === 0,
  };
  if (kind === RETRANSMITS) open.maxRetransmits = limit;
  if (kind === LIFETIME) open.maxLifetimeMs = limit;
  return open;
}

/** @throws {RangeError} for a label or protocol of more than 256 bytes, or limits that exclude each other */
export function writeOpen(open: DcepOpen): Buffer {
  const label = Buffer.from(open.label);
  const protocol = Buffer.from(open.protocol);
  if (label.length > MOST_TEXT || protocol.length > MOST_TEXT)
    throw new RangeError('the label or protocol is too long');
  const { maxRetransmits, maxLifetimeMs } = open;
  if (maxRetransmits !== undefined && maxLifetimeMs !== undefined) {
    throw new RangeError('a channel has one limit only: retransmissions or lifetime');
  }
  const kind = maxRetransmits !== undefined ? RETRANSMITS : maxLifetimeMs !== undefined ? LIFETIME : 0;
  const message = Buffer.alloc(HEADER + label.length + protocol.length);
  message[0] = DcepType.open;
  message[1] = kind | (open.ordered ? 0 : UNORDERED);
  message.writeUInt16BE(PRIORITY_NORMAL, 2);
  message.writeUInt32BE(maxRetransmits ?? maxLifetimeMs ?? 0, 4);
  message.writeUInt16BE(label.length, 8);
  message.writeUInt16BE(protocol.length, 10);
  message.set(label, HEADER);
  message.set(protocol, HEADER + label.length);
  return message;
}
