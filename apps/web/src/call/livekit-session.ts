import {
  BackupCodecPolicy,
  ConnectionQuality,
  ConnectionState,
  DisconnectReason,
  EngineEvent,
  LogLevel,
  Room,
  RoomEvent,
  Track,
  VideoPreset,
  setLogLevel,
  type Participant,
  type ReconnectContext,
  type TrackPublication,
} from 'livekit-client';
import type { LayerHeight } from '@rmeet/conference';
import { AUDIO_BITRATE, type DataMode } from './data-mode.ts';
import { LivekitEncryption } from './livekit-encryption.ts';
import { LivekitPublisher } from './livekit-publisher.ts';
import { LivekitRemote, QUALITY } from './livekit-remote.ts';
import type {
  CameraOptions,
  LinkQuality,
  MediaEnd,
  MediaEvents,
  MediaOptions,
  MediaParticipant,
  MediaSample,
  MediaSession,
  MediaSource,
  RoomConnection,
  Outgoing,
} from './media-types.ts';
import { MigratingSession } from './migrating-session.ts';

setLogLevel(LogLevel.warn);

const STANDARD_CAMERA: CameraOptions = { codec: 'h264', bitrate: 1_700 };
/** The camera's lower layers and their share of the bitrate of the highest layer (720 lines). */
const LAYERS = [
  { width: 320, height: 180, share: 0.088, framerate: 15 },
  { width: 640, height: 360, share: 0.294, framerate: 25 },
];

/** Publish options of a camera with a maximum bitrate. */
function cameraDefaults({ codec, bitrate }: CameraOptions) {
  const most = bitrate * 1_000;
  return {
    videoCodec: codec,
    // What every browser decodes, sent too while a receiver needs it.
    backupCodec: codec === 'vp8' ? false : { codec: 'vp8' as const },
    backupCodecPolicy: BackupCodecPolicy.SIMULCAST,
    videoSimulcastLayers: LAYERS.map(
      ({ width, height, share, framerate }) => new VideoPreset(width, height, Math.round(most * share), framerate),
    ),
    videoEncoding: { maxBitrate: most, maxFramerate: 30 },
  };
}

/** The rate of the shared pictures is chosen where they are captured. */
const SCREEN_ENCODING = { maxBitrate: 2_500_000, maxFramerate: 30 };

/**
 * The client reconnects as long as this returns delays. It never gives up, because media still flows while the server
 * is down; a rejected token ends the retries.
 */
const RECONNECT_DELAYS = [50, 250, 500, 500, 750, 1_000, 1_000, 1_500, 2_000];
const reconnectPolicy = {
  nextRetryDelayInMs: ({ retryCount }: ReconnectContext): number =>
    (RECONNECT_DELAYS[retryCount] ?? 2_000) * (0.8 + 0.4 * Math.random()),
};

type Reported = MediaSample['tracks'] extends ReadonlyMap<string, infer R> ? R : never;

const REPORTED: Record<Track.Source, Reported['source']> = {
  [Track.Source.Camera]: 'camera',
  [Track.Source.Microphone]: 'microphone',
  [Track.Source.ScreenShare]: 'screenShare',
  [Track.Source.ScreenShareAudio]: 'screenShareAudio',
  [Track.Source.Unknown]: 'unknown',
};
const OWN_REPORTED: Record<MediaSource, Reported['source']> = {
  camera: 'camera',
  microphone: 'microphone',
  screen: 'screenShare',
  screenAudio: 'screenShareAudio',
};

/**
 * A session on LiveKit's protocol, over `/rtc/v1` with one peer connection, or `/rtc` with two if the engine lacks the
 * former.
 */
export function openLivekitSession(events: MediaEvents, options: MediaOptions = {}): MediaSession {
  return new MigratingSession(
    (connectionEvents, connectionOptions) => new LivekitRoomConnection(connectionEvents, connectionOptions ?? {}),
    events,
    options,
  );
}

class LivekitRoomConnection implements RoomConnection {
  readonly #room: Room;
  readonly #publisher: LivekitPublisher;
  readonly #remote: LivekitRemote;
  readonly #encryption: LivekitEncryption | null;
  readonly #events: MediaEvents;
  readonly #isWatching: boolean;
  #key: string | undefined;
  #stopped = false;

