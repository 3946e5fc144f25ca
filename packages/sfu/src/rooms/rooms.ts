import {
  CreateRoomRequest,
  DisconnectReason,
  LeaveRequest,
  LeaveRequest_Action,
  SignalRequest,
} from '@livekit/protocol';
import type { Grants } from '../signalling/grants.ts';
import type { JoinRequest } from '../signalling/join-request.ts';
import type { Participant } from '../participants/participant.ts';
import { handleRequest } from './requests.ts';
import { Room } from './room.ts';
import type { RoomSettings } from './settings.ts';
import { encodeSignal, type SignalSink } from '../signalling/signal.ts';

/** A participant as the signalling server sees it. */
export interface Session {
  handleMessage(bytes: Uint8Array): void;
  /** A ping of the WebSocket, which is answered automatically. */
  handlePing(): void;
  /** The socket is closed. */
  handleClosed(): void;
}

/** Signalling messages count once more for every this many bytes. */
const MESSAGE_COST_BYTES = 16_384;

function sendLeave(sink: SignalSink, action: LeaveRequest_Action, reason: DisconnectReason): void {
  sink.send(encodeSignal({ case: 'leave', value: new LeaveRequest({ action, reason }) }));
  sink.close();
}

/** The room that a join creates, with the options in its token. */
function roomRequest({ room, roomConfig }: Grants): CreateRoomRequest {
  const { emptyTimeout = 0, departureTimeout = 0, maxParticipants = 0, metadata = '' } = roomConfig ?? {};
  return new CreateRoomRequest({ name: room, emptyTimeout, departureTimeout, maxParticipants, metadata });
}

/** All rooms of the process. */
export class Rooms {
  readonly #settings: RoomSettings;
  readonly #rooms = new Map<string, Room>();
  readonly #sweeper: NodeJS.Timeout;

  constructor(settings: RoomSettings) {
    this.#settings = settings;
    this.#sweeper = setInterval(() => this.#sweep(), 1000);
  }

