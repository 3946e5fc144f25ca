import { inArray } from 'drizzle-orm';
import { TOTAL_COUNT_LIMIT, type ApprovalRequest, type contract, type Data, type Input } from '@rmeet/contract';
import type { Db, TenantTx } from '../../platform/db/index.ts';
import { AppError, type Context, type UserCaller } from '../../platform/http/index.ts';
import type { Push } from '../../platform/push/index.ts';
import { findAccounts } from '../accounts/users/index.ts';
import type { AccountRow } from '../accounts/users/tables.ts';
import { recordAudit } from '../audit/index.ts';
import { announceMeeting, moveMeeting, type NoticePort } from '../meetings/index.ts';
import { giveResourcesBack, resourcesOfMeetings } from '../resources/index.ts';
import { giveRoomsBack, roomsOfMeetings } from '../rooms/index.ts';
import { roomBooking } from '../rooms/tables.ts';
import {
  findRequest,
  findUndecided,
  listRequests,
  lockTogether,
  pendingOf,
  stateOf,
  storeDecision,
  type ApprovalQuery,
  type Pending,
} from './repo.ts';

type UserContext = Context<UserCaller>;
type Decision = Input<typeof contract.approvals.decide>['body'];

const LAPSE_BATCH = 500;

export interface ApprovalDeps {
  db: Db;
  push: Push;
  now: () => Date;
  notices: NoticePort;
}

function presentOne(
  { row, request, meetings, lastStart, people, vip }: Pending,
  accounts: ReadonlyMap<string, AccountRow>,
): Omit<ApprovalRequest, 'rooms' | 'resource'> {
  const host = accounts.get(row.hostId);
  return {
    meetId: row.id,
    numericId: row.number,
    type: row.type,
    subject: row.subject,
    agenda: row.agenda,
    host: { userId: row.hostId, name: host?.name ?? '', department: host?.department ?? '' },
    startTime: row.startTime.toISOString(),
    duration: row.duration,
    timeZone: row.timeZone,
    series:
      row.seriesId === null || row.detached
        ? null
        : { seriesId: row.seriesId, meetings, lastStart: lastStart.toISOString() },
    vip,
    people,
    reasons: request.reasons,
    state: stateOf(row),
    askedAt: request.askedAt.toISOString(),
    decidedAt: request.decidedAt?.toISOString() ?? null,
    decidedBy:
      request.decidedBy === null
        ? null
        : { userId: request.decidedBy, name: accounts.get(request.decidedBy)?.name ?? '' },
    note: request.note,
    version: row.version,
  };
}

async function present(tx: TenantTx, pending: readonly Pending[]): Promise<ApprovalRequest[]> {
  const rows = pending.map(({ row }) => row);
  const [rooms, resources] = [await roomsOfMeetings(tx, rows), await resourcesOfMeetings(tx, rows)];
  const people = new Set(pending.flatMap(({ row, request }) => [row.hostId, request.decidedBy ?? []].flat()));
  const accounts = new Map((await findAccounts(tx, [...people])).map((account) => [account.id, account]));
  return pending.map((one) => ({
    ...presentOne(one, accounts),
    rooms: rooms.get(one.row.id) ?? [],
    resource: resources.get(one.row.id) ?? null,
  }));
}

/** Closes meetings that were not decided on in time. */
function createApprovalLapse({ db, push, now, notices }: ApprovalDeps) {
  /**
   * Closes one or several meetings of a series, unless they were decided on or moved meanwhile. Returns how many.
   */
  async function lapseTogether(tx: TenantTx, ids: readonly string[]): Promise<number> {
    const [first] = ids;
    const held = first === undefined ? [] : await lockTogether(tx, first, new Date(0));
    const late = held
      .filter((row) => ids.includes(row.id) && row.approval === 'waiting' && row.startTime <= now())
      .map(({ id }) => id);
    for (const id of late) if (await moveMeeting(tx, id, 'lapse', now())) await announceMeeting(push, tx, id);
    if (late.length > 0) await notices.approvalSettled(tx, late, { state: 'lapsed', approver: '', note: '' });
    return late.length;
  }

  return {
    /** Closes meetings without a decision before their start, and frees their rooms and resources. Returns how many. */
    async lapse(): Promise<number> {
      const late = await db.platform((tx) => findUndecided(tx, now(), LAPSE_BATCH));
      let lapsed = 0;
      // One notice for several meetings of a series.
      for (const rows of Map.groupBy(late, ({ id, seriesId, detached }) =>
        detached || seriesId === null ? id : seriesId,
      ).values()) {
        lapsed += await db.tenant(rows[0]?.tenantId ?? '', (tx) =>
          lapseTogether(
            tx,
            rows.map(({ id }) => id),
          ),
        );
      }
      return lapsed;
    },
  };
}

/** Meetings that need approval, for those who may approve them. */
export function createApprovalService(deps: ApprovalDeps) {
  const { db, push, now, notices } = deps;
  return {
    ...createApprovalLapse(deps),

    list: ({ caller }: UserContext, query: ApprovalQuery): Promise<Data<typeof contract.approvals.list>> =>
      db.tenant(caller.tenantId, async (tx) => {
        const { rows, total } = await listRequests(tx, query);
        const page = {
          records: await present(tx, rows),
          total: Math.min(total, TOTAL_COUNT_LIMIT),
          current: query.current,
          size: query.size,
        };
        return total > TOTAL_COUNT_LIMIT ? { ...page, totalIsLowerBound: true } : page;
      }),

    /**
     * Approves a meeting, or refuses it and frees its rooms and resource. Waiting meetings of its series that do not
     * differ from it are decided with it. Of two concurrent decisions the second is rejected.
     *
     * @throws AppError NOT_FOUND, APPROVAL_DECIDED, MEETING_CONFLICT where it has changed since it was looked at
     */
    decide: (context: UserContext, meetId: string, { approve, note, version }: Decision): Promise<ApprovalRequest> =>
      db.tenant(context.caller.tenantId, async (tx) => {
        const rows = await lockTogether(tx, meetId, now());
        const [row] = rows;
        const request = row && (await findRequest(tx, meetId));
        if (!row || !request) throw new AppError('NOT_FOUND');
        if (stateOf(row) !== 'waiting' || row.startTime <= now()) throw new AppError('APPROVAL_DECIDED');
        if (version !== undefined && version !== row.version) throw new AppError('MEETING_CONFLICT');
        const ids = rows.map(({ id }) => id);
        const decided = await pendingOf(
          tx,
          await storeDecision(tx, ids, { approve, note, decidedBy: context.caller.userId, decidedAt: now() }),
        );
        if (!approve) {
          await giveRoomsBack(tx, inArray(roomBooking.meetingId, ids), now());
          await giveResourcesBack(tx, ids, now());
        }
        const [answer] = decided ? await present(tx, [decided]) : [];
        if (!answer) throw new Error('A request was lost while it was presented.');
        const state = approve ? 'approved' : 'refused';
        const target = { kind: 'meeting', id: meetId, name: row.subject };
        await recordAudit(tx, context, now(), {
          target,
          before: { approval: 'waiting' },
          after: {
            approval: state,
            ...(note === '' ? {} : { note }),
            ...(ids.length > 1 ? { meetings: ids.length } : {}),
          },
        });
        await announceMeeting(push, tx, meetId);
        await notices.approvalSettled(tx, ids, { state, approver: context.caller.name, note });
        return answer;
      }),
  };
}

export type ApprovalService = ReturnType<typeof createApprovalService>;
