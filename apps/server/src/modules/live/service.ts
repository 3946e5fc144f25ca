import { and, asc, desc, eq, inArray, sql, type SQL } from 'drizzle-orm';
import { TOTAL_COUNT_LIMIT, type BroadcastDetail, type contract, type Data, type Input } from '@rmeet/contract';
import type { Db, TenantTx } from '../../platform/db/index.ts';
import { AppError, type Context, type UserCaller } from '../../platform/http/index.ts';
import { tenantOf } from '../accounts/tenants/index.ts';
import { accountsGranted } from '../accounts/permissions/index.ts';
import { changed, recordAudit } from '../audit/index.ts';
import { meetingContains, watchLink } from '../meetings/index.ts';
import { meeting } from '../meetings/tables.ts';
import { findBroadcast, listedFor, managedBy, seenBy, type Broadcast } from './access.ts';
import { presentBroadcasts, presentDetail } from './present.ts';
import { chosenOf, SETTING_COLUMNS, storeChange } from './settings.ts';
import { broadcast } from './tables.ts';

type UserContext = Context<UserCaller>;
type ListQuery = Input<typeof contract.broadcasts.list>['query'];

export interface BroadcastDeps {
  db: Db;
  now: () => Date;
  /** The broadcast has changed: what this server remembers of it is outdated. */
  forget: (id: string) => void;
}

const STATES_OF = { onAir: ['onAir', 'paused'], upcoming: ['scheduled'], past: ['ended'] } as const;
const peak = sql`(select ${broadcast.peak} from ${broadcast} where ${broadcast.id} = ${meeting.id})`;
const SORTS = { startTime: meeting.startTime, subject: meeting.subject, viewers: peak };

function conditionOf(query: ListQuery, caller: UserCaller, extra: SQL | undefined): SQL | undefined {
  const isThere = (states: readonly string[] | undefined): SQL =>
    sql`exists (select 1 from ${broadcast} where ${and(
      eq(broadcast.id, meeting.id),
      extra,
      states && inArray(broadcast.state, states as (typeof broadcast.$inferSelect)['state'][]),
    )})`;
  return and(
    listedFor(caller),
    isThere(query.scope === 'all' ? undefined : STATES_OF[query.scope]),
    query.keyword === '' ? undefined : meetingContains(query.keyword),
  );
}

/** A page of the broadcasts that a caller may see; `extra`: a further condition. */
export async function findPage(
  tx: TenantTx,
  caller: UserCaller,
  query: ListQuery,
  extra?: SQL,
): Promise<{ found: Broadcast[]; page: Omit<Data<typeof contract.broadcasts.list>, 'records'> }> {
  const where = conditionOf(query, caller, extra);
  const direction = query.order === 'asc' ? asc : desc;
  const meetings = await tx.find(meeting, where, {
    orderBy: [direction(SORTS[query.sort]), direction(meeting.id)],
    limit: query.size,
    offset: (query.current - 1) * query.size,
  });
  const ids = meetings.map(({ id }) => id);
  const rows = new Map(
    (ids.length === 0 ? [] : await tx.find(broadcast, inArray(broadcast.id, ids))).map((row) => [row.id, row]),
  );
  const found = meetings.flatMap((one) => {
    const row = rows.get(one.id);
    return row ? [{ row, meeting: one }] : [];
  });
  const total = await tx.count(meeting, where, TOTAL_COUNT_LIMIT + 1);
  const page = { total: Math.min(total, TOTAL_COUNT_LIMIT), current: query.current, size: query.size };
  return { found, page: total > TOTAL_COUNT_LIMIT ? { ...page, totalIsLowerBound: true } : page };
}

/** Finds broadcasts, and changes their settings. */
// oxlint-disable-next-line max-lines-per-function -- the calls about broadcasts, each of them short
export function createBroadcasts({ db, now, forget }: BroadcastDeps) {
  return {
    async list(context: UserContext, query: ListQuery): Promise<Data<typeof contract.broadcasts.list>> {
      return db.tenant(context.caller.tenantId, async (tx) => {
        const { found, page } = await findPage(tx, context.caller, query);
        return { records: await presentBroadcasts(tx, context, found, now()), ...page };
      });
    },

    /** @throws AppError NOT_FOUND */
    async detail(context: UserContext, id: string): Promise<BroadcastDetail> {
      const { caller } = context;
      return db.tenant(caller.tenantId, async (tx) => presentDetail(tx, context, await seenBy(tx, caller, id), now()));
    },

    /** @throws AppError NOT_FOUND, FORBIDDEN, BROADCAST_PASSWORD_REQUIRED, PARTICIPANT_UNKNOWN */
    async change(
      context: UserContext,
      { params: { id }, body }: Input<typeof contract.broadcasts.change>,
    ): Promise<BroadcastDetail> {
      const { caller } = context;
      // Before the password is hashed, which takes long.
      await db.tenant(caller.tenantId, (tx) => managedBy(tx, caller, id, false));
      const chosen = await chosenOf(body);
      return db.tenant(caller.tenantId, async (tx) => {
        const { row: before, meeting: of } = await managedBy(tx, caller, id);
        const { row, named } = await storeChange(tx, before, chosen);
        const { before: old, after } = changed(before, row, [...SETTING_COLUMNS]);
        await recordAudit(tx, context, now(), {
          target: { kind: 'broadcast', id, name: of.subject },
          before: old,
          after: {
            ...after,
            ...(chosen.passwordHash === undefined ? {} : { password: '***' }),
            ...(named ? { whiteList: named.length } : {}),
          },
        });
        tx.afterCommit(() => forget(id));
        return presentDetail(tx, context, { row, meeting: of, manages: true }, now());
      });
    },

    /** @throws AppError NOT_FOUND */
    async link({ caller, origin }: UserContext, meetId: string): Promise<Data<typeof contract.broadcasts.getLiveLink>> {
      return db.tenant(caller.tenantId, async (tx) => {
        await seenBy(tx, caller, meetId);
        const found = await findBroadcast(tx, meetId);
        if (!found) throw new AppError('NOT_FOUND');
        return { id: meetId, link: watchLink(origin, meetId), state: found.row.state };
      });
    },

    /** People who may run broadcasts, by name. */
    async authUsers(
      { caller }: UserContext,
      { keyword, current, size }: Input<typeof contract.broadcasts.liveAuthUsers>['query'],
    ): Promise<Data<typeof contract.broadcasts.liveAuthUsers>> {
      return db.tenant(caller.tenantId, async (tx) => {
        const people = await accountsGranted(tx, await tenantOf(tx, caller.tenantId), 'sys:liveStreaming');
        const sought = keyword.toLowerCase();
        const found = people
          .filter(({ name, account }) => name.toLowerCase().includes(sought) || account.toLowerCase().includes(sought))
          .toSorted((a, b) => a.name.localeCompare(b.name) || (a.id < b.id ? -1 : 1));
        return {
          records: found
            .slice((current - 1) * size, current * size)
            .map(({ id, name, account, department }) => ({ userId: id, name, account, department })),
          total: found.length,
          current,
          size,
        };
      });
    },
  };
}

export type Broadcasts = ReturnType<typeof createBroadcasts>;
