import { and, eq, gt, isNull, lte, ne, notInArray } from 'drizzle-orm';
import { ONE_DAY, REMINDER_MINUTES, timeWords, type Locale } from '@rmeet/contract';
import type { Db, TenantTx } from '../../platform/db/index.ts';
import { findParticipants } from '../meetings/index.ts';
import { meeting, type MeetingRow } from '../meetings/tables.ts';
import { recipientOf, type Recipient } from './recipients.ts';
import type { Settings } from './settings.ts';
import { noticeReminder } from './tables.ts';
import { editionOf } from './changes/notify-series.ts';
import { writeNotices, type NotifyDeps } from './changes/notify.ts';
import type { MeetingSnapshot } from './changes/snapshot.ts';
import type { Notification, WebPushPort } from '../web-push/index.ts';

interface ReminderDeps extends NotifyDeps {
  webPush: WebPushPort;
}

const MINUTE = 60_000;
const LONGEST = Math.max(...REMINDER_MINUTES);

/** Meetings of all tenants that begin within the longest reminder time. */
function findSoon(db: Db, at: Date): Promise<MeetingRow[]> {
  const latestStart = new Date(at.getTime() + LONGEST * MINUTE);
  return db.platform((tx) =>
    tx.find(
      meeting,
      and(
        // Open meetings are indexed by their end; none lasts longer than a day.
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
}

/** The reminder for browsers; a click opens the user's meetings, since not every meeting can be joined. */
function notificationOf(snapshot: MeetingSnapshot): Notification {
  const { subject, rooms, meetingId, startTime } = snapshot;
  const textIn = (locale: Locale) => [timeWords(snapshot, locale), ...rooms].join('\n');
  return {
    texts: {
      zh: { title: `即将开始：${subject}`, body: textIn('zh') },
      en: { title: `Starting soon: ${subject}`, body: textIn('en') },
    },
    path: '/myMeeting',
    tag: `reminder-${meetingId}`,
    expiresAt: new Date(startTime),
    isRing: false,
  };
}

/**
 * Reminds people of one meeting, if they were not reminded of this start before.
 *
 * @param lead milliseconds before the start
 */
async function remindOf(deps: ReminderDeps, tx: TenantTx, id: string, at: Date, lead: number): Promise<boolean> {
  // Reads the current state under a lock, so that an edit waits until the reminder is written.
  const row = await tx.findOne(
    meeting,
    and(isNull(meeting.cancelledAt), ne(meeting.status, 'OFFLINE'), eq(meeting.id, id)),
    { lock: 'update' },
  );
  const edition = row && (await editionOf(tx, row));
  if (!row || !edition || row.startTime.getTime() - at.getTime() > lead) return false;
  const first = await tx.insert(noticeReminder, { meetingId: id, startTime: row.startTime }, 'nothing');
  if (first.length === 0 || row.startTime.getTime() - edition.createdAt.getTime() < lead) return false;
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
  const accountIds = people.flatMap(({ accountId }) => accountId ?? []);
  await deps.webPush.notify(tx, accountIds, notificationOf(edition.snapshot));
  return true;
}

/**
 * Reminds people, hosts included, of meetings that begin soon, once for each start of a meeting. Skips meetings that
 * were announced or changed within the reminder time.
 *
 * @returns how many meetings people were reminded of
 */
export async function sendReminders(db: Db, settings: Settings, deps: ReminderDeps): Promise<number> {
  const at = deps.now();
  let count = 0;
  for (const [tenantId, rows] of Map.groupBy(await findSoon(db, at), (row) => row.tenantId)) {
    const lead = (await db.tenant(tenantId, (tx) => settings.reminderMinutes(tx))) * MINUTE;
    for (const { id } of rows.filter(({ startTime }) => startTime.getTime() - at.getTime() <= lead)) {
      if (await db.tenant(tenantId, (tx) => remindOf(deps, tx, id, at, lead))) count += 1;
    }
  }
  return count;
}
