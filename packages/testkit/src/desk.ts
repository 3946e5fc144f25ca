import type { DeskState } from '@rmeet/contract';
import { Participant, PushConnection, type ConnectOptions } from '@rmeet/participant';
import type { Api } from './api.ts';
import { until } from './wait.ts';

/** A desk without a browser: its calls, and the conference as its push socket tells it. */
export interface Desk {
  /** Calls as the desk may make them. */
  api: Api;
  push: PushConnection;
  /** As of the last event. */
  readonly state: DeskState;
  /** Its hidden place on the media engine. */
  watch(options?: Partial<ConnectOptions>): Promise<Participant>;
  close(): void;
}

export interface DeskOptions {
  meetId: string;
  /**
   * An account with a right to the meeting, as `api.as` gives it; or, with `part`, the one that makes a link for
   * somebody without an account.
   */
  by: Api & { token: string };
  /** Opens the desk by a link, as the chair's or as one for looking on. */
  part?: 'chair' | 'viewer';
}

/** Opens a desk and waits until it has the conference. @throws CallError, Error when the conference does not come. */
export async function openDesk(url: string, { meetId, by, part }: DeskOptions): Promise<Desk> {
  const topic = `meeting:${meetId}`;
  const token = part ? await openLink(by, meetId, part) : by.token;
  const api = by.withToken(token);
  const push = await PushConnection.open({
    url,
    credentials: part ? { deskToken: token } : { token },
    topics: [topic],
    reconnect: true,
  });
  try {
    await until('the desk has the conference', () => push.desks.has(topic));
  } catch (error) {
    push.close();
    throw error;
  }
  return {
    api,
    push,
    get state() {
      return push.desks.get(topic)!;
    },
    watch: async (options = {}) => {
      const watched = await api.conferences.watch({ params: { meetId } });
      return Participant.connect({ reconnect: true, ...options, ...watched });
    },
    close: () => push.close(),
  };
}

/** Makes a link and opens it, as its page does. */
async function openLink(api: Api, meetId: string, part: 'chair' | 'viewer'): Promise<string> {
  const { url } = await api.conferences.manageUrl({ params: { a: meetId, b: part }, query: {} });
  const sign = new URLSearchParams(url.slice(url.indexOf('?') + 1)).get('token') ?? '';
  return (await api.conferences.openDesk({ body: { sign } })).token;
}
