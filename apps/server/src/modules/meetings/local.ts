import { and, eq, gt, inArray, lte } from 'drizzle-orm';
import type { Db } from '../../platform/db/index.ts';
import type { Push } from '../../platform/push/index.ts';
import { announceMeeting } from './events.ts';
import { moveMeeting } from './repo.ts';
import type { MeetingMove } from './status.ts';
import { meeting } from './tables.ts';

const BATCH = 500;

/**
 * Local meetings have no conference that opens and ends them: they begin at their time, once they are approved, and are over at
 * their end. Returns how many moved.
 */
export function moveLocalMeetings({ db, push, now }: { db: Db; push: Push; now: () => Date }): Promise<number> {
  const at = now();
  const isApproved = inArray(meeting.approval, ['none', 'approved']);
  const due: [MeetingMove, ReturnType<typeof and>][] = [
    ['finish', and(eq(meeting.status, 'ONLINE'), lte(meeting.endTime, at))],
    ['lapse', and(eq(meeting.status, 'SCHEDULE'), lte(meeting.endTime, at))],
    ['begin', and(eq(meeting.status, 'SCHEDULE'), lte(meeting.startTime, at), gt(meeting.endTime, at), isApproved)],
  ];
  return db.platform(async (tx) => {
    let moved = 0;
    for (const [move, where] of due) {
      const rows = await tx.find(meeting, and(eq(meeting.type, 'LOCAL_MEETING'), where), { orderBy: meeting.id, limit: BATCH });
      for (const { id, tenantId } of rows) {
        const tenant = tx.asTenant(tenantId);
        if (!(await moveMeeting(tenant, id, move, at))) continue;
        await announceMeeting(push, tenant, id);
        moved += 1;
      }
    }
    return moved;
  });
}
