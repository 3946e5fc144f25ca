import type { Admission, Meeting, MeetingBody } from '@rmeet/contract';
import { Participant, PushConnection, type ConnectOptions } from '@rmeet/participant';
import type { Api } from './api.ts';
import { until } from './wait.ts';

/** Books a meeting that begins in a minute; it can be joined at once. Guests need `password`. */
export function bookMeeting(api: Api, body: Partial<MeetingBody> = {}): Promise<Meeting> {
  return api.meetings.createNetwork({
    body: { subject: 'Ward round', startTime: new Date(Date.now() + 60_000).toISOString(), duration: 60, password: '4821', ...body },
  });
}

export interface TerminalOptions extends Partial<Omit<ConnectOptions, 'url' | 'token'>> {
  numericId: string;
  password?: string;
  name?: string;
  deviceType?: number;
}

/** Somebody in a meeting without a browser: the call that joins, the push socket, the media. */
export interface Terminal {
  admission: Extract<Admission, { state: 'admitted' }>;
  /** The terminal's own calls. */
  api: Api;
  /** On the meeting's topic. */
  push: PushConnection;
  media: Participant;
  /** Leaves as the page does. */
  leave(): Promise<void>;
  /** Dies without a word. */
  kill(): void;
}

/** Somebody in the waiting room. */
export interface Waiting {
  termId: string;
  meetId: string;
  push: PushConnection;
  /** Waits to be let in and joins. @throws Error when refused. */
  admitted(): Promise<Terminal>;
}

const topicOf = (meetId: string): string => `meeting:${meetId}`;

/**
 * Joins a meeting as a terminal: `api` as an account for members, without a token for guests; `url` is the server's address.
 * @throws CallError as the join call, Error when the terminal is sent to the waiting room.
 */
export async function joinAsTerminal(api: Api, url: string, options: TerminalOptions): Promise<Terminal> {
  const joined = await enterMeeting(api, url, options);
  if ('admitted' in joined) throw new Error('the terminal was sent to the waiting room');
  return joined;
}

/** Joins a meeting, or gets to its waiting room. */
export async function enterMeeting(api: Api, url: string, { numericId, password, name, deviceType, ...connect }: TerminalOptions): Promise<Terminal | Waiting> {
  const body = {
    numericId, ...(password === undefined ? {} : { password }), ...(name === undefined ? {} : { name }), ...(deviceType === undefined ? {} : { deviceType }),
  };
  const admission = await api.conferences.join({ body });
  const push = await PushConnection.open({ url, credentials: { sessionToken: admission.sessionToken }, topics: [topicOf(admission.meetId)], reconnect: true });
  if (admission.state === 'admitted') return enter(api.withToken(admission.sessionToken), admission, push, connect);
  return {
    termId: admission.termId,
    meetId: admission.meetId,
    push,
    admitted: async () => {
      const answer = await until('let in or refused', () => push.events.find(({ event }) => event.type === 'admitted' || event.type === 'refused'));
      if (answer.event.type === 'refused') throw new Error('refused');
      const own = api.withToken(admission.sessionToken);
      const entered = await own.conferences.enter({ params: { meetId: admission.meetId } });
      if (entered.state !== 'admitted') throw new Error('let in, and still waiting');
      return enter(own, entered, push, connect);
    },
  };
}

async function enter(api: Api, admission: Terminal['admission'], push: PushConnection, connect: Partial<ConnectOptions>): Promise<Terminal> {
  try {
    const media = await Participant.connect({ reconnect: true, ...connect, url: admission.url, token: admission.token });
    return {
      admission,
      api,
      push,
      media,
      leave: async () => {
        push.close();
        media.leave();
        await api.conferences.leave({ params: { meetId: admission.meetId } });
      },
      kill: () => {
        push.close();
        push.drop();
        media.raw.kill();
      },
    };
  } catch (error) {
    push.close();
    throw error;
  }
}
