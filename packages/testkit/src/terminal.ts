import type { Admission, Meeting, MeetingBody } from '@rmeet/contract';
import {
  Participant,
  PushConnection,
  type AckOutcome,
  type ConnectOptions,
  type PushEvent,
  type PushOptions,
} from '@rmeet/participant';
import type { Api } from './api.ts';
import { migrate } from './room-migration.ts';
import { until } from './wait.ts';

/** Books a meeting that begins in a minute; it can be joined at once. Guests need `password`. */
export function bookMeeting(api: Api, body: Partial<MeetingBody> = {}): Promise<Meeting> {
  return api.meetings.createNetwork({
    body: {
      subject: 'Ward round',
      startTime: new Date(Date.now() + 60_000).toISOString(),
      duration: 60,
      password: '4821',
      ...body,
    },
  });
}

export interface TerminalOptions extends Partial<Omit<ConnectOptions, 'url' | 'token'>> {
  numericId: string;
  password?: string;
  name?: string;
  deviceId?: string;
  deviceType?: number;
  /** As of the push socket. */
  acknowledge?: PushOptions['acknowledge'];
}

/** A participant in a meeting without a browser: the call that joins, the push socket, the media. */
export interface Terminal {
  admission: Extract<Admission, { state: 'admitted' }>;
  /** The terminal's own calls. */
  api: Api;
  /** On the meeting's topic. */
  push: PushConnection;
  /** The connection to the current media room; replaced by a migration. */
  readonly media: Participant;
  /** Leaves like the page. */
  leave(): Promise<void>;
  /** Dies without a message. */
  kill(): void;
  /**
   * Returns after `kill`, or after its media ended: the same terminal on new connections. @throws CallError if it is no
   * longer admitted.
   */
  comeBack(): Promise<Terminal>;
}

/** A participant in the waiting room. */
export interface Waiting {
  termId: string;
  meetId: string;
  sessionToken: string;
  /** The terminal's own calls. */
  api: Api;
  push: PushConnection;
  /** Waits to be admitted and joins. @throws Error if refused. */
  admitted(): Promise<Terminal>;
}

/** Terminals that join at the same time. */
const AT_ONCE = 4;

const topicOf = (meetId: string): string => `meeting:${meetId}`;

/**
 * Joins a meeting as a terminal: `api` as an account for members, without a token for guests; `url` is the server's
 * address.
 * @throws CallError as the join call, Error when the terminal is sent to the waiting room.
 */
export async function joinAsTerminal(api: Api, url: string, options: TerminalOptions): Promise<Terminal> {
  const joined = await enterMeeting(api, url, options);
  if ('admitted' in joined) throw new Error('the terminal was sent to the waiting room');
  return joined;
}

/** Joins a meeting, or gets to its waiting room. */
export async function enterMeeting(api: Api, url: string, options: TerminalOptions): Promise<Terminal | Waiting> {
  const { numericId, password, name, deviceId, deviceType, acknowledge, ...connect } = options;
  const body = {
    numericId,
    ...(password === undefined ? {} : { password }),
    ...(name === undefined ? {} : { name }),
    ...(deviceId === undefined ? {} : { deviceId }),
    ...(deviceType === undefined ? {} : { deviceType }),
  };
  const admission = await api.conferences.join({ body });
  const { termId, meetId, sessionToken } = admission;
  const own = api.withToken(sessionToken);
  const place: Place = { api: own, connect, moves: null, openPush: () => Promise.reject(new Error('not yet')) };
  const openPush = () =>
    PushConnection.open({
      url,
      credentials: { sessionToken },
      topics: [topicOf(meetId)],
      reconnect: true,
      ...(acknowledge === false ? { acknowledge } : { acknowledge: (message) => obey(place, message, acknowledge) }),
    });
  place.openPush = openPush;
  const push = await openPush();
  if (admission.state === 'admitted') return enter(place, admission, push);
  return {
    termId,
    meetId,
    sessionToken,
    api: own,
    push,
    admitted: async () => {
      const answer = await until('let in or refused', () =>
        push.events.find(({ event }) => event.type === 'admitted' || event.type === 'refused'),
      );
      if (answer.event.type === 'refused') throw new Error('refused');
      return enter(place, await admissionAgain(own, meetId), push);
    },
  };
}

/**
 * Joins many terminals, a few at a time. `options` returns the options of the nth one; those that receive nothing
 * (`autoSubscribe` false) cost little.
 */
export async function joinMany(
  api: Api,
  url: string,
  count: number,
  options: (n: number) => TerminalOptions,
): Promise<Terminal[]> {
  const terminals = Array.from<Terminal>({ length: count });
  const turns = terminals.keys();
  const lane = async (): Promise<void> => {
    for (const n of turns) terminals[n] = await joinAsTerminal(api, url, options(n));
  };
  await Promise.all(Array.from({ length: AT_ONCE }, lane));
  return terminals;
}

/** What a terminal needs to open its connections repeatedly. */
interface Place {
  api: Api;
  openPush: () => Promise<PushConnection>;
  connect: Partial<ConnectOptions>;
  /** Migrates to the newest media room while connected. */
  moves: (() => Promise<AckOutcome>) | null;
}

/** A command that moves the conference's media is obeyed when the move is complete; any other at once. */
function obey(
  place: Place,
  message: PushEvent,
  acknowledge: TerminalOptions['acknowledge'],
): AckOutcome | Promise<AckOutcome> {
  const { event } = message;
  const isMove =
    'step' in event && event.step.changes.some(({ termId, field }) => termId === null && field === 'generation');
  if (isMove && place.moves) return place.moves();
  return typeof acknowledge === 'function' ? acknowledge(message) : undefined;
}

/** A new media token for an admitted terminal. */
async function admissionAgain(api: Api, meetId: string): Promise<Terminal['admission']> {
  const entered = await api.conferences.enter({ params: { meetId } });
  if (entered.state !== 'admitted') throw new Error('the terminal waits');
  return entered;
}

async function enter(place: Place, admission: Terminal['admission'], push: PushConnection): Promise<Terminal> {
  const { api, openPush, connect } = place;
  const { meetId } = admission;
  const leave = (): Promise<unknown> => api.conferences.leave({ params: { meetId } });
  try {
    let media = await Participant.connect({ reconnect: true, ...connect, url: admission.url, token: admission.token });
    let generation = admission.generation;
    place.moves = async () => {
      const next = await api.conferences.migrate({ params: { meetId } });
      if (next.state !== 'admitted') throw new Error('the terminal waits');
      if (next.generation <= generation) return undefined;
      const { media: moved, gap } = await migrate(media, {
        reconnect: true,
        ...connect,
        url: next.url,
        token: next.token,
      });
      media = moved;
      ({ generation } = next);
      return gap === undefined ? undefined : { gap };
    };
    return {
      admission,
      api,
      push,
      get media() {
        return media;
      },
      leave: async () => {
        push.close();
        media.leave();
        await leave();
      },
      kill: () => {
        push.close();
        push.drop();
        media.raw.kill();
      },
      comeBack: async () => enter(place, await admissionAgain(api, meetId), await openPush()),
    };
  } catch (error) {
    push.close();
    // Leaves the list if it was never admitted; if the server is down, it notices by itself.
    await leave().catch(() => undefined);
    throw error;
  }
}
