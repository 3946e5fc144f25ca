import type { Admission, ConferenceState } from '@rmeet/contract';
import { LocalMedia } from '../../src/call/index.ts';
import type { CallPorts, PushConnection } from '../../src/call/call-types.ts';
import type { MediaEnd, MediaEvents, MediaParticipant, MediaSession, Outgoing } from '../../src/call/media-types.ts';
import { ApiError } from '../../src/lib/api/error.ts';
import type { PushEvent, PushStatus, TopicHandler } from '../../src/lib/push/index.ts';
import { MEET_ID } from './people.ts';

/** A push socket whose server is the test. */
export class FakePush implements PushConnection {
  handler: TopicHandler = {};
  closed = false;
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

  close(): void {
    this.closed = true;
  }

  status(status: PushStatus): void {
    this.#onStatus(status);
  }

  snapshot(state: ConferenceState): void {
    this.handler.snapshot?.(state, ++this.#version);
  }

  event(event: PushEvent): void {
    this.handler.event?.(event, ++this.#version);
  }
}

/** A stay in a room that lasts until the test ends it. */
export class FakeSession implements MediaSession {
  readonly events: MediaEvents;
  token = '';
  outgoing: Outgoing | null = null;
  people: MediaParticipant[] = [];
  #over: (end: MediaEnd) => void = () => undefined;

  constructor(events: MediaEvents) {
    this.events = events;
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

  startAudio(): Promise<void> {
    return Promise.resolve();
  }

  setSpeaker(): Promise<void> {
    return Promise.resolve();
  }

  stop(): Promise<void> {
    this.#over('stopped');
    return Promise.resolve();
  }
}

export const admitted = (token: string): Admission & { state: 'admitted' } => ({
  state: 'admitted', meetId: MEET_ID, termId: 'alice', sessionToken: 'session', url: 'ws://127.0.0.1', token,
});
export const waiting: Admission = { state: 'waiting', meetId: MEET_ID, termId: 'alice', sessionToken: 'session' };
export const refused = (code: string, httpStatus = 406) => new ApiError(httpStatus, code);

/** Everything a call needs, with what it did. `entering` answers each call of `enter` in turn; the last goes on for good. */
export function createPorts(entering: (Admission | Error)[] = []) {
  const pushes: FakePush[] = [];
  const sessions: FakeSession[] = [];
  const calls: string[] = [];
  const done = (name: string) => (args?: unknown) => {
    calls.push(name);
    void args;
    return Promise.resolve(null);
  };
  const ports: CallPorts = {
    api: {
      join: () => Promise.reject(new Error('a call does not join by itself')),
      enter: () => {
        calls.push('enter');
        const answer = entering.length > 1 ? entering.shift() : entering[0];
        return answer instanceof Error || answer === undefined ? Promise.reject(answer ?? new Error('enter was not expected')) : Promise.resolve(answer);
      },
      leave: done('leave'),
      end: done('end'),
      admit: done('admit'),
      hand: done('hand'),
      chat: ({ body }) => Promise.resolve({ id: body.id, termId: 'alice', name: 'Alice', text: body.text, sentAt: '2026-11-20T09:00:00.000Z' }),
    },
    openPush: () => {
      const push = new FakePush();
      pushes.push(push);
      return push;
    },
    loadMedia: () =>
      Promise.resolve((events: MediaEvents) => {
        const session = new FakeSession(events);
        sessions.push(session);
        return session;
      }),
  };
  return { ports, pushes, sessions, calls };
}

export function silentMedia(): LocalMedia {
  return new LocalMedia({ camera: { on: false, deviceId: null }, microphone: { on: false, deviceId: null }, speakerId: null });
}
