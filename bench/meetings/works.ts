import { contract, createClient, type Envelope } from '@rmeet/contract';
import type { TestServer } from '../../apps/server/test/modules/support/server.ts';
import { encrypt } from '../../apps/server/test/modules/support/client.ts';
import { percentile } from '../report.ts';
import { PASSWORD, type Filled } from './fill.ts';

const RUNS = 200;
const WARM_UP = 10;
/** What is limited to 30 calls a minute. */
const LIMITED = { name: /^history of a month/, runs: 20 };

/** Typed calls over HTTP as somebody of the tenant. */
async function signedIn(server: TestServer, account: string) {
  let token = '';
  async function send(method: string, path: string, body: unknown): Promise<unknown> {
    const response = await fetch(`${server.origin}${path}`, {
      method, headers: { authorization: token, ...(body === undefined ? {} : { 'content-type': 'application/json' }) }, ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const { status, data, statusCode } = (await response.json()) as Envelope;
    if (!status) throw new Error(`${method} ${path} answered ${statusCode}.`);
    return data;
  }
  const [auth, meetings, history] = [createClient(contract.auth, send), createClient(contract.meetings, send), createClient(contract.history, send)];
  ({ token } = await auth.login({ body: { account, password: await encrypt(server, PASSWORD), deviceId: `bench ${account}` } }));
  return { meetings, history };
}

type Caller = Awaited<ReturnType<typeof signedIn>>;
interface Callers {
  /** Administers the tenant. */
  admin: Caller;
  /** Has the meetings most people have. */
  person: Caller;
  /** Hosts and is invited to thousands. */
  secretary: Caller;
}
type Work = (callers: Callers, run: number) => Promise<unknown>;

const DAY = 86_400_000;
const iso = (at: number): string => new Date(at).toISOString();

/** What is asked, by name; `run` makes one request differ from the next, so that none is answered from what the last one read. */
function worksOf({ now, numbers, conferenceIds, hostNames }: Filled): Record<string, Work> {
  const midnight = Math.floor(now / DAY) * DAY;
  const day = { dayStart: iso(midnight), dayEnd: iso(midnight + DAY) };
  const month = (run: number) => {
    const from = midnight - (run % 12) * 30 * DAY;
    return { from: iso(from), until: iso(from + 31 * DAY), size: 200 };
  };
  const works: Record<string, Work> = {};
  for (const scope of ['all', 'running', 'today', 'upcoming', 'past'] as const) {
    const order = scope === 'past' ? 'DESC' as const : 'ASC' as const;
    const query = (run: number) => ({ scope, order, ...day, current: (run % 5) + 1 });
    works[`list ${scope}, a person`] = ({ person }, run) => person.meetings.list({ query: query(run) });
    works[`list ${scope}, a secretary`] = ({ secretary }, run) => secretary.meetings.list({ query: query(run) });
    works[`list ${scope}, the tenant`] = ({ admin }, run) => admin.meetings.list({ query: { ...query(run), tenantWide: 'true' } });
  }
  const keywords: Record<string, (run: number) => string> = {
    'a number': (run) => numbers[run % numbers.length] ?? '', 'a rare subject': (run) => `case ${1_000 + run}`, 'a frequent subject': () => 'round', 'two characters': () => '会诊',
    'a host': (run) => hostNames[run % hostNames.length] ?? '', 'no match': () => '龘龘',
  };
  for (const [name, keyword] of Object.entries(keywords)) {
    works[`search ${name}, a person`] = ({ person }, run) => person.meetings.list({ query: { keyword: keyword(run) } });
    works[`search ${name}, the tenant`] = ({ admin }, run) => admin.meetings.list({ query: { keyword: keyword(run), tenantWide: 'true', scope: 'all', order: 'DESC' } });
    works[`search ${name} in history, the tenant`] = ({ admin }, run) => admin.history.list({ query: { keyword: keyword(run), tenantWide: 'true' } });
  }
  return {
    ...works,
    'month, a person': ({ person }, run) => person.meetings.list({ query: month(run) }),
    'month, a secretary': ({ secretary }, run) => secretary.meetings.list({ query: month(run) }),
    'month, the tenant': ({ admin }, run) => admin.meetings.list({ query: { ...month(run), tenantWide: 'true' } }),
    'history, a person': ({ person }, run) => person.history.list({ query: { current: (run % 3) + 1 } }),
    'history, a secretary': ({ secretary }, run) => secretary.history.list({ query: { current: (run % 20) + 1 } }),
    'history, the tenant': ({ admin }, run) => admin.history.list({ query: { tenantWide: 'true', current: (run % 20) + 1 } }),
    'history by duration, the tenant': ({ admin }, run) => admin.history.list({ query: { tenantWide: 'true', sort: 'duration', current: (run % 20) + 1 } }),
    'history of a type, the tenant': ({ admin }, run) => admin.history.list({ query: { tenantWide: 'true', type: 'VIDEO_MEETING', current: (run % 20) + 1 } }),
    'history of a month, a person': ({ person }, run) => person.history.all({ query: { startDate: month(run).from, endDate: month(run).until } }),
    'history record': ({ admin }, run) => admin.history.record({ query: { id: conferenceIds[run % conferenceIds.length] ?? '' } }),
    'activity, a person': ({ person }) => person.meetings.activity({ query: { startDate: iso(midnight - 2 * DAY) } }),
    'activity, a secretary': ({ secretary }) => secretary.meetings.activity({ query: { startDate: iso(midnight - 2 * DAY) } }),
  };
}

export interface Times { p50: number; p99: number }

/** How long what `only` names takes, each case 200 times. */
export async function measure(server: TestServer, filled: Filled, only: RegExp): Promise<Map<string, Times>> {
  const callers = { admin: await signedIn(server, filled.admin), person: await signedIn(server, filled.person), secretary: await signedIn(server, filled.secretary) };
  const found = new Map<string, Times>();
  for (const [name, work] of Object.entries(worksOf(filled))) {
    if (!only.test(name)) continue;
    const times: number[] = [];
    const runs = LIMITED.name.test(name) ? LIMITED.runs : RUNS;
    for (let run = -WARM_UP; run < runs; run++) {
      const started = performance.now();
      await work(callers, Math.abs(run));
      if (run >= 0) times.push(performance.now() - started);
    }
    found.set(name, { p50: percentile(times, 0.5), p99: percentile(times, 0.99) });
  }
  return found;
}
