import { and, eq, gte, inArray, isNotNull, or, type SQL } from 'drizzle-orm';
import { allOf } from '../../platform/db/conditions.ts';
import type { Db, TenantTx } from '../../platform/db/index.ts';
import { account } from '../accounts/users/tables.ts';
import type { ConferenceEvents } from '../conferences/index.ts';
import { terminalSession, type ConferenceRow, type TerminalRow } from '../conferences/tables.ts';
import type { NoticePort } from '../meetings/index.ts';
import { meeting, type MeetingRow } from '../meetings/tables.ts';
import { recording } from '../recordings/tables.ts';
import { listenersOf, tell } from './outbox.ts';
import { webhook } from './tables.ts';

interface EventDeps {
  now: () => Date;
  /** Sends what was stored, after the commit. */
  sendSoon: (tx: TenantTx) => void;
}

/** A meeting that was booked in the transaction that tells of it is at most this old, ms. */
const JUST_BOOKED = 10_000;
/** How long after its end a recording is still told of, ms. */
const READY_WITHIN = 24 * 3_600_000;

async function meetingData(tx: TenantTx, row: MeetingRow): Promise<object> {
  const host = await tx.findOne(account, eq(account.id, row.hostId));
  return {
    meetId: row.id,
    seriesId: row.seriesId,
    numericId: row.number,
    type: row.type,
    subject: row.subject,
    startTime: row.startTime.toISOString(),
    duration: row.duration,
    host: { userId: row.hostId, name: host?.name ?? '' },
    version: row.version,
  };
}

/** What happened to a meeting. */
function eventOf({ cancelledAt, version, createdAt }: MeetingRow, now: Date) {
  if (cancelledAt) return 'meeting.cancelled' as const;
  const isNew = version === 1 && now.getTime() - createdAt.getTime() < JUST_BOOKED;
  return isNew ? ('meeting.booked' as const) : ('meeting.changed' as const);
}

/** The meeting, and for a booking or cancellation those of its series to which the same happened at once. */
async function affected(tx: TenantTx, row: MeetingRow, event: ReturnType<typeof eventOf>): Promise<MeetingRow[]> {
  if (row.seriesId === null || event === 'meeting.changed') return [row];
  const same: SQL =
    event === 'meeting.booked'
      ? eq(meeting.createdAt, row.createdAt)
      : allOf(isNotNull(meeting.cancelledAt), gte(meeting.cancelledAt, row.cancelledAt ?? row.createdAt));
  return tx.find(meeting, allOf(eq(meeting.seriesId, row.seriesId), same), { orderBy: meeting.startTime });
}

/** Tells of a change of a meeting. */
async function tellOfMeeting({ now, sendSoon }: EventDeps, tx: TenantTx, meetingId: string): Promise<void> {
  const row = await tx.findOne(meeting, eq(meeting.id, meetingId));
  if (!row) return;
  const event = eventOf(row, now());
  const listeners = await listenersOf(tx, event);
  if (listeners.length === 0) return;
  for (const one of await affected(tx, row, event)) {
    const key = event === 'meeting.changed' ? {} : { key: `${event} ${one.id}` };
    await tell(tx, listeners, { event, at: now(), data: await meetingData(tx, one), ...key });
  }
  sendSoon(tx);
}

/** Tells that a conference started or ended. */
async function tellOfConference(
  { now, sendSoon }: EventDeps,
  tx: TenantTx,
  event: 'conference.started' | 'conference.ended',
  { id, meetingId, startedAt, endedAt, endReason }: ConferenceRow,
): Promise<void> {
  const listeners = await listenersOf(tx, event);
  const row = listeners.length > 0 ? await tx.findOne(meeting, eq(meeting.id, meetingId)) : undefined;
  if (!row) return;
  await tell(tx, listeners, {
    event,
    at: now(),
    key: `${event} ${id}`,
    data: {
      conferenceId: id,
      startedAt: startedAt.toISOString(),
      endedAt: endedAt?.toISOString() ?? null,
      endReason,
      meeting: await meetingData(tx, row),
    },
  });
  sendSoon(tx);
}

