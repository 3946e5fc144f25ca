import { and, eq, gt, isNull, lte, ne, notInArray } from 'drizzle-orm';
import { ONE_DAY, REMINDER_MINUTES } from '@rmeet/contract';
import type { Db } from '../../platform/db/index.ts';
import { findParticipants } from '../meetings/index.ts';
import { meeting } from '../meetings/tables.ts';
import { recipientOf, type Recipient } from './recipients.ts';
import type { Settings } from './settings.ts';
import { noticeReminder } from './tables.ts';
import { editionOf } from './changes/notify-series.ts';
import { writeNotices, type TellDeps } from './changes/notify.ts';

const MINUTE = 60_000;
const LONGEST = Math.max(...REMINDER_MINUTES);

/**
 * Reminds people of the meetings that begin soon, their hosts as well, each start of a meeting once. Who was told of
 * the meeting within that time needs no reminder.
 *
 * @returns how many meetings people were reminded of
 */
export async function remind(db: Db, settings: Settings, deps: TellDeps): Promise<number> {
  const { now } = deps;
  const at = now();
  const latestStart = new Date(at.getTime() + LONGEST * MINUTE);
  const soon = await db.platform((tx) =>
    tx.find(
      meeting,
      and(
        // The end is what open meetings are found by; none lasts longer than a day.
        ne(meeting.status, 'OFFLINE'),
        gt(meeting.endTime, at),
        lte(meeting.endTime, new Date(latestStart.getTime() + ONE_DAY)),
        gt(meeting.startTime, at),
        lte(meeting.startTime, latestStart),
        isNull(meeting.cancelledAt),
        notInArray(meeting.approval, ['waiting', 'refused']),
      ),
    ),
  );
  let reminded = 0;
  for (const [tenantId, rows] of Map.groupBy(soon, (row) => row.tenantId)) {
    const minutes = await db.tenant(tenantId, (tx) => settings.reminderMinutes(tx));
    for (const { id } of rows.filter(({ startTime }) => startTime.getTime() - at.getTime() <= minutes * MINUTE)) {
      const isReminded = await db.tenant(tenantId, async (tx) => {
        // As it is by now; an edit waits until this has been said of it.
        const row = await tx.findOne(
          meeting,
          and(isNull(meeting.cancelledAt), ne(meeting.status, 'OFFLINE'), eq(meeting.id, id)),
          { lock: 'update' },
        );
        const edition = row && (await editionOf(tx, row));
        if (!row || !edition || row.startTime.getTime() - at.getTime() > minutes * MINUTE) return false;
        const first = await tx.insert(noticeReminder, { meetingId: id, startTime: row.startTime }, 'nothing');
        if (first.length === 0 || row.startTime.getTime() - edition.createdAt.getTime() < minutes * MINUTE)
          return false;
        const people: Recipient[] = [
          { accountId: row.hostId, email: null, phone: null, name: '' },
          ...(await findParticipants(tx, [id])).map(recipientOf),
        ];
        await writeNotices(
          deps,
          tx,
          edition,
          people.map((recipient) => ({ kind: 'reminder', recipient })),
        );
        return true;
      });
      if (isReminded) reminded += 1;
    }
  }
  return reminded;
}
