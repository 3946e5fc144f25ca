import { asc, eq, inArray, sql, type SQL } from 'drizzle-orm';
import { z } from 'zod';
import type { Db } from '../../platform/db/index.ts';
import type { Jobs } from '../../platform/jobs/types.ts';
import type { Push } from '../../platform/push/index.ts';
import { conference } from '../conferences/tables.ts';
import { announceMeeting, findMeeting } from '../meetings/index.ts';
import { meeting } from '../meetings/tables.ts';
import { broadcastIngest } from './ingest/tables.ts';
import { endOver } from './run.ts';
import { broadcast } from './tables.ts';

/** Broadcasts that one round ends. */
const BATCH = 500;
const MINUTE = 60_000;
/** An outside stream that stopped for so long after its planned end does not come back, ms. */
const LEFT_AFTER = 10 * MINUTE;

/** The periodic tasks of broadcasts, one round each. */
export interface LiveRounds {
  /** Ends broadcasts whose meeting or conference is over. Returns how many. */
  endBroadcasts(): Promise<number>;
  /** Forgets viewers and messages after a while. Returns of how many broadcasts. */
  forgetViewers(): Promise<number>;
  /** Asks for a process that takes outside streams as long as there are open ones. */
  wakeIngest(): Promise<void>;
  /** Stores who is watching. */
  countViewers(): Promise<void>;
}

export interface EndDeps {
  db: Db;
  push: Push;
  now: () => Date;
  forget: (id: string) => void;
}

/** The planned end of an outside stream is over, and nothing arrives, and nothing has for a while. */
function isLeft(at: Date): SQL {
  const isPast = sql`exists (select 1 from ${meeting} where ${meeting.id} = ${broadcast.id} and
    ${meeting.endTime} <= ${at})`;
  const since = new Date(at.getTime() - LEFT_AFTER);
  const arrives = sql`exists (select 1 from ${broadcastIngest} where
    ${broadcastIngest.broadcastId} = ${broadcast.id} and (${broadcastIngest.arrivedAt} > ${since} or
    (${broadcastIngest.state} = 'arriving' and ${broadcastIngest.leaseUntil} > ${at})))`;
  return sql`${broadcast.state} <> 'ended' and ${broadcast.source} <> 'conference' and ${isPast} and not ${arrives}`;
}

/**
 * Ends broadcasts that nobody will continue: the end of a conference ends its broadcast, except after a failure; an
 * outside stream that stopped ends after its planned end.
 */
export async function endBroadcasts({ db, push, now, forget }: EndDeps): Promise<number> {
  const ofMeeting = sql`select 1 from ${meeting} where ${meeting.id} = ${broadcast.id}`;
  const isOver = sql`exists (${ofMeeting} and (${meeting.status} = 'OFFLINE' or ${meeting.cancelledAt} is not null))`;
  const isRunning = sql`exists (select 1 from ${conference} where ${conference.meetingId} = ${broadcast.id} and
    ${conference.endedAt} is null)`;
  const where = sql`(${broadcast.state} = 'scheduled' and ${isOver}) or (${inArray(broadcast.state, [
    'onAir',
    'paused',
  ])} and ${broadcast.source} = 'conference' and not ${isRunning}) or (${isLeft(now())})`;
  const rows = await db.platform((tx) =>
    tx.find(broadcast, sql`(${where})`, { orderBy: asc(broadcast.id), limit: BATCH }),
  );
  for (const { id, tenantId, state, source } of rows) {
    await db.tenant(tenantId, async (tx) => {
      // Conferences are always locked before their broadcasts.
      await tx.findOne(conference, sql`${eq(conference.meetingId, id)} and ${conference.endedAt} is null`, {
        lock: 'update',
      });
      // Meetings are always locked before their broadcasts.
      if (source !== 'conference') await findMeeting(tx, id, true);
      await endOver(tx, id, state, now());
      if (source !== 'conference') await announceMeeting(push, tx, id);
    });
    forget(id);
  }
  return rows.length;
}

export function defineLiveJobs(
  jobs: Jobs,
  rounds: Pick<LiveRounds, 'endBroadcasts' | 'forgetViewers' | 'wakeIngest'>,
): void {
  jobs.define('broadcasts-end', z.object({}), async () => {
    await rounds.endBroadcasts();
    await rounds.wakeIngest();
  });
  jobs.every('broadcasts-end', '* * * * *');
  jobs.define('broadcasts-forget', z.object({}), async () => {
    await rounds.forgetViewers();
  });
  jobs.every('broadcasts-forget', '41 3 * * *');
}
