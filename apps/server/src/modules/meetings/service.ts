import {
  ONE_DAY,
  type contract,
  type Data,
  type Input,
  type Meeting,
  type ReceivedFile,
  type SeriesScope,
} from '@rmeet/contract';
import type { Db, TenantTx } from '../../platform/db/index.ts';
import { AppError, type Context, type UserCaller } from '../../platform/http/index.ts';
import type { Push } from '../../platform/push/index.ts';
import type { SecretBox } from '../../platform/secrets/index.ts';
import type { Storage } from '../../platform/storage/index.ts';
import { recordAudit } from '../audit/index.ts';
import { manageMeeting, mustBeChangeable } from './access/access.ts';
import { meetingEarly } from './access/early-entry.ts';
import { maySee, refusalToOpen } from './access/policy.ts';
import { auditedBooking, auditedEdit } from './booking/audit-fields.ts';
import { createMeetingWriter, type FileChange, type MeetingWriter } from './booking/writer.ts';
import { announceMeeting } from './events.ts';
import { removeFiles } from './files/files.ts';
import { takeNumber } from './fixed-number/numbers.ts';
import { countActive, listMeetings, type ListQuery } from './lists/list.ts';
import { moveLocalMeetings } from './local.ts';
import type { ConferencePort, LivePort, NoticePort } from './ports.ts';
import { withRelations, presentMeetings, type Seen } from './present.ts';
import { findLapsed, findMeeting, findMeetingByNumber, moveMeeting } from './repo.ts';
import { insertSeriesOf } from './series/book.ts';
import { createSeriesEdit, type SeriesEdit } from './series/edit.ts';
import { makeSeriesOf } from './series/from-one.ts';
import { meetingsOfSeries } from './series/repo.ts';
import { isEarly, isHeld, isOver, lapsedBy } from './status.ts';
import type { MeetingRow } from './tables.ts';

type UserContext = Context<UserCaller>;
type UpdateBody = Input<typeof contract.meetings.update>['body'];
type LiveBody = Input<typeof contract.meetings.createLive>['body'];
type BookingBody = Input<typeof contract.meetings.createNetwork>['body'];

const LAPSE_BATCH = 500;

export interface MeetingDeps {
  db: Db;
  push: Push;
  secrets: SecretBox;
  storage: Storage;
  now: () => Date;
  conferences: ConferencePort;
  notices: NoticePort;
  live: LivePort;
}

/** The meeting with its relation to the caller. @throws AppError NOT_FOUND if not visible to the caller */
async function see(tx: TenantTx, row: MeetingRow | undefined, caller: UserCaller): Promise<Seen> {
  const [seen] = row ? await withRelations(tx, [row], caller) : [];
  if (!seen || !maySee(seen.relation)) throw new AppError('NOT_FOUND');
  return seen;
}

const manage = (tx: TenantTx, id: string, caller: UserCaller) => manageMeeting(tx, id, caller, { lock: true });
const targetOf = ({ id, subject }: MeetingRow) => ({ kind: 'meeting', id, name: subject });

function createPresenter({ secrets, now, conferences }: MeetingDeps) {
  const presentDeps = {
    secrets,
    now,
    terminalCounts: (tx: TenantTx, meetIds: readonly string[]) => conferences.terminalCounts(tx, meetIds),
  };

  async function presentOne(tx: TenantTx, row: MeetingRow, context: UserContext): Promise<Meeting> {
    const [meeting] = await presentMeetings(tx, await withRelations(tx, [row], context.caller), context, presentDeps);
    if (!meeting) throw new Error('A meeting disappeared while it was presented.');
    return meeting;
  }

  return { presentDeps, presentOne };
}

type Presenter = ReturnType<typeof createPresenter>;

/** Reads meetings. */
function createMeetingReader({ db, now }: MeetingDeps, { presentDeps, presentOne }: Presenter) {
  return {
    async list({ caller, origin }: UserContext, query: ListQuery): Promise<Data<typeof contract.meetings.list>> {
      const isTenantWide = query.tenantWide && caller.isTenantAdmin;
      return db.tenant(caller.tenantId, async (tx) => {
        const { rows, total, limit } = await listMeetings(tx, query, isTenantWide ? null : caller.userId, now());
        const records = await presentMeetings(tx, await withRelations(tx, rows, caller), { origin }, presentDeps);
        const page = { records, total: Math.min(total, limit), current: query.current, size: query.size };
        return total > limit ? { ...page, totalIsLowerBound: true } : page;
      });
    },

    /**
     * The caller's meetings that are running or still to come today. Live meetings have a menu entry of their own, so
     * they are counted there only. `startDate` is the caller's midnight two days ago.
     */
    async activity({ caller }: UserContext, startDate: Date): Promise<Data<typeof contract.meetings.activity>> {
      const day = { from: startDate, until: new Date(startDate.getTime() + 3 * ONE_DAY), now: now() };
      return db.tenant(caller.tenantId, async (tx) => ({
        meetingCount: await countActive(tx, caller.userId, { ...day, live: false }),
        lessonCount: 0,
        liveCount: await countActive(tx, caller.userId, { ...day, live: true }),
      }));
    },

    async detail(context: UserContext, id: string): Promise<Meeting> {
      return db.tenant(context.caller.tenantId, async (tx) => {
        const { row } = await see(tx, await findMeeting(tx, id), context.caller);
        return presentOne(tx, row, context);
      });
    },

    async byNumber(context: UserContext, number: string): Promise<Meeting> {
      return db.tenant(context.caller.tenantId, async (tx) => {
        const found = await findMeetingByNumber(tx, number, now());
        const { row } = await see(tx, found?.cancelledAt ? undefined : found, context.caller);
        return presentOne(tx, row, context);
      });
    },
  };
}

