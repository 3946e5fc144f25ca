import type { LayerHeight } from '@rmeet/conference';
import { ArrivalGaps, type Arrival } from '@rmeet/contract';
import { pause } from './backoff.ts';
import type { DataMode } from './data-mode.ts';
import type {
  LinkQuality,
  MediaEnd,
  MediaEvents,
  MediaOptions,
  MediaParticipant,
  MediaSample,
  MediaSession,
  MediaSource,
  RoomConnection,
  MigrationResult,
  OpenRoomConnection,
  Outgoing,
  VideoHandle,
} from './media-types.ts';

const LOOK_EVERY = 50;
const CONNECT_WITHIN = 10_000;
/** How long the new room may take to deliver everything the old one shows. */
const COMPLETE_WITHIN = 5_000;
/** The old connection is kept this long for terminals that have not migrated yet. */
const LINGER = 1_500;
const SOURCES: readonly MediaSource[] = ['camera', 'microphone', 'screen', 'screenAudio'];
const NOTHING: Outgoing = { camera: null, microphone: null, screen: null, screenAudio: null };

interface Inbound extends RTCStats {
  trackIdentifier?: string;
  packetsReceived?: number;
}

/** Packet counts by stream from a sample of one connection; `connection` distinguishes its counters from another's. */
function arrivalsOf({ stats, tracks }: MediaSample, connection: string): Arrival[] {
  return (stats as readonly Inbound[])
    .filter(({ type }) => type === 'inbound-rtp')
    .flatMap(({ id, trackIdentifier = '', packetsReceived = 0 }) => {
      const whose = tracks.get(trackIdentifier);
      return whose === undefined || whose.peer === null
        ? []
        : [{ stream: `${whose.peer} ${whose.source}`, counter: `${connection} ${id}`, count: packetsReceived }];
    });
}

/** Attaches pictures to invisible elements, because the client pauses video that no element shows. */
class Unseen {
  readonly #place = document.createElement('div');
  readonly #shown = new Map<VideoHandle, HTMLVideoElement>();

