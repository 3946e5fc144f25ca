import {
  Codec,
  JoinResponse,
  ReconnectResponse,
  ServerInfo,
  ServerInfo_Edition,
  type ICEServer,
  type Room as RoomInfo,
} from '@livekit/protocol';
import { codecs } from '@rmeet/rtp';
import type { Participant } from './participant.ts';
import type { SignalMessage } from '../signalling/signal.ts';

/** The LiveKit release that clients may expect; they select features by it. */
const VERSION = '1.9.8';
const PROTOCOL = 16;
const PING_INTERVAL_SECONDS = 5;
const PING_TIMEOUT_SECONDS = 15;

function serverInfo(): ServerInfo {
  return new ServerInfo({
    edition: ServerInfo_Edition.Standard,
    version: VERSION,
    protocol: PROTOCOL,
    nodeId: 'rmeet',
  });
}

/** The state of the room that a new participant receives. */
export interface Welcome {
  room: RoomInfo;
  /** The visible participants, possibly including the new one. */
  visible: readonly Participant[];
  iceServers: ICEServer[];
  /** Two peer connections (`/rtc`) instead of one (`/rtc/v1`). */
  dual: boolean;
}

/** The first message to a new participant. */
export function joinMessage(participant: Participant, { room, visible, iceServers, dual }: Welcome): SignalMessage {
  const value = new JoinResponse({
    room,
    participant: participant.info(),
    otherParticipants: visible.filter((other) => other !== participant).map((other) => other.info(false)),
    serverVersion: VERSION,
    serverInfo: serverInfo(),
    iceServers,
    subscriberPrimary: dual,
    fastPublish: true,
    pingInterval: PING_INTERVAL_SECONDS,
    pingTimeout: PING_TIMEOUT_SECONDS,
    enabledPublishCodecs: Object.values(codecs).map(({ mimeType }) => new Codec({ mime: mimeType })),
  });
  return { case: 'join', value };
}

/** The first message to a participant that resumes its signalling connection. */
export function reconnectMessage(participant: Participant, iceServers: ICEServer[]): SignalMessage {
  const value = new ReconnectResponse({
    serverInfo: serverInfo(),
    iceServers,
    lastMessageSeq: participant.lastReliableSequence,
  });
  return { case: 'reconnect', value };
}
