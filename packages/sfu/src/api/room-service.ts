import { setImmediate as turn } from 'node:timers/promises';
import {
  CreateRoomRequest,
  DeleteRoomRequest,
  DeleteRoomResponse,
  DisconnectReason,
  type ForwardParticipantRequest,
  ListParticipantsRequest,
  ListParticipantsResponse,
  ListRoomsRequest,
  ListRoomsResponse,
  type MoveParticipantRequest,
  MuteRoomTrackRequest,
  MuteRoomTrackResponse,
  MuteTrackRequest,
  ParticipantInfo,
  RemoveParticipantResponse,
  Room as RoomInfo,
  RoomParticipantIdentity,
  SendDataRequest,
  SendDataResponse,
  UpdateParticipantRequest,
  UpdateRoomMetadataRequest,
  UpdateSubscriptionsRequest,
  UpdateSubscriptionsResponse,
  UserPacket,
} from '@livekit/protocol';
import { limits } from '../limits.ts';
import { sendServerData } from '../rooms/data.ts';
import { withPermission, type Grants } from '../signalling/grants.ts';
import type { Participant } from '../participants/participant.ts';
import { updateIdentity, updateSubscription } from '../rooms/requests.ts';
import type { Room } from '../rooms/room.ts';
import type { Rooms } from '../rooms/rooms.ts';
import { TwirpError } from './twirp-error.ts';

/** Participants that are updated in one turn of the event loop: about a millisecond of work. */
const PER_TURN = 8;

function requireRoom(rooms: Rooms, name: string): Room {
  const room = rooms.find(name);
  if (!room) throw new TwirpError('not_found', 'requested room does not exist');
  return room;
}

function requireParticipant(room: Room, identity: string): Participant {
  const participant = room.participants.get(identity);
  if (!participant) throw new TwirpError('not_found', 'participant does not exist');
  return participant;
}

/** LiveKit answers a caller without the grant as if it had no token: 401. */
function requireGrant(granted: boolean): void {
  if (!granted) throw new TwirpError('unauthenticated', 'permissions denied');
}

function requireAdmin(grants: Grants, room: string): void {
  requireGrant(grants.roomAdmin && grants.room === room);
}

function requireShort(value: string, most: number, what: string): void {
  if (Buffer.byteLength(value) > most) throw new TwirpError('invalid_argument', `${what} exceeds ${most} bytes`);
}

/** How Twirp's Go servers write JSON: field names as in the .proto files, defaults included. */
export const twirpJson = { emitDefaultValues: true, useProtoFieldName: true };

/**
 * A ListParticipantsResponse that caches the JSON of each participant until it changes, as lists are requested often.
 */
class ParticipantList {
  static readonly #json = new WeakMap<ParticipantInfo, string>();
  readonly #infos: ParticipantInfo[];

  constructor(infos: ParticipantInfo[]) {
    this.#infos = infos;
  }

