import { DataPacket, DataPacket_Kind, DisconnectReason, LeaveRequest_Action, UserPacket } from '@livekit/protocol';
import { limits } from '../limits.ts';
import type { Participant } from './participant.ts';
import type { Room } from './room.ts';

const LABELS = new Set(['_reliable', '_lossy']);

function isFor(packet: DataPacket, participant: Participant): boolean {
  const identities = packet.destinationIdentities;
  const user = packet.value.case === 'user' ? packet.value.value : undefined;
  const olderIdentities = user?.destinationIdentities ?? [];
  const sids = user?.destinationSids ?? [];
  if (identities.length === 0 && olderIdentities.length === 0 && sids.length === 0) return true;
  return identities.includes(participant.identity) || olderIdentities.includes(participant.identity) || sids.includes(participant.sid);
}

function deliver(room: Room, packet: DataPacket, label: string, except?: Participant): void {
  const { counters, log } = room.settings;
  const bytes = packet.toBinary();
  for (const participant of room.participants.values()) {
    if (participant === except || !isFor(packet, participant)) continue;
    const result = participant.connection.sendData(label, bytes);
    if (result === 'sent') counters.dataOut += 1;
    else counters.dataDropped += 1;
    if (result !== 'overflow') continue;
    log('warn', 'participant too slow for reliable data', { room: room.name, identity: participant.identity });
    room.remove(participant, DisconnectReason.STATE_MISMATCH, LeaveRequest_Action.RECONNECT);
  }
}

/** Passes a participant's data message on to those it is for, with the sender's name put in by the server. */
export function relayData(room: Room, sender: Participant, label: string, message: Buffer): void {
  const { counters, log } = room.settings;
  counters.dataIn += 1;
  const refused = !LABELS.has(label) || message.length > limits.dataMessageBytes || !sender.permission.canPublishData;
  if (refused || !sender.dataBucket.take()) {
    counters.dataDropped += 1;
    return;
  }
  let packet: DataPacket;
  try {
    packet = DataPacket.fromBinary(message);
  } catch (error) {
    counters.dataDropped += 1;
    log('debug', 'unreadable data message', { room: room.name, identity: sender.identity, error: String(error) });
    return;
  }
  packet.participantIdentity = sender.identity;
  packet.participantSid = sender.sid;
  packet.kind = label === '_reliable' ? DataPacket_Kind.RELIABLE : DataPacket_Kind.LOSSY;
  if (packet.value.case === 'user') {
    packet.value.value.participantIdentity = sender.identity;
    packet.value.value.participantSid = sender.sid;
  }
  // a client speaks for others only as the server does
  if (packet.value.case === 'speaker') return;
  if (label === '_reliable' && packet.sequence > 0) {
    if (packet.sequence <= sender.lastReliableSequence) return; // resent after a resume, came already
    sender.lastReliableSequence = packet.sequence;
  }
  deliver(room, packet, label, sender);
}

/** Sends data in the server's name. */
export function sendServerData(
  room: Room,
  user: UserPacket,
  kind: DataPacket_Kind,
  destinationIdentities: string[],
): void {
  const packet = new DataPacket({ kind, destinationIdentities, value: { case: 'user', value: user } });
  deliver(room, packet, kind === DataPacket_Kind.RELIABLE ? '_reliable' : '_lossy');
}
