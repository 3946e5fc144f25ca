import type { LayerHeight } from '@rmeet/conference';
import {
  ConnectionQuality,
  RemoteTrackPublication,
  RoomEvent,
  Track,
  type RemoteParticipant,
  type RemoteTrack,
  type Room,
} from 'livekit-client';
import type { LivekitEncryption } from './livekit-encryption.ts';
import type { LinkQuality, MediaParticipant, VideoHandle } from './media-types.ts';

export const QUALITY: Record<ConnectionQuality, LinkQuality> = {
  [ConnectionQuality.Excellent]: 'good',
  [ConnectionQuality.Good]: 'good',
  [ConnectionQuality.Poor]: 'poor',
  [ConnectionQuality.Lost]: 'lost',
  [ConnectionQuality.Unknown]: 'unknown',
};

const ASPECT = 16 / 9;

/** The incoming media of a room: video in the requested sizes, audio at the requested volumes. */
export class LivekitRemote {
  readonly #room: Room;
  /** Subscribes only to requested tracks. */
  readonly #isChoosing: boolean;
  /** Set in an end-to-end encrypted room: tracks that are not encrypted are not received. */
  readonly #encryption: LivekitEncryption | null;
  /** A terminal that receives only requested pictures, to save data. */
  #isRestricted = false;
  readonly #audio: HTMLElement;
  /** One handle per track, so that views see the same object until the picture changes. */
  readonly #handles = new WeakMap<Track, VideoHandle>();
  readonly #playing = new Map<RemoteTrack, HTMLMediaElement>();
  #layers: ReadonlyMap<string, LayerHeight> = new Map();
  #volumeOf: (termId: string) => number = () => 1;
  #hears: boolean;

  constructor(room: Room, isChoosing: boolean, encryption: LivekitEncryption | null) {
    this.#room = room;
    this.#isChoosing = isChoosing;
    this.#encryption = encryption;
    this.#hears = !isChoosing;
    this.#audio = document.createElement('div');
    this.#audio.hidden = true;
    this.#audio.dataset['testid'] = 'call-audio';
    document.body.append(this.#audio);
    room
      .on(RoomEvent.ParticipantConnected, (participant) => this.#setVolume(participant))
      .on(RoomEvent.TrackPublished, (publication, participant) => this.#choose(publication, participant))
      .on(RoomEvent.TrackSubscribed, (track, publication, participant) => {
        this.#play(track);
        this.#setVolume(participant);
        this.#choose(publication, participant);
      })
      .on(RoomEvent.TrackUnsubscribed, (track) => this.#fallSilent(track))
      .on(RoomEvent.Connected, () => this.#chooseAll());
  }

  participants(): MediaParticipant[] {
    return [...this.#room.remoteParticipants.values()].map((each) => ({
      termId: each.identity,
      name: each.name ?? '',
      camera: this.#handleOf(each, Track.Source.Camera),
      screen: this.#handleOf(each, Track.Source.ScreenShare),
      sharing: each.getTrackPublication(Track.Source.ScreenShare) !== undefined,
      microphoneOn: each.isMicrophoneEnabled,
      quality: QUALITY[each.connectionQuality],
      undecryptable: this.#encryption?.isFailing(each.identity) ?? false,
    }));
  }

  /** Owner of each track, by the id of its MediaStreamTrack. */
  *tracks(): Generator<[string, { peer: string; source: Track.Source }]> {
    for (const { identity, trackPublications } of this.#room.remoteParticipants.values()) {
      for (const { track, source } of trackPublications.values()) {
        if (track !== undefined) yield [track.mediaStreamTrack.id, { peer: identity, source }];
      }
    }
  }

  setVolumes(volumeOf: (termId: string) => number): void {
    this.#volumeOf = volumeOf;
    for (const participant of this.#room.remoteParticipants.values()) this.#setVolume(participant);
  }

  ask(layers: ReadonlyMap<string, LayerHeight>): void {
    this.#layers = layers;
    this.#chooseAll();
  }

  /** Receives only requested pictures, or all again. */
  restrict(isRestricted: boolean): void {
    if (this.#isRestricted === isRestricted) return;
    this.#isRestricted = isRestricted;
    this.#chooseAll();
  }

  listen(on: boolean): void {
    this.#hears = on || !this.#isChoosing;
    this.#chooseAll();
  }

  dispose(): void {
    this.#audio.remove();
  }

  #play(track: RemoteTrack): void {
    if (track.kind !== Track.Kind.Audio) return;
    const element = track.attach();
    this.#playing.set(track, element);
    this.#audio.append(element);
  }

  /** The client has already detached the track and does not report its element. */
  #fallSilent(track: RemoteTrack): void {
    this.#playing.get(track)?.remove();
    this.#playing.delete(track);
  }

  #setVolume(participant: RemoteParticipant): void {
    const volume = this.#volumeOf(participant.identity);
    participant.setVolume(volume);
    participant.setVolume(volume, Track.Source.ScreenShareAudio);
  }

  #chooseAll(): void {
    for (const participant of this.#room.remoteParticipants.values()) {
      for (const publication of participant.trackPublications.values()) {
        if (publication instanceof RemoteTrackPublication) this.#choose(publication, participant);
      }
    }
  }

  /** Subscribes or unsubscribes a track and sets its size. The client itself pauses tracks that no element shows. */
  #choose(publication: RemoteTrackPublication, { identity }: RemoteParticipant): void {
    const isScreen = publication.source === Track.Source.ScreenShare;
    const height =
      publication.kind === Track.Kind.Video ? (this.#layers.get(isScreen ? `${identity}-screen` : identity) ?? 0) : 0;
    const isAudio = publication.kind === Track.Kind.Audio;
    // In an end-to-end encrypted room, a sender of readable media is not a participant with the key.
    const isRefused = this.#encryption !== null && !publication.isEncrypted;
    const isAsked = isAudio ? this.#hears : height > 0 || !(this.#isChoosing || this.#isRestricted);
    // A terminal that was restricted before gets every picture back.
    if (this.#isChoosing || !isAudio || isRefused) subscribe(publication, isAsked && !isRefused);
    if (height > 0 && !isScreen && publication.track !== undefined)
      publication.setVideoDimensions({ width: Math.round(height * ASPECT), height });
  }

  #handleOf(participant: RemoteParticipant, source: Track.Source): VideoHandle | null {
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
}

function subscribe(publication: RemoteTrackPublication, isWanted: boolean): void {
  if (publication.isDesired !== isWanted) publication.setSubscribed(isWanted);
}
