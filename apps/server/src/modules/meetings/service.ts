import { ONE_DAY, TOTAL_COUNT_LIMIT, type contract, type Data, type Input, type Meeting } from '@rmeet/contract';
import { newId, type Db, type TenantTx } from '../../platform/db/index.ts';
import { AppError, type Context, type UserCaller } from '../../platform/http/index.ts';
import type { Push } from '../../platform/push/index.ts';
import type { SecretBox } from '../../platform/secrets/index.ts';
import { recordAudit } from '../audit/index.ts';
import { findTenant } from '../tenants/index.ts';
import { findAccounts, searchPeople } from '../users/index.ts';
import { manageMeeting } from './access.ts';
import { auditedBooking, auditedEdit } from './audited.ts';
import { bookRooms } from './bookings.ts';
import { announceMeeting } from './events.ts';
import { takeNumber } from './numbers.ts';
import { sealPassword } from './passwords.ts';
import { maySee } from './policy.ts';
import { lookAt, presentMeetings, type Seen } from './present.ts';
import {
  countActive, findLapsed, findMeeting, findMeetingByNumber, insertMeeting, listMeetings, moveGuestLinks, moveMeeting, replaceParticipants, updateMeeting, type Invitation, type ListQuery,
} from './repo.ts';
import { endTimeOf, guestLinksUntil, isOver, lapsedBy } from './status.ts';
import type { MeetingRow } from './tables.ts';

type UserContext = Context & { caller: UserCaller };
type Body = Omit<Input<typeof contract.meetings.createNetwork>['body'], 'recurrence'>;

/** A start time this far in the past still counts as now: clocks differ, and forms take a while to fill in. */
const START_TOLERANCE = 5 * 60_000;
const LAPSE_BATCH = 500;

/** What meetings need of conferences, which stand on meetings and therefore hand it in. */
export interface ConferenceDoor {
  /** Opens the meeting's conference, unless it runs already; `record` is part of the opening. */
  open(meeting: MeetingRow, record?: (tx: TenantTx) => Promise<void>): Promise<void>;
  terminalCounts(tx: TenantTx, meetIds: readonly string[]): Promise<Map<string, number>>;
}

export interface MeetingDeps {
  db: Db;
  push: Push;
  secrets: SecretBox;
  now: () => Date;
  conferences: ConferenceDoor;
}

