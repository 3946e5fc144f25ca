/** One client that does one thing as fast as it can, in its own process; reports how it ended. */
import { setPriority } from 'node:os';
import { protocol } from '@rmeet/participant/rtc';
import { soakToken, type SoakEngine } from '../engine.ts';
import { rtp } from '../fuzz/packets.ts';
import { WrongPeer } from '../fuzz/peer.ts';
import { Random } from '../fuzz/random.ts';

export interface Flood {
  url: string;
  port: number;
  room: string;
  kind: FloodKind;
  seconds: number;
}

export interface FloodResult {
  sent: number;
  /** Milliseconds until it was disconnected; undefined if it never was. */
  cutOffMs?: number;
  /** The reason it received. */
  reason: string;
}

export type FloodKind = (typeof FLOODS)[number];
export const FLOODS = [
  'signalling',
  'addTrack',
  'subscriptions',
  'settings',
  'reliable data',
  'lossy data',
  'RTP',
  'RTCP',
  'joins',
] as const;

const {
  AddTrackRequest,
  DataPacket,
  DisconnectReason,
  LeaveRequest_Action,
  TrackType,
  UpdateSubscription,
  UpdateTrackSettings,
  UserPacket,
} = protocol;
const BATCH = 200;
const random = new Random(1);
const message = new DataPacket({ value: { case: 'user', value: new UserPacket({ payload: Buffer.alloc(1_000) }) } });

/** Valid RTCP for one round trip: a picture loss indication and missing packets of a received stream. */
function feedback(ssrc: number): Buffer {
  const packet = Buffer.alloc(12 + 16);
  packet.set([0x81, 206, 0, 2, 0, 0, 0, 1], 0);
  packet.writeUInt32BE(ssrc, 8);
  packet.set([0x81, 205, 0, 3, 0, 0, 0, 1], 12);
  packet.writeUInt32BE(ssrc, 20);
  packet.writeUInt32BE(random.below(2 ** 32), 24);
  return packet;
}

function once(kind: FloodKind, peer: WrongPeer, n: number): void {
  const sids = peer.trackSids();
  switch (kind) {
    case 'signalling':
      peer.request({ case: 'ping', value: BigInt(n) });
      break;
    case 'addTrack':
      peer.request({
        case: 'addTrack',
        value: new AddTrackRequest({ cid: `c${n}`, type: TrackType.AUDIO, name: 'flood' }),
      });
      break;
    case 'subscriptions':
      peer.request({
        case: 'subscription',
        value: new UpdateSubscription({ trackSids: sids.concat(sids, sids, sids), subscribe: n % 2 === 0 }),
      });
      break;
    case 'settings':
      peer.request({
        case: 'trackSetting',
        value: new UpdateTrackSettings({
          trackSids: sids.concat(sids, sids, sids),
          quality: n % 3,
          disabled: n % 2 === 0,
        }),
      });
      break;
    case 'reliable data':
      peer.data('_reliable', message.toBinary());
      break;
    case 'lossy data':
      peer.data('_lossy', message.toBinary());
      break;
    case 'RTP':
      peer.packet(Buffer.concat([rtp(random, n), Buffer.alloc(1_000)]));
      break;
    default:
      peer.packet(feedback([...peer.ssrcs][n % Math.max(1, peer.ssrcs.size)] ?? 1));
  }
}

function toldBy(peer: WrongPeer, closed: { code: number; reason: string } | undefined): string {
  const leave = peer.received.find((candidate) => candidate.case === 'leave');
  const left =
    leave?.case === 'leave'
      ? `${DisconnectReason[leave.value.reason]}, ${LeaveRequest_Action[leave.value.action]}`
      : '';
  return [left, closed ? `closed ${closed.code} ${closed.reason}`.trim() : ''].filter(Boolean).join('; ');
}

async function flood({ url, port, room, kind, seconds }: Flood): Promise<FloodResult> {
  const engine = { url, port } as SoakEngine;
  const media = ['reliable data', 'lossy data', 'RTP', 'RTCP'].includes(kind);
  const peer = media
    ? await WrongPeer.connected(engine, room, 'flooder')
    : await WrongPeer.signalling(engine, room, 'flooder');
  let closed: { code: number; reason: string } | undefined;
  peer.socket.once('close', (code: number, reason: Buffer) => (closed = { code, reason: reason.toString() }));
  // Waits until tracks and streams of the others are known.
  await new Promise((resolve) => setTimeout(resolve, 1_000));
  const began = performance.now();
  let n = 0;
  while (performance.now() - began < seconds * 1000) {
    for (let i = 0; i < BATCH && !peer.closed; i++) once(kind, peer, n++);
    if (peer.closed || peer.received.some((candidate) => candidate.case === 'leave')) {
      const cutOffMs = performance.now() - began;
      await new Promise((resolve) => setTimeout(resolve, 500));
      return { sent: n, cutOffMs, reason: toldBy(peer, closed) };
    }
    await new Promise((resolve) => setTimeout(resolve, 1));
  }
  return { sent: n, reason: 'never cut off' };
}

/** Joins repeatedly, each time replacing itself. */
async function floodOfJoins({ url, room, seconds }: Flood): Promise<FloodResult> {
  const began = performance.now();
  const refusals: Record<string, number> = {};
  let [sent, cutOffMs] = [0, undefined as number | undefined];
  const token = await soakToken('flooder', room);
  const one = async (): Promise<void> => {
    const socket = new WebSocket(`${url}/rtc?access_token=${token}&protocol=16`);
    sent++;
    const outcome = await new Promise<string>((resolve) => {
      socket.addEventListener('message', () => resolve('in'));
      socket.addEventListener('error', () => resolve('refused at the door'));
      socket.addEventListener('close', ({ code, reason }) => resolve(`closed ${code} ${reason}`));
    });
    if (outcome !== 'in') {
      cutOffMs ??= performance.now() - began;
      refusals[outcome] = (refusals[outcome] ?? 0) + 1;
    }
    socket.close();
  };
  while (performance.now() - began < seconds * 1000) {
    await Promise.all(Array.from({ length: 20 }, one));
    // Once refused, it would be rejected for the rest of the time: that is enough.
    if (cutOffMs !== undefined && performance.now() - began > cutOffMs + 2_000) break;
  }
  const reason =
    Object.entries(refusals)
      .map(([words, times]) => `${words} (${times} of ${sent})`)
      .join(', ') || 'never refused';
  return { sent, reason, ...(cutOffMs === undefined ? {} : { cutOffMs }) };
}

if (import.meta.main && process.send) {
  // A remote client would not use processor time of this machine.
  setPriority(10);
  const options = JSON.parse(process.argv[2] ?? '') as Flood;
  process.once('disconnect', () => process.exit(0));
  process.once('SIGTERM', () => process.exit(0));
  process.send(await (options.kind === 'joins' ? floodOfJoins(options) : flood(options)));
}
