import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { protocol } from '@rmeet/participant/rtc';
import { AccessToken } from 'livekit-server-sdk';
import { soakToken, type SoakEngine } from '../engine.ts';
import { outerAddress } from '../outer-address.ts';
import { dataPacket, mostlyWrong, rtcp, rtp, stun } from './packets.ts';
import { WrongPeer } from './peer.ts';
import { mutate, mutateJson, mutateLines, type Random } from './random.ts';
import { request } from './requests.ts';
import { NOBODY, richOffer } from './sdp.ts';

/** One kind of message: sends another one, the `n`-th, which depends only on the random numbers. */
export interface Kind {
  send(random: Random, n: number): Promise<void> | void;
  close(): Promise<void> | void;
}

const { RoomConfiguration, SessionDescription } = protocol;
/** Less than a participant may send at once: a disconnected peer tests nothing more. */
const MESSAGES_PER_PEER = 400;
let peers = 0;
const pause = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 2));

/** Pairs of peers in a room, replaced when one was disconnected or has sent its share. */
class Pairs {
  #pair: WrongPeer[] = [];
  #make: (room: string, identity: string) => Promise<WrongPeer>;
  #share: number;

  constructor(make: (room: string, identity: string) => Promise<WrongPeer>, share = MESSAGES_PER_PEER) {
    this.#make = make;
    this.#share = share;
  }

  async one(n: number): Promise<WrongPeer> {
    if (this.#pair.length === 0 || this.#pair.some((peer) => !peer.usable || peer.sent >= this.#share)) {
      this.close();
      const room = `fuzz-${peers}`;
      for (let i = 0; i < 2; i++) this.#pair.push(await this.#make(room, `wrong-${peers++}`));
    }
    return this.#pair[n % 2]!;
  }

  get identities(): string[] {
    return this.#pair.map((peer) => peer.identity);
  }

