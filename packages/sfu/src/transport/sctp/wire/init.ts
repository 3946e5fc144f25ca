import { ParameterType } from './constants.ts';
import { readParameters, unknownParameter } from './parameters.ts';

/** An INIT or INIT ACK chunk (RFC 9260 sections 3.3.2 and 3.3.3). */
export interface InitChunk {
  /** Unsigned, never 0. */
  initiateTag: number;
  receiveWindow: number;
  outgoingStreams: number;
  incomingStreams: number;
  initialTsn: number;
  forwardTsn: boolean;
  /** Chunk types of the parameter Supported Extensions (RFC 5061 section 4.2.7). */
  extensions: readonly number[];
  /** INIT ACK only. */
  cookie?: Buffer;
  /** Unknown parameters whose type asks for a report: header and value. */
  unrecognised: readonly { type: number; value: Buffer }[];
}

const FIXED = 16;
/** Known to the field, without meaning here: addresses, cookie preservative, host name, ECN, random and the like. */
const ignored = new Set([5, 6, 8, 9, 11, 12, 0x8000, 0x8002, 0x8003, 0x8004, 0x8005, 0xc006]);

/**
 * Reads the value of an INIT or INIT ACK. Everything is copied: the result outlives the packet.
 *
 * @returns undefined if it is too short, a parameter is malformed, or a field has a forbidden zero
 */
export function readInit(value: Buffer): InitChunk | undefined {
  if (value.length < FIXED) return undefined;
  const extensions: number[] = [];
  const unrecognised: { type: number; value: Buffer }[] = [];
  const init: InitChunk = {
    initiateTag: value.readUInt32BE(0),
    receiveWindow: value.readUInt32BE(4),
    outgoingStreams: value.readUInt16BE(8),
    incomingStreams: value.readUInt16BE(10),
    initialTsn: value.readInt32BE(12),
    forwardTsn: false,
    extensions,
    unrecognised,
  };
  if (init.initiateTag === 0 || init.outgoingStreams === 0 || init.incomingStreams === 0) return undefined;
  const isWhole = readParameters(value, FIXED, value.length, (type, content) => {
    if (type === ParameterType.stateCookie) init.cookie = Buffer.from(content);
    else if (type === ParameterType.forwardTsnSupported) init.forwardTsn = true;
    else if (type === ParameterType.supportedExtensions) extensions.push(...content.subarray(0, 32));
    else if (!ignored.has(type)) {
      const { stop, report } = unknownParameter(type);
      if (report && unrecognised.length < 8) unrecognised.push({ type, value: Buffer.from(content) });
      return !stop;
    }
    return true;
  });
  return isWhole ? init : undefined;
}

/** The fixed part of an INIT or INIT ACK; parameters follow it. */
export function writeInit(
  init: Pick<InitChunk, 'initiateTag' | 'receiveWindow' | 'outgoingStreams' | 'incomingStreams' | 'initialTsn'>,
): Buffer {
  const value = Buffer.alloc(FIXED);
  value.writeUInt32BE(init.initiateTag, 0);
  value.writeUInt32BE(init.receiveWindow, 4);
  value.writeUInt16BE(init.outgoingStreams, 8);
  value.writeUInt16BE(init.incomingStreams, 10);
  value.writeInt32BE(init.initialTsn | 0, 12);
  return value;
}
