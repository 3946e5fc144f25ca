/** Signalling requests of each kind (livekit.SignalRequest), with sids that exist. */
import { protocol } from '@rmeet/participant/rtc';
import type { WrongPeer } from './peer.ts';
import type { Random } from './random.ts';
import { NOBODY, richOffer } from './sdp.ts';

const p = protocol;
type Request = Exclude<protocol.SignalRequest['message'], { case: undefined }>;

// oxlint-disable-next-line max-lines-per-function -- a switch over the kinds of requests
export function request(random: Random, peer: WrongPeer): Request {
  const sids = peer.trackSids();
  const sid = sids.length > 0 && random.chance(0.8) ? random.pick(sids) : 'TR_none';
  const join = peer.received.find((message) => message.case === 'join');
  const own = join?.case === 'join' ? (join.value.participant?.sid ?? '') : '';
  const sdp = new p.SessionDescription({
    type: 'offer',
    sdp: richOffer(NOBODY, (mid) => `${peer.identity}-${mid}`),
    id: random.below(9),
  });
  const makers: (() => Request)[] = [
    () => ({ case: 'offer', value: sdp }),
    () => ({ case: 'answer', value: sdp }),
    () => ({
      case: 'trickle',
      value: new p.TrickleRequest({
        candidateInit: '{"candidate":"candidate:1 1 UDP 1 192.0.2.1 9 typ host","sdpMid":"0"}',
        target: random.below(3),
      }),
    }),
    () => ({
      case: 'addTrack',
      value: new p.AddTrackRequest({
        cid: `c${random.below(50)}`,
        name: 'n',
        type: random.below(3),
        source: random.below(6),
        width: random.extreme() >>> 0,
        layers: [new p.VideoLayer({ quality: random.below(4) })],
        simulcastCodecs: [new p.SimulcastCodec({ codec: random.pick(['vp8', 'av1', 'h264', '']), cid: 'x' })],
      }),
    }),
    () => ({ case: 'mute', value: new p.MuteTrackRequest({ sid, muted: random.chance(0.5) }) }),
    () => ({
      case: 'subscription',
      value: new p.UpdateSubscription({
        trackSids: Array.from({ length: random.below(40) }, () => sid),
        subscribe: random.chance(0.5),
        participantTracks: [new p.ParticipantTracks({ participantSid: own, trackSids: [sid] })],
      }),
    }),
    () => ({
      case: 'trackSetting',
      value: new p.UpdateTrackSettings({
        trackSids: [sid],
        disabled: random.chance(0.3),
        quality: random.below(4),
        width: random.extreme() >>> 0,
        height: random.extreme() >>> 0,
        fps: random.extreme() >>> 0,
        priority: random.extreme() >>> 0,
      }),
    }),
    () => ({
      case: 'updateLayers',
      value: new p.UpdateVideoLayers({ trackSid: sid, layers: [new p.VideoLayer({ quality: 1, width: 1 })] }),
    }),
    () => ({
      case: 'subscriptionPermission',
      value: new p.SubscriptionPermission({
        allParticipants: random.chance(0.5),
        trackPermissions: [
          new p.TrackPermission({
            participantSid: own,
            allTracks: random.chance(0.5),
            trackSids: [sid],
            participantIdentity: peer.identity,
          }),
        ],
      }),
    }),
    () => ({
      case: 'syncState',
      value: new p.SyncState({
        offer: sdp,
        answer: sdp,
        subscription: new p.UpdateSubscription({ trackSids: [sid], subscribe: true }),
        publishTracks: [new p.TrackPublishedResponse({ cid: 'c1', track: new p.TrackInfo({ sid }) })],
        trackSidsDisabled: [sid],
        datachannelReceiveStates: [new p.DataChannelReceiveState({ publisherSid: own, lastSeq: random.below(9) })],
      }),
    }),
    () => ({
      case: 'simulate',
      value: new p.SimulateScenario({
        scenario: random.pick([
          { case: 'speakerUpdate', value: 3 },
          { case: 'migration', value: true },
          { case: 'subscriberBandwidth', value: BigInt(random.below(1e6)) },
        ]),
      }),
    }),
    () => ({
      case: 'updateMetadata',
      value: new p.UpdateParticipantMetadata({
        metadata: 'm'.repeat(random.below(4_000)),
        name: 'n',
        attributes: { a: 'b'.repeat(random.below(200)), ['k'.repeat(random.below(50))]: 'c' },
        requestId: random.below(99),
      }),
    }),
    () => ({
      case: 'updateAudioTrack',
      value: new p.UpdateLocalAudioTrack({ trackSid: sid, features: [0, 1, random.below(9)] }),
    }),
    () => ({
      case: 'updateVideoTrack',
      value: new p.UpdateLocalVideoTrack({ trackSid: sid, width: random.extreme() >>> 0, height: 2 }),
    }),
    () => ({ case: 'ping', value: BigInt(random.below(2 ** 31)) }),
    () => ({ case: 'pingReq', value: new p.Ping({ timestamp: BigInt(random.below(2 ** 31)), rtt: -5n }) }),
    () => ({ case: 'leave', value: new p.LeaveRequest({ reason: random.below(20), action: random.below(4) }) }),
  ];
  // A peer that leaves tests nothing more: rarely.
  return makers[random.below(random.chance(0.02) ? makers.length : makers.length - 1)]!();
}