  close(): void {
    for (const peer of this.#pair) peer.close();
    this.#pair = [];
  }
}

function signalling(engine: SoakEngine): Kind {
  const pairs = new Pairs((room, identity) => WrongPeer.signalling(engine, room, identity));
  return {
    async send(random, n) {
      const peer = await pairs.one(n);
      peer.signal(mostlyWrong(new protocol.SignalRequest({ message: request(random, peer) }).toBinary(), random));
      if (n % 20 === 0) await pause();
    },
    close: () => pairs.close(),
  };
}

/** Offers and answers over signalling, one in fifty in a join. */
function sdp(engine: SoakEngine): Kind {
  const pairs = new Pairs((room, identity) => WrongPeer.signalling(engine, room, identity), 100);
  return {
    async send(random, n) {
      const text = mutateLines(
        richOffer(NOBODY, (mid) => `wrong-${mid}`),
        random,
      );
      if (n % 50 === 0) {
        const joined = await WrongPeer.offering(engine, `fuzz-sdp-${n}`, `wrong-${peers++}`, text.slice(0, 20_000));
        await pause();
        joined.close();
        return;
      }
      const peer = await pairs.one(n);
      const offer = peer.received.findLast((message) => message.case === 'offer');
      if (random.chance(0.6) || offer?.case !== 'offer')
        peer.request({ case: 'offer', value: new SessionDescription({ type: 'offer', sdp: text, id: n }) });
      else
        peer.request({
          case: 'answer',
          value: new SessionDescription({
            type: 'answer',
            sdp: mutateLines(offer.value.sdp, random),
            id: offer.value.id,
          }),
        });
      if (n % 5 === 0) await pause();
    },
    close: () => pairs.close(),
  };
}

function stunMessages(engine: SoakEngine): Kind {
  const socket = createSocket('udp4');
  const host = outerAddress();
  const pairs = new Pairs((room, identity) => WrongPeer.signalling(engine, room, identity));
  return {
    async send(random, n) {
      // The ufrag of a participant that waits for its first check is the best one to test.
      const peer = await pairs.one(n);
      const offer = peer.received.find((message) => message.case === 'offer');
      const name = offer?.case === 'offer' ? /a=ice-ufrag:(\S+)/.exec(offer.value.sdp)?.[1] : undefined;
      peer.sent++;
      const message = random.chance(0.1)
        ? random.bytes(random.below(200))
        : mostlyWrong(stun(random, [name ?? 'none', 'none']), random);
      socket.send(message.subarray(0, 8_000), engine.udpPort, host);
      if (n % 20 === 0) await pause();
    },
    async close() {
      pairs.close();
      const closed = once(socket, 'close');
      socket.close();
      await closed;
    },
  };
}

/** Packets over an established connection: decryption returns exactly what was created here. */
function packets(engine: SoakEngine, make: (random: Random, peer: WrongPeer, n: number) => Buffer): Kind {
  const pairs = new Pairs((room, identity) => WrongPeer.connected(engine, room, identity), 2_000);
  return {
    async send(random, n) {
      const peer = await pairs.one(n);
      peer.packet(make(random, peer, n).subarray(0, 1_400));
      if (n % 20 === 0) await pause();
    },
    close: () => pairs.close(),
  };
}

function rtpPackets(engine: SoakEngine): Kind {
  return packets(engine, (random, _peer, n) => mostlyWrong(rtp(random, n), random));
}

function rtcpPackets(engine: SoakEngine): Kind {
  return packets(engine, (random, peer, n) => {
    // Streams must arrive before there can be reports on them.
    if (random.chance(0.2)) return rtp(random, n);
    return mostlyWrong(rtcp(random, [...peer.ssrcs]), random);
  });
}

function data(engine: SoakEngine): Kind {
  const pairs = new Pairs((room, identity) => WrongPeer.connected(engine, room, identity), 1_000);
  return {
    async send(random, n) {
      const peer = await pairs.one(n);
      peer.data(
        random.pick(['_reliable', '_lossy']),
        mostlyWrong(dataPacket(random, [...pairs.identities, 'none']), random),
      );
      if (n % 10 === 0) await pause();
    },
    close: () => pairs.close(),
  };
}

const claims = {
  iss: 'soak',
  sub: 'wrong',
  name: 'Wrong',
  metadata: 'm',
  kind: 'standard',
  attributes: { a: 'b' },
  sha256: 'x',
  roomConfig: new RoomConfiguration({ name: 'r', maxParticipants: 3 }).toJson(),
  video: {
    room: 'fuzz-token',
    roomJoin: true,
    canPublish: true,
    canSubscribe: true,
    canPublishData: true,
    canPublishSources: ['camera', 'microphone'],
    hidden: false,
    roomAdmin: true,
  },
};

/** A correctly signed access token with wrong claims: AccessToken keeps them unchanged. */
async function wrongClaims(random: Random): Promise<string> {
  const token = await soakToken('wrong', 'fuzz-token');
  const secret = await crypto.subtle.importKey(
    'raw',
    new TextEncoder().encode('a secret of the soak runs, 32 bytes or more'),
    { name: 'HMAC', hash: 'SHA-256' },
    false,
    ['sign'],
  );
  const [header = ''] = token.split('.');
  const stamp = Math.floor(Date.now() / 1000);
  const body = Buffer.from(mutateJson({ ...claims, nbf: stamp - 10, exp: stamp + 600 }, random)).toString('base64url');
  const signature = Buffer.from(
    await crypto.subtle.sign('HMAC', secret, new TextEncoder().encode(`${header}.${body}`)),
  ).toString('base64url');
  return `${header}.${body}.${signature}`;
}

/** Throws for a response that reports an internal error of the engine. */
function refuseInternal(status: number, what: string): void {
  if (status >= 500) throw new Error(`the engine answered ${status} to ${what}`);
}

function tokens(engine: SoakEngine): Kind {
  return {
    async send(random, n) {
      const token = random.chance(0.5)
        ? await wrongClaims(random)
        : mutate(Buffer.from(await soakToken('wrong', 'fuzz-token')), random).toString('latin1');
      const query = new URLSearchParams({ access_token: token.slice(0, 8_000), protocol: '16' }).toString();
      if (n % 20 === 0) {
        const socket = new WebSocket(`${engine.url}/rtc?${query}`);
        const ended = new AbortController();
        socket.addEventListener('open', () => socket.close(), { signal: ended.signal });
        await new Promise<void>((resolve) => {
          for (const end of ['close', 'error'] as const)
            socket.addEventListener(end, () => resolve(), { signal: ended.signal });
        });
        ended.abort();
        return;
      }
      const response = await fetch(
        `http://127.0.0.1:${engine.port}${random.pick(['/rtc', '/rtc/v1'])}/validate?${query}`,
      );
      await response.arrayBuffer();
      refuseInternal(response.status, 'a token');
    },
    close: () => undefined,
  };
}

const METHODS: Record<string, unknown> = {
  CreateRoom: {
    name: 'fuzz-twirp',
    emptyTimeout: 1,
    departureTimeout: 1,
    maxParticipants: 5,
    metadata: 'm',
    nodeId: 'x',
  },
  ListRooms: { names: ['fuzz-twirp'] },
  DeleteRoom: { room: 'fuzz-twirp-none' },
  ListParticipants: { room: 'fuzz-twirp' },
  GetParticipant: { room: 'fuzz-twirp', identity: 'x' },
  RemoveParticipant: { room: 'fuzz-twirp', identity: 'x' },
  MutePublishedTrack: { room: 'fuzz-twirp', identity: 'x', trackSid: 'TR_x', muted: true },
  UpdateParticipant: {
    room: 'fuzz-twirp',
    identity: 'x',
    metadata: 'm',
    name: 'n',
    attributes: { a: 'b' },
    permission: { canSubscribe: true, canPublish: false, canPublishSources: ['CAMERA'] },
  },
  UpdateSubscriptions: {
    room: 'fuzz-twirp',
    identity: 'x',
    trackSids: ['TR_x'],
    subscribe: true,
    participantTracks: [{ participantSid: 'PA_x', trackSids: ['TR_x'] }],
  },
  SendData: {
    room: 'fuzz-twirp',
    data: 'aGVsbG8=',
    kind: 'RELIABLE',
    destinationIdentities: ['x'],
    topic: 't',
    nonce: 'bm9uY2U=',
  },
  UpdateRoomMetadata: { room: 'fuzz-twirp', metadata: 'm' },
  ForwardParticipant: { room: 'fuzz-twirp', identity: 'x', destinationRoom: 'y' },
  MoveParticipant: { room: 'fuzz-twirp', identity: 'x', destinationRoom: 'y' },
  PerformRpc: { room: 'fuzz-twirp', destinationIdentity: 'x', method: 'm', payload: 'p' },
};

async function twirp(engine: SoakEngine): Promise<Kind> {
  const admin = new AccessToken('soak', 'a secret of the soak runs, 32 bytes or more', {
    identity: 'fuzz',
    ttl: 4 * 3600,
  });
  admin.addGrant({ roomCreate: true, roomList: true, roomAdmin: true, room: 'fuzz-twirp' });
  const headers = { 'content-type': 'application/json', authorization: `Bearer ${await admin.toJwt()}` };
  const call = (method: string, body: string): Promise<Response> =>
    fetch(`http://127.0.0.1:${engine.port}/twirp/livekit.RoomService/${method}`, { method: 'POST', headers, body });
  return {
    async send(random) {
      const method = random.pick(Object.keys(METHODS));
      const response = await call(method, mutateJson(METHODS[method], random));
      const answer = await response.text();
      // LiveKit's open server also answers calls that it does not support with `unknown`, which is 500 in Twirp.
      if (!answer.includes('"code":"unknown"')) refuseInternal(response.status, `${method}: ${answer}`);
    },
    async close() {
      const { rooms = [] } = (await (await call('ListRooms', '{}')).json()) as { rooms?: { name: string }[] };
      for (const { name } of rooms) await (await call('DeleteRoom', JSON.stringify({ room: name }))).arrayBuffer();
    },
  };
}

export const KINDS: Record<string, (engine: SoakEngine) => Kind | Promise<Kind>> = {
  signalling,
  sdp,
  stun: stunMessages,
  rtp: rtpPackets,
  rtcp: rtcpPackets,
  data,
  tokens,
  twirp,
};