  constructor(events: MediaEvents, { watching = false, camera = STANDARD_CAMERA, encryptionKey }: MediaOptions) {
    this.#events = events;
    this.#isWatching = watching;
    this.#key = encryptionKey;
    this.#encryption = encryptionKey === undefined ? null : new LivekitEncryption(() => events.onChange());
    this.#room = new Room({
      adaptiveStream: { pixelDensity: 'screen', pauseVideoInBackground: true },
      dynacast: true,
      singlePeerConnection: true,
      stopLocalTrackOnUnpublish: false,
      disconnectOnPageLeave: false,
      reconnectPolicy,
      ...(this.#encryption && { encryption: this.#encryption.options }),
      publishDefaults: {
        simulcast: true,
        ...cameraDefaults(camera),
        screenShareEncoding: SCREEN_ENCODING,
        dtx: true,
        red: false,
      },
    });
    this.#publisher = new LivekitPublisher(this.#room.localParticipant, (source, why) => events.onRefused(source, why));
    this.#remote = new LivekitRemote(this.#room, watching, this.#encryption);
    this.#listen();
  }

  async run(url: string, token: string): Promise<MediaEnd> {
    const over = new Promise<MediaEnd>((resolve) => {
      this.#room.once(RoomEvent.Disconnected, (reason) => resolve(this.#endOf(reason)));
    });
    try {
      if (this.#key !== undefined) await this.#encryption?.start(this.#room, this.#key);
      await this.#room.connect(url, token, {
        peerConnectionTimeout: 8_000,
        websocketTimeout: 5_000,
        autoSubscribe: !this.#isWatching,
      });
      this.#events.onState('connected');
      return await over;
    } catch {
      // The client has logged the error; the caller asks the server for the reason.
      return this.#stopped ? 'stopped' : 'lost';
    } finally {
      this.#publisher.stop();
      this.#remote.dispose();
      this.#encryption?.dispose();
    }
  }

  publish(outgoing: Outgoing): void {
    this.#publisher.set(outgoing);
  }

  whenMet(source: MediaSource, signal: AbortSignal): Promise<boolean> {
    return this.#publisher.whenMet(source, signal);
  }

  limit(maxHeight: number | null): Promise<void> {
    return this.#publisher.limit(maxHeight);
  }

  economise(mode: DataMode): void {
    this.#publisher.setAudioBitrate(AUDIO_BITRATE[mode]);
    this.#remote.restrict(mode !== 'full');
  }

  participants(): MediaParticipant[] {
    return this.#remote.participants();
  }

  setVolumes(volumeOf: (termId: string) => number): void {
    this.#remote.setVolumes(volumeOf);
  }

  ask(layers: ReadonlyMap<string, LayerHeight>): void {
    this.#remote.ask(layers);
  }

  listen(on: boolean): void {
    this.#remote.listen(on);
  }

  async sample(): Promise<MediaSample> {
    const { publisher, subscriber } = this.#room.engine.pcManager ?? {};
    const reports = await Promise.all([publisher?.getStats(), subscriber?.getStats()]);
    const own = [...this.#publisher.sources()].map(
      ([id, source]) => [id, { source: OWN_REPORTED[source], peer: null }] as const,
    );
    const others = [...this.#remote.tracks()].map(
      ([id, { peer, source }]) => [id, { source: REPORTED[source], peer }] as const,
    );
    return {
      stats: reports.flatMap(entriesOf),
      tracks: new Map<string, Reported>([...own, ...others]),
      onAir: this.#publisher.onAir(publisher?.getTransceivers() ?? []),
      hasCompany: this.#room.remoteParticipants.size > 0,
    };
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

  rekey(key: string): void {
    this.#key = key;
    void this.#encryption?.setKey(key);
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    await this.#room.disconnect(false);
  }

  #listen(): void {
    const changed = () => this.#events.onChange();
    // The room reports nothing about tracks whose publication has not completed.
    this.#room.engine.on(EngineEvent.LocalTrackUnpublished, ({ trackSid }) => this.#publisher.withdrawn(trackSid));
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
      .on(RoomEvent.ConnectionQualityChanged, (quality, participant) => this.#followPath(quality, participant))
      .on(RoomEvent.TrackSubscribed, changed)
      .on(RoomEvent.TrackUnsubscribed, changed)
      .on(RoomEvent.TrackMuted, (publication, participant) => this.#mutedByEngine(publication, participant))
      .on(RoomEvent.ActiveSpeakersChanged, (speakers) => this.#events.onSpeakers(speakers.map((each) => each.identity)))
      .on(RoomEvent.AudioPlaybackStatusChanged, () => this.#events.onAudioBlocked(!this.#room.canPlaybackAudio))
      .on(RoomEvent.ConnectionStateChanged, (state) => {
        if (state === ConnectionState.Connected) this.#events.onState('connected');
        if (state === ConnectionState.Reconnecting || state === ConnectionState.SignalReconnecting)
          this.#events.onState('reconnecting');
      });
  }

  /**
   * Nothing that the engine sends arrives here: the address of this page may have changed. A page that only receives
   * sends a report a second, so that the engine learns the new address late; an ICE restart sends checks at once. While
   * the room connects, the quality is lost too, because there is no connection yet.
   */
  #followPath(quality: ConnectionQuality, participant: Participant): void {
    const { state, localParticipant, engine } = this.#room;
    if (quality !== ConnectionQuality.Lost || participant !== localParticipant) return;
    if (state !== ConnectionState.Connected) return;
    // The client logs a failure. The engine sees the new address in the next report then.
    engine.pcManager?.triggerIceRestart().catch(() => undefined);
  }

  #mutedByEngine(publication: TrackPublication, participant: Participant): void {
    if (participant !== this.#room.localParticipant) return;
    const source = this.#publisher.unexpectedlyMuted(publication.track);
    if (source !== null) this.#events.onRefused(source, 'muted');
  }

  #endOf(reason: DisconnectReason | undefined): MediaEnd {
    if (this.#stopped) return 'stopped';
    if (reason === DisconnectReason.PARTICIPANT_REMOVED) return 'removed';
    return reason === DisconnectReason.DUPLICATE_IDENTITY ? 'elsewhere' : 'lost';
  }
}

/** RTCStatsReport is typed with forEach only. */
function entriesOf(report: RTCStatsReport | undefined): RTCStats[] {
  const entries: RTCStats[] = [];
  report?.forEach((entry: RTCStats) => entries.push(entry));
  return entries;
}