export function createMeetingService({ db, push, secrets, now, conferences }: MeetingDeps) {
  const presentDeps = { secrets, now, terminalCounts: (tx: TenantTx, meetIds: readonly string[]) => conferences.terminalCounts(tx, meetIds) };

  async function presentOne(tx: TenantTx, row: MeetingRow, context: UserContext): Promise<Meeting> {
    const [meeting] = await presentMeetings(tx, await lookAt(tx, [row], context.caller), context, presentDeps);
    if (!meeting) throw new Error('A meeting was lost while it was presented.');
    return meeting;
  }

  /** The meeting as the caller stands to it; one that may not be seen is as good as none. */
  async function see(tx: TenantTx, row: MeetingRow | undefined, caller: UserCaller): Promise<Seen> {
    const [seen] = row ? await lookAt(tx, [row], caller) : [];
    if (!seen || !maySee(seen.relation)) throw new AppError('NOT_FOUND');
    return seen;
  }

  const manage = (tx: TenantTx, id: string, caller: UserCaller) => manageMeeting(tx, id, caller, { lock: true });
  const targetOf = ({ id, subject }: MeetingRow) => ({ kind: 'meeting', id, name: subject });

  function refuseUnlessWaiting(row: MeetingRow): void {
    if (isOver(row, now())) throw new AppError('MEETING_ENDED');
    if (row.status !== 'SCHEDULE') throw new AppError('MEETING_RUNNING');
  }

  /** Everyone invited once, the host left out. Throws PARTICIPANT_UNKNOWN for an account that is not of this tenant. */
  async function resolveParticipants(tx: TenantTx, { participants }: Body, hostId: string): Promise<Invitation[]> {
    const userIds = new Set(participants.flatMap((p) => (p.kind === 'user' && p.userId !== hostId ? [p.userId] : [])));
    const emails = new Map(participants.flatMap((p) => (p.kind === 'mail' ? [[p.email.toLowerCase(), p.email] as const] : [])));
    const known = await findAccounts(tx, [...userIds]);
    if (known.length < userIds.size || known.some((person) => person.kind !== 'user')) throw new AppError('PARTICIPANT_UNKNOWN');
    const parties = new Map(participants.flatMap((p) => (p.kind === 'phone' ? [[p.phone.replaceAll(/[\s-]/g, ''), p.name] as const] : [])));
    return [
      ...[...userIds].map((accountId) => ({ accountId })), ...[...emails.values()].map((email) => ({ email })),
      ...[...parties].map(([phone, name]) => ({ phone, name })),
    ];
  }

  function timesOf(body: Body): Pick<MeetingRow, 'startTime' | 'duration' | 'endTime'> {
    const startTime = new Date(body.startTime);
    return { startTime, duration: body.duration, endTime: endTimeOf(startTime, body.duration) };
  }

  async function detailsOf(tx: TenantTx, body: Body, id: string) {
    if (body.password === '' && !body.waitingRoom) throw new AppError('PASSWORD_OR_WAITING_ROOM');
    const minutes = (await findTenant(tx, tx.tenantId))?.maxMeetingMinutes ?? null;
    if (minutes !== null && body.duration > minutes) throw new AppError('QUOTA_DURATION', { minutes });
    return {
      subject: body.subject, agenda: body.agenda, waitingRoom: body.waitingRoom, timeZone: body.timeZone, joinBeforeHost: body.joinBeforeHost,
      muteOnEntry: body.muteOnEntry, template: body.template, vip: body.vip,
      passwordSealed: sealPassword(secrets, tx.tenantId, id, body.password), ...timesOf(body), updatedAt: now(),
    };
  }

  return {
    async list({ caller, origin }: UserContext, query: ListQuery): Promise<Data<typeof contract.meetings.list>> {
      const everybodys = query.tenantWide && caller.isTenantAdmin;
      return db.tenant(caller.tenantId, async (tx) => {
        const { rows, total } = await listMeetings(tx, query, everybodys ? null : caller.userId, now());
        const records = await presentMeetings(tx, await lookAt(tx, rows, caller), { origin }, presentDeps);
        const page = { records, total: Math.min(total, TOTAL_COUNT_LIMIT), current: query.current, size: query.size };
        return total > TOTAL_COUNT_LIMIT ? { ...page, totalIsLowerBound: true } : page;
      });
    },

    async invitees({ caller }: UserContext, keyword: string): Promise<Data<typeof contract.meetings.invitees>> {
      const people = await db.tenant(caller.tenantId, (tx) => searchPeople(tx, keyword));
      return people.map(({ id, name, account, department }) => ({ userId: id, name, account, department }));
    },

    /**
     * What is on for the caller since `startDate`, which is their midnight two days back, and not over: what runs, and
     * what is still to come today.
     */
    async activity({ caller }: UserContext, startDate: Date): Promise<Data<typeof contract.meetings.activity>> {
      const endOfToday = new Date(startDate.getTime() + 3 * ONE_DAY);
      const meetingCount = await db.tenant(caller.tenantId, (tx) => countActive(tx, caller.userId, startDate, endOfToday, now()));
      return { meetingCount, lessonCount: 0, liveCount: 0 };
    },

    async detail(context: UserContext, id: string): Promise<Meeting> {
      return db.tenant(context.caller.tenantId, async (tx) => {
        const { row } = await see(tx, await findMeeting(tx, id), context.caller);
        return presentOne(tx, row, context);
      });
    },

    async byNumber(context: UserContext, number: string): Promise<Meeting> {
      return db.tenant(context.caller.tenantId, async (tx) => {
        const found = await findMeetingByNumber(tx, number);
        const { row } = await see(tx, found?.cancelledAt ? undefined : found, context.caller);
        return presentOne(tx, row, context);
      });
    },

    async create(context: UserContext, body: Body): Promise<Meeting> {
      const { tenantId, userId } = context.caller;
      const id = newId();
      return db.tenant(tenantId, async (tx) => {
        const details = await detailsOf(tx, body, id);
        if (details.startTime.getTime() < now().getTime() - START_TOLERANCE) throw new AppError('MEETING_IN_PAST');
        const invitations = await resolveParticipants(tx, body, userId);
        const number = await takeNumber(tx, now());
        const row = await insertMeeting(tx, { id, number, type: 'NETWORK_MEETING', hostId: userId, createdAt: now(), ...details });
        await replaceParticipants(tx, id, invitations);
        await bookRooms(tx, row, body.roomIds, context.locale);
        const made = await presentOne(tx, row, context);
        await recordAudit(tx, context, now(), { target: targetOf(row), after: auditedBooking(made) });
        await announceMeeting(push, tx, id);
        return made;
      });
    },

    /** Changes a meeting. An edit of an older version than the newest is refused, so that neither of two is lost. */
    async update(context: UserContext, id: string, body: Body & { version: number }): Promise<Meeting> {
      return db.tenant(context.caller.tenantId, async (tx) => {
        const before = await manage(tx, id, context.caller);
        refuseUnlessWaiting(before);
        if (before.version !== body.version) throw new AppError('MEETING_CONFLICT');
        const details = await detailsOf(tx, body, id);
        const moved = details.startTime.getTime() !== before.startTime.getTime();
        if (moved && details.startTime.getTime() < now().getTime() - START_TOLERANCE) throw new AppError('MEETING_IN_PAST');
        const invitations = await resolveParticipants(tx, body, before.hostId);
        const earlier = await presentOne(tx, before, context);
        const row = await updateMeeting(tx, id, body.version, details);
        if (!row) throw new AppError('MEETING_CONFLICT');
        await replaceParticipants(tx, id, invitations);
        await bookRooms(tx, row, body.roomIds, context.locale);
        await moveGuestLinks(tx, id, guestLinksUntil(row.endTime));
        const edited = await presentOne(tx, row, context);
        await recordAudit(tx, context, now(), { target: targetOf(row), ...auditedEdit(earlier, edited) });
        await announceMeeting(push, tx, id);
        return edited;
      });
    },

    async cancel(context: UserContext, id: string): Promise<void> {
      await db.tenant(context.caller.tenantId, async (tx) => {
        const row = await manage(tx, id, context.caller);
        refuseUnlessWaiting(row);
        await moveMeeting(tx, id, 'cancel', now());
        await recordAudit(tx, context, now(), { target: targetOf(row), before: { cancelled: false }, after: { cancelled: true } });
        await announceMeeting(push, tx, id);
      });
    },

    /** Opens the conference before its time; a meeting that runs already is answered as it is. */
    async start(context: UserContext, id: string): Promise<Meeting> {
      const { tenantId } = context.caller;
      const row = await db.tenant(tenantId, async (tx) => {
        const found = await manage(tx, id, context.caller);
        if (isOver(found, now())) throw new AppError('MEETING_ENDED');
        return found;
      });
      const record = (tx: TenantTx) => recordAudit(tx, context, now(), { target: targetOf(row), before: { status: row.status }, after: { status: 'ONLINE' } });
      if (row.status !== 'ONLINE') await conferences.open(row, record);
      return this.detail(context, id);
    },

    /** Closes meetings nobody opened in time. Returns how many. */
    async lapse(): Promise<number> {
      return db.platform(async (tx) => {
        const lapsed = await findLapsed(tx, lapsedBy(now()), LAPSE_BATCH);
        for (const row of lapsed) {
          const tenant = tx.asTenant(row.tenantId);
          if (await moveMeeting(tenant, row.id, 'lapse', now())) await announceMeeting(push, tenant, row.id);
        }
        return lapsed.length;
      });
    },
  };
}

export type MeetingService = ReturnType<typeof createMeetingService>;
