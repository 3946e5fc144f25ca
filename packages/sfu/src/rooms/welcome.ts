import { Codec, JoinResponse, ReconnectResponse, ServerInfo, ServerInfo_Edition } from '@livekit/protocol';
import { codecs } from '@rmeet/rtp';
import type { Participant } from './participant.ts';
import type { SignalMessage } from './signal.ts';

/** The LiveKit release whose behaviour clients may expect; they choose features by it. */
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

/** First message of a new participant. */
export function joinMessage(participant: Participant, dual: boolean): SignalMessage {
  const { room } = participant;
  const value = new JoinResponse({
    room: room.info(),
    participant: participant.info(),
    otherParticipants: room.visible.filter((other) => other !== participant).map((other) => other.info(false)),
    serverVersion: VERSION,
    serverInfo: serverInfo(),
    iceServers: room.settings.iceServers(participant.identity),
    subscriberPrimary: dual,
    fastPublish: true,
    pingInterval: PING_INTERVAL_SECONDS,
    pingTimeout: PING_TIMEOUT_SECONDS,
    enabledPublishCodecs: Object.values(codecs).map(({ mimeType }) => new Codec({ mime: mimeType })),
  });
  return { case: 'join', value };
}

/** First message of a resumed one. */
export function reconnectMessage(participant: Participant): SignalMessage {
  const value = new ReconnectResponse({
    serverInfo: serverInfo(),
    iceServers: participant.room.settings.iceServers(participant.identity),
    lastMessageSeq: participant.lastReliableSequence,
  });
  return { case: 'reconnect', value };
}
