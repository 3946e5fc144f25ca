import { contract, TOTAL_COUNT_LIMIT, type AuditEntry, type Data, type Input, type Routes } from '@rmeet/contract';
import type { Db } from '../../platform/db/index.ts';
import type { AccountCaller, Context, FileAnswer } from '../../platform/http/index.ts';
import { exportAnswer } from './export.ts';
import { SYSTEM_ACTIONS } from './record.ts';
import { findAuditAfter, listAudit, type Reader } from './repo.ts';
import type { AuditRow } from './tables.ts';

type AccountContext = Context & { caller: AccountCaller };
type ListQuery = Input<typeof contract.audit.list>['query'];
type ExportQuery = Input<typeof contract.audit.export>['query'];

const EXPORT_PAGE = 1_000;
const EXPORT_ROWS = 50_000;

/** The recorded actions: routes and jobs that change something. */
const ACTIONS = Object.entries(contract as Record<string, Routes>)
  .flatMap(([domain, routes]) =>
    Object.entries(routes).flatMap(([name, route]) => (route.audit ? [`${domain}.${name}`] : [])),
  )
  .concat(SYSTEM_ACTIONS)
  .toSorted();

export function presentAudit(row: AuditRow): AuditEntry {
  const { id, tenantId, tenantName, address, action, before, after, requestId } = row;
  return {
    id,
    tenantId,
    tenantName,
    address,
    action,
    before,
    after,
    requestId,
    at: row.at.toISOString(),
    actor: { kind: row.actorKind, id: row.actorId, name: row.actorName },
    client: row.clientId === '' ? null : { id: row.clientId, name: row.clientName },
    target: { kind: row.targetKind, id: row.targetId, name: row.targetName },
  };
}

export function createAuditService({ db }: { db: Db }) {
  /**
   * Users read only their own tenant's rows, even if they name another one; operators those of the tenant they name, or
   * all.
   */
  function reading<T>(
    caller: AccountCaller,
    tenantId: string | undefined,
    work: (tx: Reader) => Promise<T>,
  ): Promise<T> {
    if (caller.kind === 'user') return db.tenant(caller.tenantId, work);
    return tenantId === undefined ? db.platform(work) : db.tenant(tenantId, work);
  }

  /** Read page by page, each in its own transaction, so that a slow download keeps none open. */
  async function* allRows(caller: AccountCaller, { tenantId, ...filter }: ExportQuery): AsyncGenerator<AuditRow> {
    let last: AuditRow | undefined;
    for (let read = 0; read < EXPORT_ROWS; read += EXPORT_PAGE) {
      const rows = await reading(caller, tenantId, (tx) => findAuditAfter(tx, filter, last, EXPORT_PAGE));
      yield* rows;
      if (rows.length < EXPORT_PAGE) return;
      last = rows.at(-1);
    }
  }

  return {
    async list(
      { caller }: AccountContext,
      { tenantId, current, size, ...filter }: ListQuery,
    ): Promise<Data<typeof contract.audit.list>> {
      const { rows, total } = await reading(caller, tenantId, (tx) => listAudit(tx, filter, { current, size }));
      const page = { records: rows.map(presentAudit), total: Math.min(total, TOTAL_COUNT_LIMIT), current, size };
      return total > TOTAL_COUNT_LIMIT ? { ...page, totalIsLowerBound: true } : page;
    },

    actions: (): string[] => ACTIONS,

    export: ({ caller, locale, signal }: AccountContext, query: ExportQuery): FileAnswer =>
      exportAnswer(allRows(caller, query), locale, signal),
  };
}

export type AuditService = ReturnType<typeof createAuditService>;
