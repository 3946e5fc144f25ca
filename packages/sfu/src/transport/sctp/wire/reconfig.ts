import { ParameterType } from './constants.ts';
import { parameter, readParameters } from './parameters.ts';

/** A request or response in a RE-CONFIG chunk (RFC 6525 section 4). */
export type ReconfigParameter =
  | { kind: 'outgoing'; request: number; response: number; lastTsn: number; streams: readonly number[] }
  | { kind: 'incoming'; request: number; streams: readonly number[] }
  | { kind: 'response'; request: number; result: number }
  /** Known, not supported: the receiver denies it. */
  | { kind: 'other'; request: number };

/** Results of a request (RFC 6525 section 4.4). */
export const ResetResult = {
  nothingToDo: 0,
  performed: 1,
  denied: 2,
  wrongStream: 3,
  alreadyInProgress: 4,
  badSequence: 5,
  inProgress: 6,
} as const;

function streamIds(value: Buffer, offset: number): number[] {
  const ids: number[] = [];
  for (let at = offset; at + 2 <= value.length; at += 2) ids.push(value.readUInt16BE(at));
  return ids;
}

function readOne(type: number, value: Buffer): ReconfigParameter | undefined {
  if (value.length < 4) return undefined;
  const request = value.readInt32BE(0);
  if (type === ParameterType.outgoingReset && value.length >= 12)
    return {
      kind: 'outgoing',
      request,
      response: value.readInt32BE(4),
      lastTsn: value.readInt32BE(8),
      streams: streamIds(value, 12),
    };
  if (type === ParameterType.incomingReset) return { kind: 'incoming', request, streams: streamIds(value, 4) };
  if (type === ParameterType.resetResponse && value.length >= 8)
    return { kind: 'response', request, result: value.readUInt32BE(4) };
  if (type === ParameterType.tsnReset || type === ParameterType.addOutgoing || type === ParameterType.addIncoming)
    return { kind: 'other', request };
  return undefined;
}

/** At most two parameters (RFC 6525 section 3.1). Undefined: malformed. Serial numbers are signed 32 bits. */
export function readReconfig(value: Buffer): ReconfigParameter[] | undefined {
  const found: ReconfigParameter[] = [];
  const isWhole = readParameters(value, 0, value.length, (type, content) => {
    const one = readOne(type, content);
    if (one !== undefined) found.push(one);
    return found.length < 2;
  });
  return isWhole ? found : undefined;
}

export function outgoingResetParameter(
  request: number,
  response: number,
  lastTsn: number,
  streams: readonly number[],
): Buffer {
  const value = Buffer.alloc(12 + 2 * streams.length);
  value.writeInt32BE(request | 0, 0);
  value.writeInt32BE(response | 0, 4);
  value.writeInt32BE(lastTsn | 0, 8);
  for (const [index, id] of streams.entries()) value.writeUInt16BE(id, 12 + 2 * index);
  return parameter(ParameterType.outgoingReset, value);
}

export function resetResponseParameter(request: number, result: number): Buffer {
  const value = Buffer.alloc(8);
  value.writeInt32BE(request | 0, 0);
  value.writeUInt32BE(result, 4);
  return parameter(ParameterType.resetResponse, value);
}
