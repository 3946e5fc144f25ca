import type { DeskState } from '@rmeet/contract';
import { Participant, PushConnection, type ConnectOptions } from '@rmeet/participant';
import type { Api } from './api.ts';
import { until } from './wait.ts';

/** A desk without a browser: its calls, and the conference as received on its push socket. */
export interface Desk {
  /** The desk's calls. */
  api: Api;
  push: PushConnection;
  /** As of the last event. */
  readonly state: DeskState;
  /** Its hidden participant on the media engine. */
  watch(options?: Partial<ConnectOptions>): Promise<Participant>;
  close(): void;
}

export interface DeskOptions {
  meetId: string;
  /**
   * An account with a right to the meeting, from `api.as`; with `part`, the one that creates a link for a person
   * without an account.
   */
  by: Api & { token: string };
  /** Opens the desk by a link, for the chair or for a viewer. */
  part?: 'chair' | 'viewer';
}

/** Opens a desk and waits until it has the conference. @throws CallError, Error if the conference does not arrive. */
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

/** Creates a link and opens it, like its page. */
async function openLink(api: Api, meetId: string, part: 'chair' | 'viewer'): Promise<string> {
  const { url } = await api.conferences.manageUrl({ params: { a: meetId, b: part }, query: {} });
  const sign = new URLSearchParams(url.slice(url.indexOf('?') + 1)).get('token') ?? '';
  return (await api.conferences.openDesk({ body: { sign } })).token;
}