interface Editing {
  presenter: Presenter;
  writer: MeetingWriter;
  seriesEdit: SeriesEdit;
}

/** Books and changes meetings and their series. */
// oxlint-disable-next-line max-lines-per-function -- bookings and edits share their parts
function createMeetingBooking(
  { db, push, now, notices, live }: MeetingDeps,
  { presenter: { presentOne }, writer, seriesEdit }: Editing,
) {
  async function changeOne(
    tx: TenantTx,
    context: UserContext,
    id: string,
    { recurrence, ...body }: Omit<UpdateBody, 'scope'>,
    files?: FileChange,
  ): Promise<MeetingRow> {
    const before = await manage(tx, id, context.caller);
    mustBeChangeable(before, now());
    // The broadcast of an outside stream is a single one.
    if (recurrence && before.hasConference)
      return makeSeriesOf(tx, context, { writer, now: now() }, before, body, recurrence, files);
    return writer.change(tx, context, before, body, files);
  }

  /** What follows the booking of a meeting. */
  async function afterBooking(tx: TenantTx, context: UserContext, row: MeetingRow): Promise<Meeting> {
    const made = await presentOne(tx, row, context);
    await recordAudit(tx, context, now(), { target: targetOf(row), after: auditedBooking(made) });
    await announceMeeting(push, tx, row.id);
    await notices.meetingChanged(tx, context, row.id);
    return made;
  }

  async function create(
    context: UserContext,
    type: MeetingRow['type'],
    body: BookingBody,
    files: readonly ReceivedFile[] = [],
    onStored: (tx: TenantTx, row: MeetingRow) => Promise<void> = () => Promise.resolve(),
  ): Promise<Meeting> {
    return db.tenant(context.caller.tenantId, async (tx) => {
      const { recurrence, ...one } = body;
      const row = recurrence
        ? await insertSeriesOf(tx, context, { writer, now: now() }, type, one, recurrence, files)
        : await writer.insert(tx, context, { type, number: await takeNumber(tx, now()) }, one, files);
      await onStored(tx, row);
      return afterBooking(tx, context, row);
    });
  }

  async function updateIn(
    tx: TenantTx,
    context: UserContext,
    id: string,
    body: UpdateBody,
    files?: FileChange,
  ): Promise<Meeting> {
    const { scope, ...one } = body;
    const earlier = await presentOne(tx, (await see(tx, await findMeeting(tx, id), context.caller)).row, context);
    const ofSeries = scope === 'one' ? undefined : await seriesEdit.change(tx, context, id, body, files);
    const row = ofSeries?.row ?? (await changeOne(tx, context, id, one, files));
    await live.meetingChanged(tx, row, id);
    const edited = await presentOne(tx, row, context);
    const { before, after } = auditedEdit(earlier, edited);
    await recordAudit(tx, context, now(), {
      target: targetOf(row),
      before,
      after: ofSeries ? { ...after, scope } : after,
    });
    await announceMeeting(push, tx, row.id);
    for (const affected of ofSeries?.meetingIds ?? [id]) await notices.meetingChanged(tx, context, affected);
    return edited;
  }

  return {
    create: (context: UserContext, type: MeetingRow['type'], body: BookingBody, files?: readonly ReceivedFile[]) =>
      create(context, type, body, files),

    /** Books a live meeting with its broadcast. */
    async createLive(context: UserContext, { live: settings, ...body }: LiveBody): Promise<Meeting> {
      return create(context, 'LIVE_MEETING', body, [], await live.prepare(settings));
    },

    /**
     * Books the meeting of a broadcast without a conference, within a transaction of the caller; `onStored` stores the
     * broadcast.
     */
    async createOutside(
      tx: TenantTx,
      context: UserContext,
      body: BookingBody,
      onStored: (row: MeetingRow) => Promise<void>,
    ): Promise<void> {
      const number = await takeNumber(tx, now());
      const row = await writer.insert(tx, context, { type: 'LIVE_MEETING', number, hasConference: false }, body);
      await onStored(row);
      await afterBooking(tx, context, row);
    },

    /** Changes a meeting. An edit of an outdated version is refused, so that no edit is lost. */
    async update(context: UserContext, id: string, body: UpdateBody, files?: FileChange): Promise<Meeting> {
      return db.tenant(context.caller.tenantId, (tx) => updateIn(tx, context, id, body, files));
    },

    /** As update(), within a transaction of the caller. */
    updateIn,
  };
}

