import {
  ConnectionQuality,
  ConnectionState,
  DisconnectReason,
  LogLevel,
  Room,
  RoomEvent,
  Track,
  VideoPreset,
  setLogLevel,
  type Participant,
  type ReconnectContext,
  type RemoteTrack,
  type TrackPublication,
} from 'livekit-client';
import type { LinkQuality, MediaEnd, MediaEvents, MediaParticipant, MediaSession, Outgoing, VideoHandle } from './media-types.ts';
import { LivekitPublisher } from './livekit-publisher.ts';

setLogLevel(LogLevel.warn);

/** The camera's lower layers; the highest is the camera's own 720 lines. */
const LAYERS = [new VideoPreset(320, 180, 150_000, 15), new VideoPreset(640, 360, 500_000, 25)];
const CAMERA_ENCODING = { maxBitrate: 1_700_000, maxFramerate: 30 };
const SCREEN_ENCODING = { maxBitrate: 2_500_000, maxFramerate: 15 };

/**
 * The client mends a broken connection by itself as long as this gives it delays. It goes on for good, because while the
 * server is away media still flows, and giving up would cut it; a refusal of its token ends it at once all the same.
 */
const RECONNECT_DELAYS = [50, 250, 500, 500, 750, 1_000, 1_000, 1_500, 2_000];
const reconnectPolicy = {
  nextRetryDelayInMs: ({ retryCount }: ReconnectContext): number => (RECONNECT_DELAYS[retryCount] ?? 2_000) * (0.8 + 0.4 * Math.random()),
};

const QUALITY: Record<ConnectionQuality, LinkQuality> = {
  [ConnectionQuality.Excellent]: 'good',
  [ConnectionQuality.Good]: 'good',
  [ConnectionQuality.Poor]: 'poor',
  [ConnectionQuality.Lost]: 'lost',
  [ConnectionQuality.Unknown]: 'unknown',
};

/** A stay in a LiveKit room, over `/rtc/v1` with one peer connection, or `/rtc` with two where the engine lacks the former. */
export function openLivekitSession(events: MediaEvents): MediaSession {
  return new LivekitSession(events);
}

class LivekitSession implements MediaSession {
  readonly #room: Room;
  readonly #publisher: LivekitPublisher;
  readonly #events: MediaEvents;
  readonly #audio: HTMLElement;
  /** One handle per track, so that views see the same object until the picture changes. */
  readonly #handles = new WeakMap<Track, VideoHandle>();
  #stopped = false;

