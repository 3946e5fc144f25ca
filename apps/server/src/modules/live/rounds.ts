import { asc, eq, inArray, sql } from 'drizzle-orm';
import { z } from 'zod';
import type { Db } from '../../platform/db/index.ts';
import type { Jobs } from '../../platform/jobs/types.ts';
import { conference } from '../conferences/tables.ts';
import { meeting } from '../meetings/tables.ts';
import { endOver } from './run.ts';
import { broadcast } from './tables.ts';

/** Broadcasts that one round ends. */
const BATCH = 500;

/** The periodic tasks of broadcasts, one round each. */
export interface LiveRounds {
  /** Ends broadcasts whose meeting or conference is over. Returns how many. */
  endBroadcasts(): Promise<number>;
  /** Forgets viewers and messages after a while. Returns of how many broadcasts. */
  forgetViewers(): Promise<number>;
  /** Stores who is watching. */
  countViewers(): Promise<void>;
}

export interface EndDeps {
  db: Db;
  now: () => Date;
  forget: (id: string) => void;
}

/** Ends broadcasts that nobody will continue: the end of a conference ends its broadcast, except after a failure. */
export async function endBroadcasts({ db, now, forget }: EndDeps): Promise<number> {
  const ofMeeting = sql`select 1 from ${meeting} where ${meeting.id} = ${broadcast.id}`;
  const isOver = sql`exists (${ofMeeting} and (${meeting.status} = 'OFFLINE' or ${meeting.cancelledAt} is not null))`;
  const isRunning = sql`exists (select 1 from ${conference} where ${conference.meetingId} = ${broadcast.id} and
    ${conference.endedAt} is null)`;
  const where = sql`(${broadcast.state} = 'scheduled' and ${isOver}) or (${inArray(broadcast.state, [
    'onAir',
    'paused',
  ])} and not ${isRunning})`;
  const rows = await db.platform((tx) =>
    tx.find(broadcast, sql`(${where})`, { orderBy: asc(broadcast.id), limit: BATCH }),
  );
  for (const { id, tenantId, state } of rows) {
    await db.tenant(tenantId, async (tx) => {
      // Conferences are always locked before their broadcasts.
      await tx.findOne(conference, sql`${eq(conference.meetingId, id)} and ${conference.endedAt} is null`, {
        lock: 'update',
      });
      await endOver(tx, id, state, now());
    });
    forget(id);
  }
  return rows.length;
}

export function defineLiveJobs(jobs: Jobs, rounds: Pick<LiveRounds, 'endBroadcasts' | 'forgetViewers'>): void {
  jobs.define('broadcasts-end', z.object({}), async () => {
    await rounds.endBroadcasts();
  });
  jobs.every('broadcasts-end', '* * * * *');
  jobs.define('broadcasts-forget', z.object({}), async () => {
    await rounds.forgetViewers();
  });
  jobs.every('broadcasts-forget', '41 3 * * *');
}
