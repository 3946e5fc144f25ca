import { setTimeout as sleep } from 'node:timers/promises';
import type { Meeting } from '@rmeet/contract';
import { startMailServer, startServer, until, type Api } from '@rmeet/testkit';

/** How often the server process is killed, and what the moments are drawn from. */
export interface KillOptions {
  kills: number;
  seed?: number;
}

/** What was left over after all kills; empty lists when every promise was kept. */
export interface KillReport {
  kills: number;
  /** Meetings that were booked, and their recipients. */
  booked: number;
  recipients: number;
  mails: number;
  /** Recipients of booked meetings who got no mail, or whose notice says no success. */
  missed: string[];
  unmarked: string[];
  /** People who were written to of a meeting that was not booked. */
  strangers: string[];
}

const BOOKINGS_PER_KILL = 4;
const RECIPIENTS = 3;
/** What fails again and again is started again with growing waits; on a busy machine that adds up. */
const BACK_WITHIN = 240_000;
/** By then a claim of a dead process has run out and a round has come. */
const SETTLED_WITHIN = 240_000;

/** Numbers between 0 and 1, the same for the same seed (mulberry32). */
function randomOf(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

async function allMeetings(api: Api): Promise<Meeting[]> {
  const found: Meeting[] = [];
  for (let current = 1; ; current += 1) {
    const { records } = await api.meetings.list({ query: { size: 200, current, keyword: 'Killed' } });
    found.push(...records);
    if (records.length < 200) return found;
  }
}

/**
 * Books meetings and kills the server process at random moments of booking and sending. Afterwards every booked meeting's
 * recipients must have been written to at least once, and marked so; nobody else must have been.
 */
export async function killWhileTelling({ kills, seed = 1 }: KillOptions): Promise<KillReport> {
  const random = randomOf(seed);
  const mails = await startMailServer();
  const server = await startServer({ env: { RMEET_SEED: 'demo', RMEET_SMTP_URL: `smtp://127.0.0.1:${mails.port}`, RMEET_MAIL_FROM: 'Rmeet <meet@example.org>', RMEET_MEDIA_PROCESSES: '1' } });
  try {
    const chair = await server.api.as('chair');
    const book = async (name: string): Promise<void> => {
      const participants = Array.from({ length: RECIPIENTS }, (_, n) => ({ kind: 'mail' as const, email: `${name}-${n}@example.org` }));
      await chair.meetings.createNetwork({ body: { subject: `Killed ${name}`, startTime: new Date(Date.now() + 7_200_000).toISOString(), duration: 30, password: '4821', participants } });
    };
    for (let kill = 0; kill < kills; kill += 1) {
      // Calls that the kill breaks off may have been done or not; which, the list says in the end.
      const calls = Array.from({ length: BOOKINGS_PER_KILL }, async (_, n) => {
        await sleep(random() * 400);
        await book(`k${kill}n${n}`);
      });
      // Every other time all is booked, and the kill falls into the sending alone.
      if (kill % 2 === 0) await Promise.allSettled(calls);
      await sleep(random() * 2_500);
      server.kill('server');
      await Promise.allSettled(calls);
      await until('the server answers again', async () => (await fetch(`${server.url}/readyz`)).status === 200, { within: BACK_WITHIN, every: 250 });
    }
    const booked = await allMeetings(chair);
    const states = () => Promise.all(booked.map(async ({ meetId }) => chair.notices.ofMeeting({ params: { id: meetId } })));
    await until('every notice is settled', async () => (await states()).flat().every(({ status }) => status !== 'SENDING'), { within: SETTLED_WITHIN });
    const marked = new Set((await states()).flat().filter(({ status }) => status === 'SUCCESS').map(({ contact }) => contact));
    const written = new Set(mails.received.flatMap(({ to }) => to));
    const wanted = booked.flatMap(({ participants }) => participants.flatMap((one) => (one.kind === 'mail' ? [one.email] : [])));
    return {
      kills, booked: booked.length, recipients: wanted.length, mails: mails.received.length,
      missed: wanted.filter((address) => !written.has(address)), unmarked: wanted.filter((address) => !marked.has(address)), strangers: [...written].filter((address) => !wanted.includes(address)),
    };
  } catch (error) {
    throw new Error(`${String(error)}\n${server.log().slice(-2_000)}`, { cause: error });
  } finally {
    await server.stop();
    await mails.close();
  }
}
