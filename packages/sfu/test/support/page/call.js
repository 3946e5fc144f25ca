// Runs in the browser page: one participant, driven by the tests through `call`.
const { Room, RoomEvent, Track, setLogLevel } = window.LivekitClient;
setLogLevel('silent');

const noted = [
  'Disconnected', 'Reconnecting', 'SignalReconnecting', 'Reconnected', 'TrackSubscribed', 'TrackUnsubscribed', 'TrackMuted',
  'TrackUnmuted', 'LocalTrackUnpublished', 'ParticipantDisconnected',
];
const seen = { events: [], messages: [], spoke: [] };
let room;

function remotePublications(kind) {
  return [...room.remoteParticipants.values()].flatMap((participant) =>
    [...participant.trackPublications.values()].filter((publication) => !kind || publication.kind === kind).map((publication) => ({ participant, publication })),
  );
}

function tone() {
  const context = new AudioContext();
  const oscillator = context.createOscillator();
  const output = context.createMediaStreamDestination();
  oscillator.connect(output);
  oscillator.start();
  return output.stream.getAudioTracks()[0];
}

/**
 * The camera no other page of this browser uses. Pages that share one and take it anew at about the same time, as
 * livekit-client does when it reconnects, now and then leave it without pictures for all of them and for good.
 */
async function ownCamera() {
  const cameras = (await navigator.mediaDevices.enumerateDevices()).filter(({ kind }) => kind === 'videoinput');
  // Chromium's second made-up camera measures depth, its third sends JPEG
  const usable = [cameras[0], ...cameras.slice(3)];
  return usable[Number(new URLSearchParams(location.search).get('camera'))].deviceId;
}

window.call = {
  async join(url, token, options) {
    const videoCaptureDefaults = { deviceId: { exact: await ownCamera() } };
    room = new Room({ adaptiveStream: false, dynacast: false, videoCaptureDefaults, ...options });
    for (const name of noted) {
      room.on(RoomEvent[name], (first) => seen.events.push(name === 'Disconnected' ? `${name} ${first}` : name));
    }
    room.on(RoomEvent.ActiveSpeakersChanged, (speakers) => seen.spoke.push(...speakers.map((speaker) => speaker.identity)));
    room.on(RoomEvent.DataReceived, (data, sender, kind, topic) => {
      seen.messages.push(`${sender?.identity ?? 'server'} ${kind === 0 ? 'reliable' : 'lossy'} ${topic ?? ''} ${new TextDecoder().decode(data)}`);
    });
    room.on(RoomEvent.TrackSubscribed, (track) => document.body.append(track.attach()));
    room.on(RoomEvent.TrackUnsubscribed, (track) => track.detach().forEach((element) => element.remove()));
    await room.connect(url, token);
  },
  async publish(options) {
    await room.localParticipant.publishTrack(tone(), { source: Track.Source.Microphone });
    await room.localParticipant.setCameraEnabled(true, undefined, options);
  },
  async share() {
    const canvas = document.createElement('canvas');
    Object.assign(canvas, { width: 800, height: 600 });
    const context = canvas.getContext('2d');
    setInterval(() => context.fillRect(Math.random() * 800, Math.random() * 600, 20, 20), 50);
    const track = canvas.captureStream(15).getVideoTracks()[0];
    await room.localParticipant.publishTrack(track, { source: Track.Source.ScreenShare, simulcast: false });
  },
  setMicrophone: async (on) => void (await room.localParticipant.setMicrophoneEnabled(on)),
  setCamera: async (on) => void (await room.localParticipant.setCameraEnabled(on)),
  async unpublishVideo() {
    for (const { track } of room.localParticipant.videoTrackPublications.values()) await room.localParticipant.unpublishTrack(track);
  },
  async send(text, options) {
    await room.localParticipant.publishData(new TextEncoder().encode(text), options);
  },
  setQuality(quality) {
    for (const { publication } of remotePublications('video')) publication.setVideoQuality(quality);
  },
  setSubscribed(subscribed) {
    for (const { publication } of remotePublications()) publication.setSubscribed(subscribed);
  },
  setName: async (name) => room.localParticipant.setName(name),
  allowSubscribers: (all, permissions) => room.localParticipant.setTrackSubscriptionPermissions(all, permissions),
  leave: async () => room.disconnect(),
  state() {
    return {
      ...seen,
      sid: room.localParticipant.sid,
      connection: room.state,
      metadata: room.metadata ?? '',
      microphone: room.localParticipant.isMicrophoneEnabled,
      remotes: Object.fromEntries([...room.remoteParticipants.values()].map(({ identity, name }) => [identity, name])),
      quality: room.localParticipant.connectionQuality,
    };
  },
  async received() {
    const list = [];
    for (const { participant, publication } of remotePublications()) {
      const report = await publication.track?.receiver?.getStats();
      report?.forEach((stats) => {
        if (stats.type !== 'inbound-rtp') return;
        list.push({
          kind: publication.kind,
          source: publication.source,
          from: participant.identity,
          codec: report.get(stats.codecId)?.mimeType ?? '',
          framesDecoded: stats.framesDecoded ?? 0,
          frameWidth: stats.frameWidth ?? 0,
          freezes: stats.freezeCount ?? 0,
          packetsReceived: stats.packetsReceived,
          audioEnergy: stats.totalAudioEnergy ?? 0,
        });
      });
    }
    return list;
  },
};
