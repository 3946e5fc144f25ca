import { createHmac, timingSafeEqual } from 'node:crypto';

/**
 * Content of a LiveKit access token signed with the engine's secret: its room and its identity. The engine checks times
 * and grants.
 */
interface Token {
  room: string | undefined;
  identity: string;
}

function readToken(token: string, secret: string): Token | undefined {
  const [head = '', body = '', signature = ''] = token.split('.');
  const right = createHmac('sha256', secret).update(`${head}.${body}`).digest();
  const given = Buffer.from(signature, 'base64url');
  if (given.length !== right.length || !timingSafeEqual(given, right)) return undefined;
  try {
    const { video, sub } = JSON.parse(Buffer.from(body, 'base64url').toString()) as {
      video?: { room?: unknown };
      sub?: unknown;
    };
    return {
      room: typeof video?.room === 'string' && video.room !== '' ? video.room : undefined,
      identity: typeof sub === 'string' ? sub : '',
    };
  } catch {
    return undefined; // the engine reports it
  }
}

/** The information by which the front routes a call. */
export interface Destination {
  /** Undefined if the call is not about a room, or if the token is not the engine's, which any process then rejects. */
  room: string | undefined;
  /** Whether this call may create the room. */
  mayPlace: boolean;
}

const NOWHERE: Destination = { room: undefined, mayPlace: false };

/** The target and identity of a connection to `/rtc*`. */
export interface Entrance extends Destination {
  identity: string;
}

/** The room of a connection to `/rtc*`, from its access token in the query (`?access_token=`) or the header. */
export function roomOfConnection(
  query: string,
  authorization: string | undefined,
  secret: string,
  mayPlace: boolean,
): Entrance {
  const given = new URLSearchParams(query).get('access_token') ?? bearer(authorization);
  const token = given === undefined ? undefined : readToken(given, secret);
  return token?.room === undefined
    ? { ...NOWHERE, identity: '' }
    : { room: token.room, mayPlace, identity: token.identity };
}

/** The room of a RoomService call of LiveKit: from the token if it is for a room, else from the request. */
export function roomOfCall(
  method: string,
  authorization: string | undefined,
  isJson: boolean,
  body: Buffer,
  secret: string,
): Destination {
  const token = readToken(bearer(authorization) ?? '', secret);
  if (!token) return NOWHERE;
  if (method !== 'CreateRoom' && method !== 'DeleteRoom') return { room: token.room, mayPlace: false };
  const field = method === 'CreateRoom' ? 'name' : 'room';
  const room = isJson ? textOfJson(body, field) : firstField(body);
  return room === undefined || room === '' ? NOWHERE : { room, mayPlace: method === 'CreateRoom' };
}

/** Unreadable input has no destination: the engine reports the reason. */
function textOfJson(body: Buffer, field: string): string | undefined {
  try {
    const value = (JSON.parse(body.toString()) as Record<string, unknown>)[field];
    return typeof value === 'string' ? value : undefined;
  } catch {
    return undefined;
  }
}

/**
 * The text of field 1 of a protobuf message: the room's name in CreateRoomRequest and DeleteRoomRequest
 * (livekit_room.proto).
 */
function firstField(bytes: Buffer): string | undefined {
  let at = 0;
  const varint = (): number => {
    let value = 0;
    for (let shift = 0; shift < 28 && at < bytes.length; shift += 7) {
      const byte = bytes[at++]!;
      value |= (byte & 0x7f) << shift;
      if (byte < 0x80) break;
    }
    return value;
  };
  while (at < bytes.length) {
    const tag = varint();
    if ((tag & 7) === 0) varint();
    else if ((tag & 7) === 2) {
      const end = varint() + at;
      if (tag >> 3 === 1) return bytes.toString('utf8', at, end);
      at = end;
    } else return undefined;
  }
  return undefined;
}

function bearer(authorization: string | undefined): string | undefined {
  return /^Bearer (\S+)$/.exec(authorization ?? '')?.[1];
}
