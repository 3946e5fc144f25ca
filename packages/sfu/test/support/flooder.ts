import { randomBytes } from 'node:crypto';
import {
  AddTrackRequest,
  MuteTrackRequest,
  SessionDescription,
  SubscriptionPermission,
  TrackType,
  UpdateParticipantMetadata,
  UpdateSubscription,
  UpdateTrackSettings,
  UserPacket,
  type SignalRequest,
} from '@livekit/protocol';
import { MediaClient } from './media-client.ts';

// A client that exceeds one rate, in its own process: `node flooder.ts <port> <token> <kind>`. Sends 'ready', floods
// after any message, reports why it was disconnected, and ends.
const [port, token, kind = ''] = process.argv.slice(2);
const client = await new MediaClient(Number(port), token!).connect(true);
const { otherParticipants } = await client.message('join');
const trackSids = Array.from({ length: 600 }, () => otherParticipants[0]?.tracks[0]?.sid ?? 'TR_none');
const { track } = await client.message('trackPublished');
const payload = Buffer.alloc(60_000);
let round = 0;
let offer: SessionDescription | undefined;

/** An offer of the maximum length, always from the same client. */
function hugeOffer(): SessionDescription {
  const head = 'v=0\r\no=- 1 1 IN IP4 127.0.0.1\r\ns=-\r\nt=0 0\r\n';
  const transport =
    client.localSdp
      .split('\r\n')
      .filter((line) => /^a=(ice-ufrag|ice-pwd|fingerprint|setup):/.test(line))
      .slice(0, 4)
      .join('\r\n') + '\r\n';
  const section = (mid: number) =>
    `m=video 9 UDP/TLS/RTP/SAVPF 96\r\nc=IN IP4 ` +
    `0.0.0.0\r\na=mid:${mid}\r\na=recvonly\r\na=rtcp-mux\r\na=rtpmap:96 VP8/90000\r\n${'a=x:y\r\n'.repeat(850)}`;
  return new SessionDescription({
    type: 'offer',
    sdp: head + Array.from({ length: 60 }, (_, mid) => section(mid) + transport).join(''),
  });
}

function request(): SignalRequest['message'] {
  switch (kind) {
    case 'announcements':
      return { case: 'addTrack', value: new AddTrackRequest({ cid: `c${round}`, type: TrackType.AUDIO }) };
    case 'subscriptions':
      return { case: 'subscription', value: new UpdateSubscription({ trackSids, subscribe: round % 2 === 0 }) };
    case 'settings':
      return { case: 'trackSetting', value: new UpdateTrackSettings({ trackSids, disabled: round % 2 === 0 }) };
    case 'mutes':
      return { case: 'mute', value: new MuteTrackRequest({ sid: track!.sid, muted: round % 2 === 0 }) };
    case 'names':
      return {
        case: 'updateMetadata',
        value: new UpdateParticipantMetadata({ name: `n${round}`, metadata: 'm'.repeat(10_000) }),
      };
    case 'permissions':
      return {
        case: 'subscriptionPermission',
        value: new SubscriptionPermission({ allParticipants: round % 2 === 0 }),
      };
    case 'offers':
      return { case: 'offer', value: (offer ??= hugeOffer()) };
    default:
      return { case: 'ping', value: 1n };
  }
}

const user = (bytes: Uint8Array) => ({ value: { case: 'user' as const, value: new UserPacket({ payload: bytes }) } });
const odd: Record<string, () => void> = {
  'reliable data': () => client.sendData('reliable', user(payload)),
  'lossy data': () => client.sendData('lossy', user(payload.subarray(0, 100))),
  'unreadable data': () => client.sendRaw('lossy', randomBytes(50)),
  RTP: () => client.sendRtp(1000),
  'unreadable messages': () => client.socket.send(randomBytes(50)),
};

function flood(): void {
  for (let count = 0; count < 100; count += 1) {
    round += 1;
    if (client.socket.readyState !== client.socket.OPEN || client.socket.bufferedAmount > 1_000_000) break;
    const send = odd[kind];
    try {
      if (send) send();
      else client.send(request());
    } catch {
      // media is closed before the last message arrives
      break;
    }
  }
  const leave = client.received.find((message) => message.case === 'leave');
  // unsent data must not fill its own memory
  if (client.closed)
    process.send?.(leave?.case === 'leave' ? leave.value.reason : 'closed without a word', () => process.exit());
  else if (client.socket.bufferedAmount > 100_000) setTimeout(flood, 5);
  else setImmediate(flood);
}

process.once('message', flood);
process.on('disconnect', () => process.exit());
process.send?.('ready');
