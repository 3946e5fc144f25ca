import { and, eq, gt, inArray, lte } from 'drizzle-orm';
import type { Db } from '../../platform/db/index.ts';
import type { Push } from '../../platform/push/index.ts';
import { announceMeeting } from './events.ts';
import { moveMeeting } from './repo.ts';
import type { MeetingMove } from './status.ts';
import { meeting } from './tables.ts';

const BATCH = 500;

/**
 * Moves local meetings, which have no conference: approved ones begin at their start, and all are over at their end.
 * Returns how many moved.
 */
export async function moveLocalMeetings({ db, push, now }: { db: Db; push: Push; now: () => Date }): Promise<number> {
  const at = now();
  const isApproved = inArray(meeting.approval, ['none', 'approved']);
  const due: [MeetingMove, ReturnType<typeof and>][] = [
    ['finish', and(eq(meeting.status, 'ONLINE'), lte(meeting.endTime, at))],
    ['lapse', and(eq(meeting.status, 'SCHEDULE'), lte(meeting.endTime, at))],
    ['begin', and(eq(meeting.status, 'SCHEDULE'), lte(meeting.startTime, at), gt(meeting.endTime, at), isApproved)],
  ];
  const isLocal = eq(meeting.type, 'LOCAL_MEETING');
  let moved = 0;
  for (const [move, where] of due) {
    // One transaction each: changes of a series lock several meetings in another order.
    for (const { id, tenantId } of await db.platform((tx) =>
      tx.find(meeting, and(isLocal, where), { orderBy: meeting.id, limit: BATCH }),
    )) {
      await db.tenant(tenantId, async (tx) => {
        if (!(await moveMeeting(tx, id, move, at))) return;
        await announceMeeting(push, tx, id);
        moved += 1;
      });
    }
  }
  return moved;
}
