import { DataPacket, DataPacket_Kind, DisconnectReason, LeaveRequest_Action, UserPacket } from '@livekit/protocol';
import { limits } from '../limits.ts';
import type { Participant } from '../participants/participant.ts';
import type { Nonces } from './nonces.ts';
import type { RoomView } from './room-view.ts';

/** A room that relays data. */
type DataRoom = RoomView & { readonly nonces: Nonces };

const RELIABLE = '_reliable';
const LABELS = new Set([RELIABLE, '_lossy']);
/**
 * Older clients name the destinations in the user packet, newer ones in the packet around it: both then say the same.
 */
function unifyDestinations(packet: DataPacket): void {
  if (packet.value.case !== 'user') return;
  const user = packet.value.value;
  if (packet.destinationIdentities.length > 0) user.destinationIdentities = packet.destinationIdentities;
  else packet.destinationIdentities = user.destinationIdentities;
}

/** The receivers of a packet: all other participants if it names none. */
function receivers(room: DataRoom, packet: DataPacket, sender?: Participant): Participant[] {
  // measurements of clients are sent to participants with that permission, and back to the sender
  if (packet.value.case === 'metrics')
    return [...room.participants.values()].filter(({ permission }) => permission.canSubscribeMetrics);
  const sids = packet.value.case === 'user' ? packet.value.value.destinationSids : [];
  const identities = packet.destinationIdentities;
  const others = [...room.participants.values()].filter((participant) => participant !== sender);
  if (sids.length === 0 && identities.length === 0) return others;
  const named = new Set([...identities, ...sids]);
  return others.filter(({ identity, sid }) => named.has(identity) || named.has(sid));
}

function deliver(room: DataRoom, packet: DataPacket, label: string, sender?: Participant): void {
  const { counters, log } = room.settings;
  unifyDestinations(packet);
  const bytes = packet.toBinary();
  for (const participant of receivers(room, packet, sender)) {
    const result = participant.connection.sendData(label, bytes);
    if (result === 'sent') counters.dataOut += 1;
    else counters.dataDropped += 1;
    if (result !== 'overflow') continue;
    // a reliable message must not be lost silently: a participant that does not read has to reconnect
    log('warn', 'participant too slow for reliable data', { room: room.name, identity: participant.identity });
    room.remove(participant, DisconnectReason.STATE_MISMATCH, LeaveRequest_Action.RECONNECT);
  }
}

/**
 * Sets the sender's identity. Agents may speak for others in chat and text streams; hidden participants stay anonymous.
 */
function putSender(packet: DataPacket, sender: Participant): void {
  const { value } = packet;
  const identity = sender.hidden ? '' : sender.identity;
  const speaksForAnother =
    sender.isAgent && packet.participantIdentity !== '' && packet.participantIdentity !== sender.identity;
  const isText = value.case === 'streamHeader' && value.value.contentHeader.case === 'textHeader';
  if (speaksForAnother && value.case === 'chatMessage') value.value.generated = true;
  else if (speaksForAnother && isText && value.value.contentHeader.case === 'textHeader')
    value.value.contentHeader.value.generated = true;
  else packet.participantIdentity = identity;
  // with the sequence number, receivers can drop duplicates
  packet.participantSid = sender.sid;
  if (value.case !== 'user') return;
  value.value.participantIdentity = identity;
  value.value.participantSid = sender.hidden ? '' : sender.sid;
}

/** Decodes a data message; an undecodable one is counted against its sender. */
function readPacket(room: DataRoom, sender: Participant, message: Buffer): DataPacket | undefined {
  try {
    return DataPacket.fromBinary(message);
  } catch (error) {
    const { counters, log } = room.settings;
    counters.dataDropped += 1;
    log('debug', 'unreadable data message', { room: room.name, identity: sender.identity, error: String(error) });
    sender.guard.allows('faults');
    return undefined;
  }
}

/** Only the server reports speakers, and only agents send transcriptions. */
function maySendContent(sender: Participant, { value }: DataPacket): boolean {
  return value.case !== 'speaker' && (value.case !== 'transcription' || sender.isAgent);
}

/** Whether a reliable message was resent after a resume although it had arrived. */
function isDuplicate(sender: Participant, { sequence }: DataPacket): boolean {
  if (sequence === 0) return false;
  if (sequence <= sender.lastReliableSequence) return true;
  sender.lastReliableSequence = sequence;
  return false;
}

/** Relays a participant's data message (LiveKit's DataPacket) to its receivers. */
export function relayData(room: DataRoom, sender: Participant, label: string, message: Buffer): void {
  const { counters } = room.settings;
  counters.dataIn += 1;
  if (!sender.guard.allows('dataMessages') || !sender.guard.allows('dataBytes', message.length)) return;
  if (!LABELS.has(label) || message.length > limits.dataMessageBytes || !sender.permission.canPublishData) {
    counters.dataDropped += 1;
    return;
  }
  const packet = readPacket(room, sender, message);
  if (!packet) return;
  if (!maySendContent(sender, packet) || (label === RELIABLE && isDuplicate(sender, packet))) return;
  packet.kind = label === RELIABLE ? DataPacket_Kind.RELIABLE : DataPacket_Kind.LOSSY;
  putSender(packet, sender);
  if (packet.value.case === 'user' && room.nonces.isKnown(packet.value.value.nonce)) return;
  deliver(room, packet, label, sender);
}

/** Sends data in the server's name. */
export function sendServerData(
  room: DataRoom,
  user: UserPacket,
  kind: DataPacket_Kind,
  destinationIdentities: string[],
): void {
  if (room.nonces.isKnown(user.nonce)) return;
  const packet = new DataPacket({ kind, destinationIdentities, value: { case: 'user', value: user } });
  deliver(room, packet, kind === DataPacket_Kind.RELIABLE ? RELIABLE : '_lossy');
}
