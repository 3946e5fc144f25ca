import { and, asc, eq, ne, sql } from 'drizzle-orm';
import type { contract, Data, Locale } from '@rmeet/contract';
import type { TenantTx } from '../../platform/db/index.ts';
import { csvText } from '../../platform/export/index.ts';
import { FileAnswer, type Context, type UserCaller } from '../../platform/http/index.ts';
import { findAccounts } from '../accounts/users/index.ts';
import { managedBy } from './access.ts';
import { isNamed } from './retention.ts';
import type { BroadcastDeps } from './service.ts';
import { broadcastMessage, broadcastMinute, broadcastViewer, type BroadcastViewerRow } from './tables.ts';

type UserContext = Context<UserCaller>;

const MINUTE = 60_000;

/** People, and ms that all of them watched together. */
async function audienceOf(tx: TenantTx, id: string): Promise<{ viewers: number; watched: number }> {
  const views = tx.scoped(broadcastViewer);
  const [sums] = await tx
    .select({
      viewers: sql<number>`count(distinct coalesce(${views.accountId}, ${views.id}))::int`.as('viewers'),
      watched: sql<number>`coalesce(sum(${views.watched}), 0)::float8`.as('watched'),
    })
    .from(views)
    .where(eq(views.broadcastId, id));
  return sums ?? { viewers: 0, watched: 0 };
}

interface Column {
  zh: string;
  en: string;
  cell: (row: BroadcastViewerRow, account: string) => string;
}
const time = (at: Date | null): string => at?.toISOString().slice(0, 19).replace('T', ' ') ?? '';
const COLUMNS: readonly Column[] = [
  { zh: '姓名', en: 'Name', cell: ({ name }) => name },
  { zh: '账号', en: 'Account', cell: (_, account) => account },
  { zh: '进入时间（UTC）', en: 'Came (UTC)', cell: ({ openedAt }) => time(openedAt) },
  { zh: '最后在线（UTC）', en: 'Last seen (UTC)', cell: ({ lastSeenAt }) => time(lastSeenAt) },
  { zh: '观看分钟数', en: 'Minutes watched', cell: ({ watched }) => (watched / MINUTE).toFixed(1) },
];

function csvOf(rows: readonly BroadcastViewerRow[], accounts: ReadonlyMap<string, string>, locale: Locale): string {
  return csvText(
    COLUMNS.map((column) => column[locale]),
    rows.map((row) => COLUMNS.map(({ cell }) => cell(row, accounts.get(row.accountId ?? '') ?? ''))),
  );
}

/** Who watched a broadcast, for those who manage it. */
export function createStatistics({ db }: Pick<BroadcastDeps, 'db'>) {
  return {
    /** @throws AppError NOT_FOUND, FORBIDDEN */
    async statistics({ caller }: UserContext, id: string): Promise<Data<typeof contract.broadcasts.statistics>> {
      return db.tenant(caller.tenantId, async (tx) => {
        const { row } = await managedBy(tx, caller, id, false);
        const minutes = await tx.find(broadcastMinute, eq(broadcastMinute.broadcastId, id), {
          orderBy: asc(broadcastMinute.at),
        });
        const written = and(eq(broadcastMessage.broadcastId, id), ne(broadcastMessage.state, 'deleted'));
        return {
          ...(await audienceOf(tx, id)),
          peak: row.peak,
          likes: row.likes,
          messages: await tx.count(broadcastMessage, written),
          overTime: minutes.map(({ at, viewers }) => ({ at: at.toISOString(), viewers })),
        };
      });
    },

    /** @throws AppError NOT_FOUND, FORBIDDEN */
    async exportViewers({ caller, locale }: UserContext, id: string): Promise<FileAnswer> {
      return db.tenant(caller.tenantId, async (tx) => {
        await managedBy(tx, caller, id, false);
        const rows = await tx.find(broadcastViewer, and(eq(broadcastViewer.broadcastId, id), isNamed()), {
          orderBy: [asc(broadcastViewer.openedAt), asc(broadcastViewer.id)],
        });
        const ids = [...new Set(rows.flatMap(({ accountId }) => accountId ?? []))];
        const accounts = new Map((await findAccounts(tx, ids)).map(({ id: key, account }) => [key, account]));
        const name = locale === 'zh' ? '观众.csv' : 'viewers.csv';
        return new FileAnswer({
          name,
          type: 'text/csv; charset=utf-8',
          body: Buffer.from(csvOf(rows, accounts, locale)),
        });
      });
    },
  };
}

export type Statistics = ReturnType<typeof createStatistics>;