  constructor(events: MediaEvents) {
    this.#events = events;
    this.#room = new Room({
      adaptiveStream: { pixelDensity: 'screen', pauseVideoInBackground: true },
      dynacast: true,
      singlePeerConnection: true,
      stopLocalTrackOnUnpublish: false,
      disconnectOnPageLeave: false,
      reconnectPolicy,
      publishDefaults: {
        simulcast: true,
        videoSimulcastLayers: LAYERS,
        videoEncoding: CAMERA_ENCODING,
        screenShareEncoding: SCREEN_ENCODING,
        backupCodec: false,
        dtx: true,
        red: false,
      },
    });
    this.#publisher = new LivekitPublisher(this.#room.localParticipant, (source, why) => events.onRefused(source, why));
    this.#audio = document.createElement('div');
    this.#audio.hidden = true;
    this.#audio.dataset['testid'] = 'call-audio';
    document.body.append(this.#audio);
    this.#listen();
  }

  async run(url: string, token: string): Promise<MediaEnd> {
    const over = new Promise<MediaEnd>((resolve) => {
      this.#room.once(RoomEvent.Disconnected, (reason) => resolve(this.#endOf(reason)));
    });
    try {
      await this.#room.connect(url, token, { peerConnectionTimeout: 8_000, websocketTimeout: 5_000 });
      this.#events.onState('connected');
      return await over;
    } catch {
      // The client has logged it; the caller asks the server what to do next, which knows more than the error says.
      return this.#stopped ? 'stopped' : 'lost';
    } finally {
      this.#publisher.stop();
      this.#audio.remove();
    }
  }

  publish(outgoing: Outgoing): void {
    this.#publisher.set(outgoing);
  }

  participants(): MediaParticipant[] {
    return [...this.#room.remoteParticipants.values()].map((each) => ({
      termId: each.identity,
      name: each.name ?? '',
      camera: this.#handleOf(each, Track.Source.Camera),
      screen: this.#handleOf(each, Track.Source.ScreenShare),
      microphoneOn: each.isMicrophoneEnabled,
      quality: QUALITY[each.connectionQuality],
    }));
  }

  ownQuality(): LinkQuality {
    return QUALITY[this.#room.localParticipant.connectionQuality];
  }

  async startAudio(): Promise<void> {
    await this.#room.startAudio();
  }

  async setSpeaker(deviceId: string | null): Promise<void> {
    await this.#room.switchActiveDevice('audiooutput', deviceId ?? 'default');
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    await this.#room.disconnect(false);
  }

  #listen(): void {
    const changed = () => this.#events.onChange();
    this.#room
      .on(RoomEvent.SignalConnected, () => this.#publisher.start())
      .on(RoomEvent.Reconnected, () => this.#publisher.start())
      .on(RoomEvent.SignalConnected, changed)
      .on(RoomEvent.Reconnected, changed)
      .on(RoomEvent.Connected, changed)
      .on(RoomEvent.ParticipantConnected, changed)
      .on(RoomEvent.ParticipantDisconnected, changed)
      .on(RoomEvent.ParticipantNameChanged, changed)
      .on(RoomEvent.TrackPublished, changed)
      .on(RoomEvent.TrackUnpublished, changed)
      .on(RoomEvent.TrackMuted, changed)
      .on(RoomEvent.TrackUnmuted, changed)
      .on(RoomEvent.ConnectionQualityChanged, changed)
      .on(RoomEvent.TrackSubscribed, (track) => {
        this.#play(track);
        changed();
      })
      .on(RoomEvent.TrackUnsubscribed, (track) => {
        if (track.kind === Track.Kind.Audio) for (const element of track.detach()) element.remove();
        changed();
      })
      .on(RoomEvent.TrackMuted, (publication, participant) => this.#mutedByEngine(publication, participant))
      .on(RoomEvent.ActiveSpeakersChanged, (speakers) => this.#events.onSpeakers(speakers.map((each) => each.identity)))
      .on(RoomEvent.AudioPlaybackStatusChanged, () => this.#events.onAudioBlocked(!this.#room.canPlaybackAudio))
      .on(RoomEvent.ConnectionStateChanged, (state) => {
        if (state === ConnectionState.Connected) this.#events.onState('connected');
        if (state === ConnectionState.Reconnecting || state === ConnectionState.SignalReconnecting) this.#events.onState('reconnecting');
      });
  }

  #play(track: RemoteTrack): void {
    if (track.kind !== Track.Kind.Audio) return;
    this.#audio.append(track.attach());
  }

  #mutedByEngine(publication: TrackPublication, participant: Participant): void {
    if (participant !== this.#room.localParticipant) return;
    const source = this.#publisher.unexpectedlyMuted(publication.track);
    if (source !== null) this.#events.onRefused(source, 'muted');
  }

  #handleOf(participant: Participant, source: Track.Source): VideoHandle | null {
    const publication = participant.getTrackPublication(source);
    const track = publication?.videoTrack;
    if (track === undefined || publication === undefined || publication.isMuted) return null;
    const known = this.#handles.get(track);
    if (known !== undefined) return known;
    const handle: VideoHandle = {
      id: track.sid ?? publication.trackSid,
      mirrored: false,
      attach: (element) => void track.attach(element),
      detach: (element) => void track.detach(element),
    };
    this.#handles.set(track, handle);
    return handle;
  }

  #endOf(reason: DisconnectReason | undefined): MediaEnd {
    if (this.#stopped) return 'stopped';
    return reason === DisconnectReason.DUPLICATE_IDENTITY ? 'elsewhere' : 'lost';
  }
}