  toJsonString(): string {
    const parts = this.#infos.map((info) => {
      const known = ParticipantList.#json.get(info) ?? info.toJsonString(twirpJson);
      ParticipantList.#json.set(info, known);
      return known;
    });
    return `{"participants":[${parts.join(',')}]}`;
  }

  toBinary(): Uint8Array {
    return new ListParticipantsResponse({ participants: this.#infos }).toBinary();
  }
}

/** LiveKit's RoomService over the rooms of this process. Methods throw TwirpError. */
export class RoomService {
  readonly #rooms: Rooms;

  constructor(rooms: Rooms) {
    this.#rooms = rooms;
  }

  createRoom(grants: Grants, request: CreateRoomRequest): RoomInfo {
    requireGrant(grants.roomCreate);
    if (request.name === '') throw new TwirpError('invalid_argument', 'room name is missing');
    requireShort(request.name, limits.nameBytes, 'room name');
    requireShort(request.metadata, limits.metadataBytes, 'metadata');
    const room = this.#rooms.create(request);
    if (!room) throw new TwirpError('resource_exhausted', this.#rooms.roomRefusal ?? 'too many rooms');
    return room.info();
  }

  listRooms(grants: Grants, request: ListRoomsRequest): ListRoomsResponse {
    requireGrant(grants.roomList);
    const names = new Set(request.names);
    const rooms = this.#rooms.all.filter((room) => names.size === 0 || names.has(room.name));
    return new ListRoomsResponse({ rooms: rooms.map((room) => room.info()) });
  }

  deleteRoom(grants: Grants, request: DeleteRoomRequest): DeleteRoomResponse {
    requireGrant(grants.roomCreate);
    this.#rooms.delete(requireRoom(this.#rooms, request.room));
    return new DeleteRoomResponse();
  }

  listParticipants(grants: Grants, request: ListParticipantsRequest): ParticipantList {
    requireAdmin(grants, request.room);
    const room = this.#rooms.find(request.room);
    return new ParticipantList([...(room?.participants.values() ?? [])].map((participant) => participant.info(false)));
  }

  getParticipant(grants: Grants, request: RoomParticipantIdentity): ParticipantInfo {
    requireAdmin(grants, request.room);
    return requireParticipant(requireRoom(this.#rooms, request.room), request.identity).info(false);
  }

  removeParticipant(grants: Grants, request: RoomParticipantIdentity): RemoveParticipantResponse {
    requireAdmin(grants, request.room);
    const room = requireRoom(this.#rooms, request.room);
    const participant = requireParticipant(room, request.identity);
    room.remove(participant, DisconnectReason.PARTICIPANT_REMOVED);
    return new RemoveParticipantResponse();
  }

  mutePublishedTrack(grants: Grants, request: MuteRoomTrackRequest): MuteRoomTrackResponse {
    requireAdmin(grants, request.room);
    const participant = requireParticipant(requireRoom(this.#rooms, request.room), request.identity);
    // as LiveKit by default: a microphone cannot be unmuted remotely
    if (!request.muted) throw new TwirpError('failed_precondition', 'remote unmute not enabled');
    const publication = participant.publications.find(request.trackSid);
    participant.send({ case: 'mute', value: new MuteTrackRequest({ sid: request.trackSid, muted: true }) });
    participant.setMuted(request.trackSid, true);
    return new MuteRoomTrackResponse(publication ? { track: publication.info } : {});
  }

  updateParticipant(grants: Grants, request: UpdateParticipantRequest): ParticipantInfo {
    requireAdmin(grants, request.room);
    const room = requireRoom(this.#rooms, request.room);
    const participant = requireParticipant(room, request.identity);
    const { permission } = request;
    if (permission) {
      participant.permission = permission;
      participant.grants = withPermission(participant.grants, permission);
    }
    if (!updateIdentity(room, participant, request))
      throw new TwirpError('invalid_argument', 'name, metadata or attributes exceed limits');
    if (permission) {
      participant.enforcePermission();
      room.reviewSubscriber(participant);
    }
    participant.sendToken();
    return participant.info(false);
  }

  /**
   * An additional call that LiveKit lacks: changes many participants of one room, for example to mute a whole meeting.
   * A few per turn of the event loop, so that media is forwarded in between. Absent participants are skipped.
   *
   * @returns identities of participants whose update was rejected
   */
  async updateParticipants(
    grants: Grants,
    room: string,
    requests: readonly UpdateParticipantRequest[],
  ): Promise<string[]> {
    requireAdmin(grants, room);
    const failed: string[] = [];
    for (const [n, request] of requests.entries()) {
      if (n > 0 && n % PER_TURN === 0) await turn();
      try {
        this.updateParticipant(grants, request);
      } catch (error) {
        if (!(error instanceof TwirpError)) throw error;
        if (error.code !== 'not_found') failed.push(request.identity);
      }
    }
    return failed;
  }

  updateSubscriptions(grants: Grants, request: UpdateSubscriptionsRequest): UpdateSubscriptionsResponse {
    requireAdmin(grants, request.room);
    const room = requireRoom(this.#rooms, request.room);
    updateSubscription(room, requireParticipant(room, request.identity), request);
    return new UpdateSubscriptionsResponse();
  }

  sendData(grants: Grants, request: SendDataRequest): SendDataResponse {
    requireAdmin(grants, request.room);
    const room = requireRoom(this.#rooms, request.room);
    if (request.nonce.length !== 0 && request.nonce.length !== 16)
      throw new TwirpError('invalid_argument', 'nonce should be 16 bytes or not present');
    if (request.data.length > limits.dataMessageBytes) throw new TwirpError('invalid_argument', 'data too long');
    const user = new UserPacket({
      payload: request.data,
      destinationSids: request.destinationSids,
      destinationIdentities: request.destinationIdentities,
      nonce: request.nonce,
      ...(request.topic === undefined ? {} : { topic: request.topic }),
    });
    sendServerData(room, user, request.kind, request.destinationIdentities);
    return new SendDataResponse();
  }

  updateRoomMetadata(grants: Grants, request: UpdateRoomMetadataRequest): RoomInfo {
    requireAdmin(grants, request.room);
    requireShort(request.metadata, limits.metadataBytes, 'metadata');
    const room = requireRoom(this.#rooms, request.room);
    room.setMetadata(request.metadata);
    return room.info();
  }

  /** Forwarding and moving: checked, then refused, as LiveKit's open server does. */
  forwardOrMove(grants: Grants, request: ForwardParticipantRequest | MoveParticipantRequest): never {
    const { room, destinationRoom } = request;
    requireGrant(grants.roomAdmin && grants.room === room && grants.destinationRoom === destinationRoom);
    if (room === destinationRoom)
      throw new TwirpError('invalid_argument', 'destination room cannot be the same as source room');
    throw new TwirpError('unknown', 'not implemented');
  }
}