  get all(): Room[] {
    return [...this.#rooms.values()];
  }

  find(name: string): Room | undefined {
    return this.#rooms.get(name);
  }

  /**
   * Why the process rejects this participant now, whatever the state of the room; undefined if it does not. A
   * participant that rejoins takes its own place.
   */
  refusal({ room: name, identity }: Pick<Grants, 'room' | 'identity'>): string | undefined {
    const { admission, counters, log } = this.#settings;
    const room = this.#rooms.get(name);
    if (room?.participants.has(identity)) return undefined;
    const reason = room ? admission.refusesParticipant(this.#present) : admission.refusesRoom(this.#present);
    if (reason === undefined) return undefined;
    counters.refused += 1;
    log('warn', 'join refused', { room: name, identity, reason });
    return reason;
  }

  /** Why no room can be created now; undefined if one can. */
  get roomRefusal(): string | undefined {
    return this.#settings.admission.refusesRoom(this.#present);
  }

  get #present(): { rooms: number; participants: number } {
    let participants = 0;
    for (const room of this.#rooms.values()) participants += room.participants.size;
    return { rooms: this.#rooms.size, participants };
  }

  /** Creates a room, or applies the options to the existing one. Undefined if `roomRefusal` has a reason. */
  create(request: CreateRoomRequest): Room | undefined {
    const existing = this.#rooms.get(request.name);
    if (existing) {
      if (request.emptyTimeout > 0) existing.options.emptyTimeout = request.emptyTimeout;
      if (request.departureTimeout > 0) existing.options.departureTimeout = request.departureTimeout;
      if (request.maxParticipants > 0) existing.options.maxParticipants = request.maxParticipants;
      if (request.metadata !== '') existing.setMetadata(request.metadata);
      return existing;
    }
    if (this.roomRefusal !== undefined) return undefined;
    const room = new Room(
      request.name,
      {
        metadata: request.metadata,
        maxParticipants: request.maxParticipants,
        emptyTimeout: request.emptyTimeout > 0 ? request.emptyTimeout : this.#settings.emptyTimeout,
        departureTimeout: request.departureTimeout > 0 ? request.departureTimeout : this.#settings.departureTimeout,
      },
      this.#settings,
    );
    this.#rooms.set(request.name, room);
    return room;
  }

  delete(room: Room): void {
    this.#rooms.delete(room.name);
    room.close(DisconnectReason.ROOM_DELETED);
  }

  /**
   * Admits a client, resumes its participant, or sends the reason and closes. Everything is checked before anything is
   * allocated.
   */
  connect(grants: Grants, request: JoinRequest, sink: SignalSink): Session | undefined {
    const { counters, log } = this.#settings;
    if (request.reconnect) return this.#resume(grants, request, sink);
    const existing = this.#rooms.get(grants.room);
    const room = existing?.isFull(grants) ? undefined : (existing ?? this.create(roomRequest(grants)));
    if (!room) {
      counters.refused += 1;
      log('warn', 'join refused: full', { room: grants.room, identity: grants.identity });
      sendLeave(sink, LeaveRequest_Action.DISCONNECT, DisconnectReason.JOIN_FAILURE);
      return undefined;
    }
    log('info', 'participant joins', {
      room: room.name,
      identity: grants.identity,
      path: request.dual ? '/rtc' : '/rtc/v1',
      client: `${request.client?.sdk ?? ''} ${request.client?.version ?? ''}`,
    });
    let participant: Participant | undefined;
    try {
      participant = room.join(grants, request, sink);
    } catch (error) {
      // an unusable offer
      log('warn', 'join refused', { room: room.name, identity: grants.identity, error: String(error) });
      const joined = room.participants.get(grants.identity);
      if (joined) room.remove(joined, DisconnectReason.JOIN_FAILURE);
      else sendLeave(sink, LeaveRequest_Action.DISCONNECT, DisconnectReason.JOIN_FAILURE);
      return undefined;
    }
    return this.#session(room, participant, sink);
  }

  close(): void {
    clearInterval(this.#sweeper);
    for (const room of this.#rooms.values())
      room.close(DisconnectReason.SERVER_SHUTDOWN, LeaveRequest_Action.RECONNECT);
    this.#rooms.clear();
  }

  #resume(grants: Grants, request: JoinRequest, sink: SignalSink): Session | undefined {
    const room = this.#rooms.get(grants.room);
    const participant = room?.participants.get(grants.identity);
    const same = participant && (request.participantSid === '' || request.participantSid === participant.sid);
    if (!room || !same || participant.lost) {
      this.#settings.log('info', 'resume refused: build anew', { room: grants.room, identity: grants.identity });
      sendLeave(sink, LeaveRequest_Action.RECONNECT, DisconnectReason.STATE_MISMATCH);
      return undefined;
    }
    this.#settings.log('info', 'participant resumes', { room: grants.room, identity: grants.identity });
    room.resume(participant, sink);
    return this.#session(room, participant, sink);
  }

  #session(room: Room, participant: Participant, sink: SignalSink): Session {
    return {
      handleMessage: (bytes) => {
        if (room.participants.get(participant.identity) !== participant) return;
        if (!participant.guard.allows('messages', 1 + Math.floor(bytes.length / MESSAGE_COST_BYTES))) return;
        try {
          handleRequest(room, participant, SignalRequest.fromBinary(bytes).message);
        } catch (error) {
          const fields = { room: room.name, identity: participant.identity, error: String(error) };
          // the first fault shows a faulty client; a flood of them must not flood the log
          this.#settings.log(participant.hasFaults ? 'debug' : 'warn', 'request refused', fields);
          participant.hasFaults = true;
          participant.guard.allows('faults');
        }
      },
      handlePing: () => void participant.guard.allows('messages'),
      handleClosed: () => participant.detach(sink),
    };
  }

  #sweep(): void {
    const now = performance.now();
    for (const room of this.#rooms.values()) {
      const isLeft = this.#settings.admission.draining && room.visible.length === 0;
      if (isLeft) this.#close(room, DisconnectReason.SERVER_SHUTDOWN, LeaveRequest_Action.RECONNECT);
      if (isLeft || room.emptySince === undefined) continue;
      const seconds = room.hadParticipants ? room.options.departureTimeout : room.options.emptyTimeout;
      if (now - room.emptySince < seconds * 1000) continue;
      this.#close(room, DisconnectReason.ROOM_CLOSED);
    }
  }

  #close(room: Room, reason: DisconnectReason, action?: LeaveRequest_Action): void {
    this.#rooms.delete(room.name);
    room.close(reason, action);
    this.#settings.log('info', 'empty room closed', { room: room.name });
  }
}