/** Tells who joined or left. */
async function tellOfTerminals(
  { now, sendSoon }: EventDeps,
  tx: TenantTx,
  rows: readonly TerminalRow[],
): Promise<void> {
  for (const row of rows) {
    const isInside = row.state === 'admitted';
    const event = isInside ? ('terminal.joined' as const) : ('terminal.left' as const);
    const listeners = await listenersOf(tx, event);
    await tell(tx, listeners, {
      event,
      at: now(),
      data: {
        meetId: row.meetingId,
        conferenceId: row.conferenceId,
        termId: row.termId,
        name: row.name,
        userId: row.accountId,
        role: row.role,
        deviceType: row.deviceType,
        ...(isInside ? {} : { reason: row.state }),
      },
    });
    if (listeners.length > 0) sendSoon(tx);
  }
}

/** The port of conferences. */
const createConferenceEvents = (deps: EventDeps): ConferenceEvents => ({
  started: (tx, conference) => tellOfConference(deps, tx, 'conference.started', conference),
  async ended(tx, conference, leftNow) {
    await tellOfTerminals(deps, tx, leftNow);
    await tellOfConference(deps, tx, 'conference.ended', conference);
  },
  async moved(tx, termIds) {
    const isListened = (await tx.count(webhook, eq(webhook.state, 'active'), 1)) > 0;
    if (!isListened) return;
    const rows = await tx.find(terminalSession, inArray(terminalSession.termId, [...termIds]));
    await tellOfTerminals(deps, tx, rows);
  },
});

/** The port of notices, with events for webhooks besides. */
const withNotices = (deps: EventDeps, notices: NoticePort): NoticePort => ({
  blockedChannels: (tx, hostId) => notices.blockedChannels(tx, hostId),
  async meetingChanged(tx, actor, meetingId) {
    await notices.meetingChanged(tx, actor, meetingId);
    await tellOfMeeting(deps, tx, meetingId);
  },
  async roomReleased(tx, meetingId) {
    await notices.roomReleased(tx, meetingId);
    await tellOfMeeting(deps, tx, meetingId);
  },
  async approvalSettled(tx, meetingIds, outcome) {
    await notices.approvalSettled(tx, meetingIds, outcome);
    for (const id of meetingIds) await tellOfMeeting(deps, tx, id);
  },
});

/** Tells of the recordings of a tenant that became ready; those that were told of are known by their key. */
async function tellOfRecordings({ now, sendSoon }: EventDeps, tx: TenantTx): Promise<void> {
  const since = new Date(now().getTime() - READY_WITHIN);
  const ready = await tx.find(
    recording,
    and(eq(recording.state, 'ready'), or(gte(recording.endedAt, since), gte(recording.startedAt, since))),
  );
  const listeners = await listenersOf(tx, 'recording.ready');
  for (const row of ready.filter((one) => !one.isGone && one.deletedAt === null)) {
    const fresh = listeners.filter(({ createdAt }) => createdAt <= (row.endedAt ?? row.startedAt));
    const key = `recording.ready ${row.id}`;
    const { id, meetingId, conferenceId, subject, duration, bytes, startedAt } = row;
    const data = { recordingId: id, meetId: meetingId, conferenceId, subject, duration, bytes };
    await tell(tx, fresh, {
      event: 'recording.ready',
      at: now(),
      key,
      data: { ...data, startedAt: startedAt.toISOString() },
    });
  }
  sendSoon(tx);
}

/** Stores events of meetings, conferences and recordings for the webhooks that want them. */
export function createEvents(deps: EventDeps) {
  return {
    conferences: createConferenceEvents(deps),

    /** The port of notices, which is called at each change of a meeting, with events for webhooks besides. */
    besideNotices: (notices: NoticePort): NoticePort => withNotices(deps, notices),

    /**
     * Tells of recordings that became ready. Recorders are processes of their own, so it is found in the database, once
     * a minute.
     */
    async findReadyRecordings(db: Db): Promise<void> {
      const wanting = await db.platform((tx) => tx.find(webhook, eq(webhook.state, 'active')));
      const tenants = new Set(
        wanting.filter((row) => row.events.includes('recording.ready')).map((row) => row.tenantId),
      );
      for (const tenantId of tenants) await db.tenant(tenantId, (tx) => tellOfRecordings(deps, tx));
    },
  };
}
