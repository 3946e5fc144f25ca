import { z } from 'zod';
import type { Db } from '../../../platform/db/index.ts';
import { AppError } from '../../../platform/http/index.ts';
import type { Jobs } from '../../../platform/jobs/types.ts';
import type { Log } from '../../../platform/log/log.ts';
import type { Media } from '../../../platform/media/index.ts';
import type { Push, PushCaller, TopicRules } from '../../../platform/push/index.ts';
import type { ConferenceEngine } from '../control/engine.ts';
import { partsOfCaller } from '../control/authorization.ts';
import { mayDo } from '../policy.ts';
import { deskView } from './events.ts';
import { DeskLinks } from './links.ts';
import { dropLinksBefore } from './repo.ts';
import { Reports, dropReportsBefore, type ReportsDeps } from './reports.ts';
import { deskRoutes } from './routes.ts';
import { deskStateFor } from './state.ts';
import { createWatching } from './watch.ts';

export { isDeskEvent } from './events.ts';
export type { ReportsDeps } from './reports.ts';
export { isAuthorizedWatcher, authorizedWatchers } from './watch.ts';

export interface DeskDeps {
  db: Db;
  push: Push;
  media: Media;
  log: Log;
  now: () => Date;
  engine: Pick<ConferenceEngine, 'name' | 'cannot' | 'cannotWith'>;
  onReport?: ReportsDeps['onReport'];
}

export type Desk = ReturnType<typeof createDesk>;

const meetIdOf = (topic: string): string => topic.slice('meeting:'.length);

/** Desks and status walls: who may open them, and what they receive. */
export function createDesk(deps: DeskDeps) {
  const { db } = deps;
  const links = new DeskLinks(deps);
  const reports = new Reports(deps);

  async function mayOpen(caller: PushCaller, meetId: string): Promise<boolean> {
    if (caller.kind !== 'desk' && caller.kind !== 'user') return false;
    try {
      return mayDo(await db.tenant(caller.tenantId, (tx) => partsOfCaller(tx, caller, meetId)), 'desk');
    } catch (error) {
      if (error instanceof AppError && error.code === 'NOT_FOUND') return false;
      throw error;
    }
  }

  /** Topic `meeting:<meetId>` for desks, and for accounts with a right to the desk. */
  const topic = {
    async authorize(caller: PushCaller, name: string): Promise<boolean> {
      if (!(await mayOpen(caller, meetIdOf(name)))) return false;
      await reports.watch(meetIdOf(name));
      return true;
    },
    /** Undefined while the meeting has no conference; the first event announces one. */
    async snapshot(caller: PushCaller, name: string): Promise<unknown> {
      if (caller.kind !== 'desk' && caller.kind !== 'user') return undefined;
      try {
        return await deskStateFor(deps, caller, meetIdOf(name));
      } catch (error) {
        if (error instanceof AppError) return undefined;
        throw error;
      }
    },
    view: (caller, event) => (caller.kind === 'desk' || caller.kind === 'user' ? deskView(caller, event) : null),
    reported: (caller, name, report) => reports.reported(caller, name, report),
  } satisfies TopicRules;

  return { links, reports, topic, routes: deskRoutes({ ...deps, links, reports, watch: createWatching(deps) }) };
}

const DAY = 24 * 3_600_000;
/** How long an expired link is listed. */
const LINKS_KEPT = 30 * DAY;

/** Deletes links that expired long ago, with the desks they opened, and leftover reports. */
export async function clearDesks({ db, now }: Pick<DeskDeps, 'db' | 'now'>): Promise<void> {
  await db.platform(async (tx) => {
    await dropLinksBefore(tx, new Date(now().getTime() - LINKS_KEPT));
    await dropReportsBefore(tx, new Date(now().getTime() - DAY));
  });
}

export function defineDeskJobs(jobs: Jobs, deps: Pick<DeskDeps, 'db' | 'now'>): void {
  jobs.define('desk-clear', z.object({}), () => clearDesks(deps));
  jobs.every('desk-clear', '37 * * * *');
}
