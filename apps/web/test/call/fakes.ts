import type { LayerHeight } from '@rmeet/conference';
import { createClient, contract, type Admission, type ConferenceState, type TerminalReport } from '@rmeet/contract';
import type { DataMode } from '../../src/call/data-mode.ts';
import { LocalMedia } from '../../src/call/index.ts';
import type { CallPorts, PushConnection } from '../../src/call/call-types.ts';
import type {
  MediaEnd,
  MediaEvents,
  MediaOptions,
  MediaParticipant,
  MediaSample,
  MediaSession,
  MediaSource,
  MigrationResult,
  Outgoing,
} from '../../src/call/media-types.ts';
import { ApiError } from '../../src/lib/api/error.ts';
import type { AckOutcome, PushEvent, PushStatus, TopicHandler } from '../../src/lib/push/index.ts';
import { MEET_ID } from './people.ts';

/** A push socket whose server is simulated by the test. */
export class FakePush implements PushConnection {
  handler: TopicHandler = {};
  closed = false;
  /** Acknowledged outcomes, in order: null, or the reason of the failure. */
  readonly acknowledged: AckOutcome[] = [];
  readonly reports: TerminalReport[] = [];
  #version = 0;
  #onStatus: (status: PushStatus) => void = () => undefined;

  subscribe(_topic: string, handler: TopicHandler): () => void {
    this.handler = handler;
    return () => undefined;
  }

  onStatus(listener: (status: PushStatus) => void): () => void {
    this.#onStatus = listener;
    return () => undefined;
  }

  report(_topic: string, report: TerminalReport): void {
    this.reports.push(report);
  }

  close(): void {
    this.closed = true;
  }

  status(status: PushStatus): void {
    this.#onStatus(status);
  }

  snapshot(state: ConferenceState): void {
    void this.handler.snapshot?.(state, ++this.#version)?.then((failure) => this.acknowledged.push(failure));
  }

  event(event: PushEvent): void {
    void this.handler.event?.(event, ++this.#version)?.then((failure) => this.acknowledged.push(failure));
  }
}

/** A session in a room that lasts until the test ends it. */
export class FakeSession implements MediaSession {
  readonly events: MediaEvents;
  readonly watching: boolean;
  token = '';
  outgoing: Outgoing | null = null;
  maxHeight: number | null = null;
  mode: DataMode = 'full';
  volumeOf: (termId: string) => number = () => 1;
  layers: ReadonlyMap<string, LayerHeight> = new Map();
  hears = false;
  stopped = false;
  /** Tokens of the rooms it moved to, and the result of each move. */
  readonly movedTo: string[] = [];
  moved: MigrationResult | null = { gap: 120 };

  async migrate(_url: string, token: string): Promise<MigrationResult | null> {
    this.movedTo.push(token);
    return this.moved;
  }
  people: MediaParticipant[] = [];
  readonly #pending = new Map<MediaSource, (met: boolean) => void>();
  #over: (end: MediaEnd) => void = () => undefined;

  readonly camera: MediaOptions['camera'];
  key: string | undefined;

  constructor(events: MediaEvents, { watching = false, camera, encryptionKey }: MediaOptions = {}) {
    this.key = encryptionKey;
    this.events = events;
    this.watching = watching;
    this.camera = camera;
  }

  /** The engine has fulfilled, or given up, the request for these sources. */
  meet(met: boolean, ...sources: MediaSource[]): void {
    for (const source of sources) this.#pending.get(source)?.(met);
  }

  whenMet(source: MediaSource): Promise<boolean> {
    return new Promise((resolve) => this.#pending.set(source, resolve));
  }

  economise(mode: DataMode): void {
    this.mode = mode;
  }

  limit(maxHeight: number | null): Promise<void> {
    this.maxHeight = maxHeight;
    return Promise.resolve();
  }

  setVolumes(volumeOf: (termId: string) => number): void {
    this.volumeOf = volumeOf;
  }

  ask(layers: ReadonlyMap<string, LayerHeight>): void {
    this.layers = layers;
  }

  listen(on: boolean): void {
    this.hears = on;
  }

  sample(): Promise<MediaSample> {
    return Promise.resolve({ stats: [], tracks: new Map(), onAir: new Map(), hasCompany: false });
  }

  run(_url: string, token: string): Promise<MediaEnd> {
    this.token = token;
    return new Promise((resolve) => {
      this.#over = resolve;
    });
  }

  end(end: MediaEnd): void {
    this.#over(end);
  }

  publish(outgoing: Outgoing): void {
    this.outgoing = outgoing;
  }

  participants(): MediaParticipant[] {
    return this.people;
  }

  ownQuality(): 'good' {
    return 'good';
  }

  rekey(key: string): void {
    this.key = key;
  }

  startAudio(): Promise<void> {
    return Promise.resolve();
  }

  setSpeaker(): Promise<void> {
    return Promise.resolve();
  }

  stop(): Promise<void> {
    this.stopped = true;
    this.#over('stopped');
    return Promise.resolve();
  }
}

export const admitted = (token: string): Admission & { state: 'admitted' } => ({
  state: 'admitted',
  meetId: MEET_ID,
  termId: 'alice',
  sessionToken: 'session',
  url: 'ws://127.0.0.1',
  token,
  camera: { codec: 'h264', bitrate: 3_000 },
  generation: 1,
  e2ee: false,
});
export const waiting: Admission = {
  state: 'waiting',
  meetId: MEET_ID,
  termId: 'alice',
  sessionToken: 'session',
  awaitsHost: false,
  e2ee: false,
};
export const refused = (code: string, httpStatus = 406, message = '') => new ApiError(httpStatus, code, message);

/**
 * All ports of a call, with a record of their use. `entering` contains the results of successive calls of `enter`; the
 * last one repeats.
 */
export function createPorts(entering: (Admission | Error)[] = []) {
  const pushes: FakePush[] = [];
  const sessions: FakeSession[] = [];
  const calls: string[] = [];
  const ports: CallPorts = {
    api: {
      // All calls return nothing, except those below.
      ...createClient(contract.conferences, (method, path) => {
        calls.push(`${method} ${path.replace(/.*\//, '')}`);
        return Promise.resolve(null);
      }),
      enter: () => {
        calls.push('enter');
        const answer = entering.length > 1 ? entering.shift() : entering[0];
        return answer instanceof Error || answer === undefined
          ? Promise.reject(answer ?? new Error('enter was not expected'))
          : Promise.resolve(answer);
      },
      migrate: () => {
        calls.push('migrate');
        return Promise.resolve({ ...admitted('next'), generation: 2 });
      },
      chat: ({ body }) =>
        Promise.resolve({
          id: body.id,
          termId: 'alice',
          name: 'Alice',
          text: body.text,
          sentAt: '2026-11-20T09:00:00.000Z',
        }),
    },
    files: {
      send: (message) => ports.api.chat(message),
      save: () => Promise.resolve(),
      picture: () => Promise.resolve(new Blob()),
    },
    openPush: () => {
      const push = new FakePush();
      pushes.push(push);
      return push;
    },
    loadMedia: () =>
      Promise.resolve((events: MediaEvents, options?: MediaOptions) => {
        const session = new FakeSession(events, options);
        sessions.push(session);
        return session;
      }),
  };
  return { ports, pushes, sessions, calls };
}

/** Nothing is captured before `start`; `on` is the user's choice for both devices. */
export function silentMedia({ on = false } = {}): LocalMedia {
  return new LocalMedia({ camera: { on, deviceId: null }, microphone: { on, deviceId: null }, speakerId: null });
}
