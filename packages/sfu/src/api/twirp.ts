import { createHash } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import {
  CreateRoomRequest,
  DeleteRoomRequest,
  ForwardParticipantRequest,
  ListParticipantsRequest,
  ListRoomsRequest,
  MoveParticipantRequest,
  MuteRoomTrackRequest,
  RoomParticipantIdentity,
  SendDataRequest,
  UpdateParticipantRequest,
  UpdateRoomMetadataRequest,
  UpdateSubscriptionsRequest,
} from '@livekit/protocol';
import { limits } from '../limits.ts';
import type { Log } from '../options.ts';
import type { Grants } from '../signalling/grants.ts';
import { TokenError, type AccessTokens } from '../signalling/access-token.ts';
import { twirpJson, type RoomService } from './room-service.ts';
import { TwirpError } from './twirp-error.ts';

interface Reply {
  toJsonString(options: typeof twirpJson): string;
  toBinary(): Uint8Array;
}

interface Binary {
  toBinary(): Uint8Array;
}

interface RequestType<T extends Binary> {
  fromBinary(bytes: Uint8Array): T;
  fromJsonString(json: string, options: { ignoreUnknownFields: boolean }): T;
}

/**
 * @throws Error for an invalid request; also for numbers that JSON allows in enumerations but protobuf cannot
 * represent.
 */
function fromJson<T extends Binary>(type: RequestType<T>, text: string): T {
  const request = type.fromJsonString(text, { ignoreUnknownFields: true });
  request.toBinary();
  return request;
}

type Call = (grants: Grants, body: Buffer, json: boolean) => Reply | Promise<Reply>;

function call<T extends Binary>(type: RequestType<T>, run: (grants: Grants, request: T) => Reply): Call {
  return (grants, body, json) => {
    let request: T;
    try {
      request = json ? fromJson(type, body.length === 0 ? '{}' : body.toString('utf8')) : type.fromBinary(body);
    } catch {
      throw new TwirpError('malformed', 'the request cannot be read');
    }
    return run(grants, request);
  };
}

/** The body of `UpdateParticipants`: changes in the JSON of UpdateParticipantRequest, all in one room. */
function readUpdates(body: Buffer): { room: string; updates: UpdateParticipantRequest[] } {
  try {
    const { room, participants } = JSON.parse(body.toString()) as { room: string; participants: object[] };
    if (typeof room !== 'string') throw new TypeError('room is no text');
    return {
      room,
      updates: participants.map((update) => fromJson(UpdateParticipantRequest, JSON.stringify({ ...update, room }))),
    };
  } catch {
    throw new TwirpError('malformed', 'the request cannot be read');
  }
}

/** Calls in addition to LiveKit's, as `/twirp/rmeet.RoomService/<method>`; only in JSON. */
function ownCallsOf(service: RoomService): Map<string, Call> {
  return new Map<string, Call>([
    [
      'UpdateParticipants',
      async (grants, body) => {
        const { room, updates } = readUpdates(body);
        const failed = await service.updateParticipants(grants, room, updates);
        return { toJsonString: () => JSON.stringify({ failed }), toBinary: () => new Uint8Array() };
      },
    ],
  ]);
}

function callsOf(service: RoomService): Map<string, Call> {
  return new Map<string, Call>([
    ['CreateRoom', call(CreateRoomRequest, (grants, request) => service.createRoom(grants, request))],
    ['ListRooms', call(ListRoomsRequest, (grants, request) => service.listRooms(grants, request))],
    ['DeleteRoom', call(DeleteRoomRequest, (grants, request) => service.deleteRoom(grants, request))],
    ['ListParticipants', call(ListParticipantsRequest, (grants, request) => service.listParticipants(grants, request))],
    ['GetParticipant', call(RoomParticipantIdentity, (grants, request) => service.getParticipant(grants, request))],
    [
      'RemoveParticipant',
      call(RoomParticipantIdentity, (grants, request) => service.removeParticipant(grants, request)),
    ],
    [
      'MutePublishedTrack',
      call(MuteRoomTrackRequest, (grants, request) => service.mutePublishedTrack(grants, request)),
    ],
    [
      'UpdateParticipant',
      call(UpdateParticipantRequest, (grants, request) => service.updateParticipant(grants, request)),
    ],
    [
      'UpdateSubscriptions',
      call(UpdateSubscriptionsRequest, (grants, request) => service.updateSubscriptions(grants, request)),
    ],
    ['SendData', call(SendDataRequest, (grants, request) => service.sendData(grants, request))],
    [
      'ForwardParticipant',
      call(ForwardParticipantRequest, (grants, request) => service.forwardOrMove(grants, request)),
    ],
    ['MoveParticipant', call(MoveParticipantRequest, (grants, request) => service.forwardOrMove(grants, request))],
    [
      'UpdateRoomMetadata',
      call(UpdateRoomMetadataRequest, (grants, request) => service.updateRoomMetadata(grants, request)),
    ],
  ]);
}

async function readBody(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > limits.twirpBodyBytes) throw new TwirpError('malformed', 'the request is too large');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

/** `/twirp/livekit.RoomService/<method>`, and our own service: Twirp v7 with JSON (and protobuf) bodies. */
export class TwirpServer {
  readonly #tokens: AccessTokens;
  /** By service. */
  readonly #calls: ReadonlyMap<string, Map<string, Call>>;
  readonly #log: Log;

  constructor(tokens: AccessTokens, service: RoomService, log: Log) {
    this.#tokens = tokens;
    this.#calls = new Map([
      ['livekit.RoomService', callsOf(service)],
      ['rmeet.RoomService', ownCallsOf(service)],
    ]);
    this.#log = log;
  }

  /** @param path `<service>/<method>` */
  handle(request: IncomingMessage, response: ServerResponse, path: string): void {
    const [service = '', method = ''] = path.split('/', 2);
    const run = this.#calls.get(service)?.get(method);
    const json = !(request.headers['content-type'] ?? '').startsWith('application/protobuf');
    this.#run(request, run, json).then(
      (reply) => {
        response.writeHead(200, { 'content-type': json ? 'application/json' : 'application/protobuf' });
        return response.end(json ? reply.toJsonString(twirpJson) : reply.toBinary());
      },
      (error: unknown) => {
        const known = error instanceof TwirpError ? error : new TwirpError('internal', 'internal error');
        if (known !== error) this.#log('error', 'server API call failed', { method, error: String(error) });
        response.writeHead(known.status, { 'content-type': 'application/json', connection: 'close' });
        response.end(JSON.stringify({ code: known.code, msg: known.message }));
      },
    );
  }

  async #run(request: IncomingMessage, run: Call | undefined, json: boolean): Promise<Reply> {
    if (!run || request.method !== 'POST') throw new TwirpError('bad_route', 'no such method');
    const token = /^Bearer (\S+)$/.exec(request.headers.authorization ?? '')?.[1];
    if (token === undefined) throw new TwirpError('unauthenticated', 'no access token');
    let grants: Grants;
    try {
      grants = await this.#tokens.verify(token);
    } catch (error) {
      if (error instanceof TokenError) throw new TwirpError('unauthenticated', error.message);
      throw error;
    }
    const body = await readBody(request);
    if (grants.sha256 !== '' && createHash('sha256').update(body).digest('base64') !== grants.sha256) {
      throw new TwirpError('unauthenticated', 'the token is for another body');
    }
    return run(grants, body, json);
  }
}