  constructor() {
    this.#place.ariaHidden = 'true';
    this.#place.style.cssText =
      'position:fixed;right:0;bottom:0;width:2px;height:2px;overflow:hidden;opacity:0.01;pointer-events:none';
    document.body.append(this.#place);
  }

  show(handles: readonly VideoHandle[]): void {
    for (const handle of handles) {
      if (this.#shown.has(handle)) continue;
      const video = document.createElement('video');
      video.muted = true;
      video.style.cssText = 'width:2px;height:2px';
      this.#place.append(video);
      handle.attach(video);
      this.#shown.set(handle, video);
    }
  }

  end(): void {
    for (const [handle, video] of this.#shown) handle.detach(video);
    this.#place.remove();
  }
}

const picturesOf = (participants: readonly MediaParticipant[]): VideoHandle[] =>
  participants.flatMap(({ camera, screen }) => [camera, screen]).filter((one) => one !== null);

/** Keys of the pictures that a connection delivers. */
const broughtBy = (participants: readonly MediaParticipant[]): string[] =>
  participants.flatMap(({ termId, camera, screen }) => [
    ...(camera ? [termId] : []),
    ...(screen ? [`${termId}-screen`] : []),
  ]);

/**
 * A media session that can migrate from one room to another: it connects to the new room first and leaves the old one
 * when all media has arrived.
 */
export class MigratingSession implements MediaSession {
  readonly #open: OpenRoomConnection;
  readonly #events: MediaEvents;
  #options: MediaOptions | undefined;
  #current: RoomConnection;
  #next: RoomConnection | null = null;
  #over: Promise<MediaEnd> = Promise.resolve('stopped');
  #moving: Promise<unknown> = Promise.resolve();
  #stopped = false;
  #outgoing: Outgoing = NOTHING;
  #maxHeight: number | null = null;
  #mode: DataMode = 'full';
  #volumeOf: (termId: string) => number = () => 1;
  #layers: ReadonlyMap<string, LayerHeight> = new Map();
  #hears = false;
  #speaker: string | null | undefined;

  constructor(open: OpenRoomConnection, events: MediaEvents, options?: MediaOptions) {
    this.#open = open;
    this.#events = events;
    this.#options = options;
    this.#current = this.#connect(() => undefined);
  }

  /** Opens a connection whose events are forwarded while it is the current one. */
  #connect(onConnected: () => void): RoomConnection {
    const events = this.#events;
    const isPresent = (): boolean => this.#current === connection;
    const connection: RoomConnection = this.#open(
      {
        onChange: () => events.onChange(),
        onSpeakers: (termIds) => {
          if (isPresent()) events.onSpeakers(termIds);
        },
        onAudioBlocked: (blocked) => {
          if (isPresent()) events.onAudioBlocked(blocked);
        },
        onRefused: (source, why) => {
          if (isPresent()) events.onRefused(source, why);
        },
        onState: (state) => {
          if (state === 'connected') onConnected();
          if (isPresent()) events.onState(state);
        },
      },
      this.#options,
    );
    return connection;
  }

  async run(url: string, token: string): Promise<MediaEnd> {
    this.#over = this.#current.run(url, token);
    for (;;) {
      const over = this.#over;
      const end = await over;
      // Lost during a migration: the new connection may be ready soon.
      if (end === 'lost' || end === 'removed') await this.#moving;
      if (over === this.#over) return this.#stopped ? 'stopped' : end;
    }
  }

  migrate(url: string, token: string): Promise<MigrationResult | null> {
    const moving = this.#migrate(url, token);
    this.#moving = moving.catch(() => undefined);
    return moving;
  }

  async #migrate(url: string, token: string): Promise<MigrationResult | null> {
    const old = this.#current;
    let settle: (isThere: boolean) => void = () => undefined;
    const connected = new Promise<boolean>((resolve) => {
      settle = resolve;
    });
    const next = this.#connect(() => settle(true));
    this.#next = next;
    next.setVolumes(() => 0);
    next.economise(this.#mode);
    next.ask(this.#layers);
    next.listen(this.#hears);
    next.publish(this.#outgoing);
    void next.limit(this.#maxHeight);
    if (this.#speaker !== undefined) void next.setSpeaker(this.#speaker);
    const over = next.run(url, token);
    void over.then(() => settle(false));
    const measured = this.#measure(old, next);
    const unseen = new Unseen();
    const isThere = await Promise.race([connected, pause(CONNECT_WITHIN).then(() => false)]);
    if (!isThere || this.#stopped) {
      this.#next = null;
      unseen.end();
      await Promise.all([measured(), next.stop()]);
      return null;
    }
    const giveUp = AbortSignal.timeout(COMPLETE_WITHIN);
    await Promise.all([
      ...SOURCES.map((source) => next.whenMet(source, giveUp)),
      this.#complete(old, next, unseen, giveUp),
    ]);
    this.#current = next;
    this.#next = null;
    this.#over = over;
    old.setVolumes(() => 0);
    next.setVolumes(this.#volumeOf);
    this.#events.onState('connected');
    this.#events.onChange();
    const gap = await measured();
    void pause(LINGER).then(() => {
      unseen.end();
      return old.stop();
    });
    return gap === undefined ? {} : { gap };
  }

  /** Resolves when the new connection delivers every picture that the old one does, or on timeout. */
  async #complete(old: RoomConnection, next: RoomConnection, unseen: Unseen, giveUp: AbortSignal): Promise<void> {
    const isComplete = async (): Promise<boolean> => {
      const there = next.participants();
      unseen.show(picturesOf(there));
      const brought = new Set(broughtBy(there));
      if (!broughtBy(old.participants()).every((key) => brought.has(key))) return false;
      const flowing = new Set(
        arrivalsOf(await next.sample(), 'next')
          .filter(({ count }) => count > 0)
          .map(({ stream }) => stream),
      );
      return arrivalsOf(await old.sample(), 'old').every(({ stream, count }) => count === 0 || flowing.has(stream));
    };
    while (!giveUp.aborted && !this.#stopped && !(await isComplete())) await pause(LOOK_EVERY, giveUp);
  }

  /** Measures what arrives on either connection until the returned function is called, which gives the longest gap. */
  #measure(old: RoomConnection, next: RoomConnection): () => Promise<number | undefined> {
    const gaps = new ArrivalGaps();
    const end = new AbortController();
    const look = async (): Promise<Set<string>> => {
      const [before, after] = await Promise.all([old.sample(), next.sample()]);
      const now = arrivalsOf(after, 'next');
      gaps.see(performance.now(), [...arrivalsOf(before, 'old'), ...now]);
      return new Set(now.map(({ stream }) => stream));
    };
    const looking = (async () => {
      while (!end.signal.aborted) {
        await look();
        await pause(LOOK_EVERY, end.signal);
      }
    })();
    return async () => {
      end.abort();
      await looking;
      const there = await look();
      return gaps.longest(performance.now(), (stream) => !there.has(stream));
    };
  }

  #both(apply: (connection: RoomConnection) => void): void {
    apply(this.#current);
    if (this.#next !== null) apply(this.#next);
  }

  publish(outgoing: Outgoing): void {
    this.#outgoing = outgoing;
    this.#both((connection) => connection.publish(outgoing));
  }

  whenMet(source: MediaSource, signal: AbortSignal): Promise<boolean> {
    return this.#current.whenMet(source, signal);
  }

  async limit(maxHeight: number | null): Promise<void> {
    this.#maxHeight = maxHeight;
    await Promise.all([this.#current.limit(maxHeight), this.#next?.limit(maxHeight)]);
  }

  economise(mode: DataMode): void {
    this.#mode = mode;
    this.#both((connection) => connection.economise(mode));
  }

  setVolumes(volumeOf: (termId: string) => number): void {
    this.#volumeOf = volumeOf;
    this.#current.setVolumes(volumeOf);
  }

  ask(layers: ReadonlyMap<string, LayerHeight>): void {
    this.#layers = layers;
    this.#both((connection) => connection.ask(layers));
  }

  listen(on: boolean): void {
    this.#hears = on;
    this.#both((connection) => connection.listen(on));
  }

  sample(): Promise<MediaSample> {
    return this.#current.sample();
  }

  participants(): MediaParticipant[] {
    return this.#current.participants();
  }

  ownQuality(): LinkQuality {
    return this.#current.ownQuality();
  }

  async startAudio(): Promise<void> {
    await this.#current.startAudio();
  }

  async setSpeaker(deviceId: string | null): Promise<void> {
    this.#speaker = deviceId;
    await this.#current.setSpeaker(deviceId);
  }

  rekey(key: string): void {
    this.#options = { ...this.#options, encryptionKey: key };
    this.#both((connection) => connection.rekey(key));
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    await Promise.all([this.#current.stop(), this.#next?.stop()]);
  }
}