/** Cancels meetings and their series. */
function createMeetingCancel(
  { db, push, storage, now, conferences, notices }: MeetingDeps,
  { seriesEdit }: Pick<Editing, 'seriesEdit'>,
) {
  async function cancelOne(
    tx: TenantTx,
    context: UserContext,
    id: string,
    { withFiles }: { withFiles: boolean },
  ): Promise<MeetingRow> {
    const row = await manage(tx, id, context.caller);
    mustBeChangeable(row, now());
    // The meeting was entered again after its terminals were removed.
    if (!(await moveMeeting(tx, id, 'cancel', now()))) throw new AppError('MEETING_RUNNING');
    if (withFiles) await removeFiles(tx, storage, [id]);
    return row;
  }

  /** Those of the meetings to be cancelled that run before their time. Throws the errors of cancelling. */
  async function enteredEarly({ caller }: UserContext, id: string, scope: SeriesScope): Promise<string[]> {
    return db.tenant(caller.tenantId, async (tx) => {
      const row = await manageMeeting(tx, id, caller, { lock: false });
      mustBeChangeable(row, now());
      const series =
        row.seriesId === null || scope === 'one'
          ? [row]
          : (await meetingsOfSeries(tx, row.seriesId)).filter(
              (one) => scope === 'all' || Number(one.recurrenceId) >= Number(row.recurrenceId),
            );
      return series.filter((one) => isHeld(one) && isEarly(one, now())).map((one) => one.id);
    });
  }

  return {
    /**
     * Cancels a meeting. Its files are kept for the history, unless `withFiles` is set. A conference that was entered
     * before its time ends.
     */
    async cancel(
      context: UserContext,
      id: string,
      { scope, withFiles = false }: { scope: SeriesScope; withFiles?: boolean },
    ): Promise<void> {
      for (const meetId of await enteredEarly(context, id, scope))
        await conferences.endCancelled(context.caller.tenantId, meetId);
      await db.tenant(context.caller.tenantId, async (tx) => {
        const ofSeries = scope === 'one' ? undefined : await seriesEdit.cancel(tx, context, id, scope, { withFiles });
        const row = ofSeries?.row ?? (await cancelOne(tx, context, id, { withFiles }));
        await recordAudit(tx, context, now(), {
          target: targetOf(row),
          before: { cancelled: false },
          after: { cancelled: true, ...(ofSeries ? { scope } : {}) },
        });
        await announceMeeting(push, tx, id);
        await notices.meetingChanged(tx, context, id);
      });
    },
  };
}

/** Opens conferences. */
function createMeetingStart(
  { db, now, conferences }: MeetingDeps,
  detail: (context: UserContext, id: string) => Promise<Meeting>,
) {
  return {
    /**
     * Opens the conference, unless it is already running.
     *
     * @param early confirms that it is opened before its time
     * @throws AppError MEETING_EARLY if not confirmed
     */
    async start(context: UserContext, id: string, { early = false }: { early?: boolean } = {}): Promise<Meeting> {
      const { tenantId } = context.caller;
      const row = await db.tenant(tenantId, async (tx) => {
        const found = await manage(tx, id, context.caller);
        if (isOver(found, now())) throw new AppError('MEETING_ENDED');
        const refusal = refusalToOpen(found);
        if (refusal) throw new AppError(refusal);
        if (!early && !isHeld(found) && isEarly(found, now())) throw meetingEarly(found, context.locale);
        return found;
      });
      const record = (tx: TenantTx) =>
        recordAudit(tx, context, now(), {
          target: targetOf(row),
          before: { status: row.status },
          after: { status: 'ONLINE' },
        });
      if (row.status !== 'ONLINE') await conferences.open(row, record);
      return detail(context, id);
    },
  };
}

/** Moves meetings whose time has come or is over. */
function createMeetingClock({ db, push, now }: MeetingDeps) {
  return {
    /** Moves local meetings by the clock, and closes meetings that were not opened in time. Returns how many. */
    async lapse(): Promise<number> {
      const local = await moveLocalMeetings({ db, push, now });
      const lapsed = await db.platform((tx) => findLapsed(tx, lapsedBy(now()), LAPSE_BATCH));
      // One transaction each: decisions on a series and changes of it lock several meetings in another order.
      for (const { id, tenantId } of lapsed) {
        await db.tenant(tenantId, async (tx) => {
          if (await moveMeeting(tx, id, 'lapse', now())) await announceMeeting(push, tx, id);
        });
      }
      return local + lapsed.length;
    },
  };
}

/** Books, shows, changes, cancels and opens meetings. */
export function createMeetingService(deps: MeetingDeps) {
  const presenter = createPresenter(deps);
  const writer = createMeetingWriter(deps);
  const editing = { presenter, writer, seriesEdit: createSeriesEdit({ ...deps, writer }) };
  const reader = createMeetingReader(deps, presenter);
  return {
    ...reader,
    ...createMeetingBooking(deps, editing),
    ...createMeetingCancel(deps, editing),
    ...createMeetingStart(deps, (context, id) => reader.detail(context, id)),
    ...createMeetingClock(deps),
  };
}

export type MeetingService = ReturnType<typeof createMeetingService>;
