import { eq } from 'drizzle-orm';
import type { NoticeDoor } from '../meetings/index.ts';
import { meeting } from '../meetings/tables.ts';
import { calledOff, factsOf, invitedTo, isNews, isOff, knownOf, tell, type TellDeps } from './tell.ts';
import { tellSeries } from './tell-series.ts';

/** Tells people of meetings. */
export function createTeller(deps: TellDeps): NoticeDoor {
  return {
    async meetingChanged(tx, { caller, origin }, meetingId) {
      const row = await tx.findOne(meeting, eq(meeting.id, meetingId));
      if (!row) return;
      if (row.seriesId !== null) {
        await tellSeries(deps, tx, { actorId: caller.userId, origin }, row.seriesId);
        return;
      }
      // Nobody is told of what may not take place; once it is approved, everybody is.
      if (row.approval === 'waiting') return;
      const known = await knownOf(tx, { meetingId });
      if (isOff(row) && !known.latest) return;
      const standingNow = isOff(row) && known.latest
        ? calledOff(known.latest) : { facts: await factsOf(tx, row, origin), passwordSealed: row.passwordSealed, invited: await invitedTo(tx, row) };
      await tell(deps, tx, { meetingId }, caller.userId, known, standingNow, isNews(deps.secrets, tx.tenantId, known.latest, standingNow));
    },
  };
}
