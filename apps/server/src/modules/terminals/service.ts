import { TOTAL_COUNT_LIMIT, type contract, type Data, type Input, type RegisteredTerminal } from '@rmeet/contract';
import { holdKey, type Db, type TenantTx } from '../../platform/db/index.ts';
import { AppError, type Context, type FileAnswer, type UserCaller } from '../../platform/http/index.ts';
import { readSheet } from '../../platform/import/index.ts';
import { changed, recordAudit } from '../audit/index.ts';
import { exportAnswer, roomLabel, type ExportedTerminal } from './export.ts';
import { planImport } from './plan.ts';
import { presentTerminal } from './present.ts';
import {
  deleteTerminals,
  findByAddress,
  findRoomNames,
  findTerminals,
  insertTerminal,
  listTerminals,
  putTerminals,
  terminalsAfter,
  updateTerminal,
  type RoomName,
  type TerminalFilter,
  type TerminalQuery,
} from './repo.ts';
import type { TerminalRow } from './tables.ts';

type UserContext = Context<UserCaller>;
type Body<K extends 'create' | 'import'> = Input<(typeof contract.terminals)[K]>['body'];
type UpdateInput = Input<typeof contract.terminals.update>;

const EXPORT_PAGE = 1_000;
const IMPORT_ROWS = 5_000;
const AUDITED = ['name', 'address', 'kind', 'room', 'zone', 'department', 'note', 'enabled'] as const;

export interface TerminalDeps {
  db: Db;
  now: () => Date;
}

const targetOf = ({ id, name }: Pick<TerminalRow, 'id' | 'name'>) => ({ kind: 'terminal', id, name });
const audited = (row: TerminalRow, room: RoomName | undefined) => ({ ...row, room: room ? roomLabel(room) : '' });
const detailsOf = (row: TerminalRow, room: RoomName | undefined) =>
  Object.fromEntries(AUDITED.map((field) => [field, audited(row, room)[field]]));

/**
 * The terminals of meeting rooms. Changes of a tenant's terminals run one after the other, so that no address is taken
 * twice.
 */
// oxlint-disable-next-line max-lines-per-function -- short methods and the look-ups they share
export function createTerminalService({ db, now }: TerminalDeps) {
  function changing<T>({ caller: { tenantId } }: UserContext, work: (tx: TenantTx) => Promise<T>): Promise<T> {
    return db.tenant(tenantId, async (tx) => {
      await holdKey(tx, `terminals ${tenantId}`);
      return work(tx);
    });
  }

  async function roomsOf(
    tx: TenantTx,
    rows: readonly Pick<TerminalRow, 'roomId'>[],
  ): Promise<(row: Pick<TerminalRow, 'roomId'>) => RoomName | undefined> {
    const rooms = await findRoomNames(tx, [...new Set(rows.flatMap(({ roomId }) => roomId ?? []))]);
    const byId = new Map(rooms.map((room) => [room.id, room]));
    return ({ roomId }) => (roomId === null ? undefined : byId.get(roomId));
  }

  /** @throws AppError NOT_FOUND */
  async function findAll(tx: TenantTx, ids: readonly string[]): Promise<TerminalRow[]> {
    const rows = await findTerminals(tx, ids);
    if (rows.length < new Set(ids).size) throw new AppError('NOT_FOUND');
    return rows;
  }

  /** @throws AppError ROOM_UNKNOWN */
  async function findRoom(tx: TenantTx, roomId: string | null): Promise<RoomName | undefined> {
    const room = (await roomsOf(tx, [{ roomId }]))({ roomId });
    if (roomId !== null && !room) throw new AppError('ROOM_UNKNOWN');
    return room;
  }

  /** @throws AppError TERMINAL_ADDRESS_TAKEN with the terminal that has it */
  async function mustBeFree(tx: TenantTx, address: string, ownId?: string): Promise<void> {
    const holder = await findByAddress(tx, address);
    if (holder && holder.id !== ownId)
      throw new AppError('TERMINAL_ADDRESS_TAKEN', { address: holder.address, name: holder.name });
  }

  /** Page by page, each in its own transaction, so that a slow download keeps none open. */
  async function* everyTerminal({ caller }: UserContext, filter: TerminalFilter): AsyncGenerator<ExportedTerminal> {
    for (let after = ''; ;) {
      const page = await db.tenant(caller.tenantId, async (tx) => {
        const rows = await terminalsAfter(tx, filter, after, EXPORT_PAGE);
        const roomOf = await roomsOf(tx, rows);
        return rows.map((row) => ({ row, room: roomOf(row) }));
      });
      yield* page;
      if (page.length < EXPORT_PAGE) return;
      after = page.at(-1)?.row.addressKey ?? '';
    }
  }

  return {
    list: ({ caller }: UserContext, query: TerminalQuery): Promise<Data<typeof contract.terminals.list>> =>
      db.tenant(caller.tenantId, async (tx) => {
        const { rows, total } = await listTerminals(tx, query, caller.permissions.includes('rooms:manage'));
        const roomOf = await roomsOf(tx, rows);
        const records = rows.map((row) => presentTerminal(row, roomOf(row)));
        const page = { records, total: Math.min(total, TOTAL_COUNT_LIMIT), current: query.current, size: query.size };
        return total > TOTAL_COUNT_LIMIT ? { ...page, totalIsLowerBound: true } : page;
      }),

    export: (context: UserContext, query: TerminalFilter): FileAnswer =>
      exportAnswer(everyTerminal(context, query), query.en ? 'en' : context.locale, context.signal),

    /** @throws AppError TERMINAL_ADDRESS_TAKEN, ROOM_UNKNOWN */
    create: (context: UserContext, body: Body<'create'>): Promise<RegisteredTerminal> =>
      changing(context, async (tx) => {
        const room = await findRoom(tx, body.roomId);
        await mustBeFree(tx, body.address);
        const row = await insertTerminal(tx, body, now());
        await recordAudit(tx, context, now(), { target: targetOf(row), after: detailsOf(row, room) });
        return presentTerminal(row, room);
      }),

    /** @throws AppError NOT_FOUND, CHANGED_MEANWHILE, TERMINAL_ADDRESS_TAKEN, ROOM_UNKNOWN */
    update: (context: UserContext, { body: { id, version, ...values } }: UpdateInput): Promise<RegisteredTerminal> =>
      changing(context, async (tx) => {
        const [before] = await findAll(tx, [id]);
        if (before?.version !== version) throw new AppError('CHANGED_MEANWHILE');
        const [formerRoom, room] = [(await roomsOf(tx, [before]))(before), await findRoom(tx, values.roomId)];
        await mustBeFree(tx, values.address, id);
        const after = await updateTerminal(tx, id, version, values);
        if (!after) throw new AppError('CHANGED_MEANWHILE');
        await recordAudit(tx, context, now(), {
          target: targetOf(after),
          ...changed(audited(before, formerRoom), audited(after, room), AUDITED),
        });
        return presentTerminal(after, room);
      }),

    /** @throws AppError NOT_FOUND, with nothing deleted */
    remove: (context: UserContext, ids: readonly string[]): Promise<{ deleted: number }> =>
      changing(context, async (tx) => {
        const rows = await findAll(tx, ids);
        const roomOf = await roomsOf(tx, rows);
        await deleteTerminals(tx, ids);
        for (const row of rows)
          await recordAudit(tx, context, now(), { target: targetOf(row), before: detailsOf(row, roomOf(row)) });
        return { deleted: rows.length };
      }),

    /**
     * Imports terminals from a workbook, all in one transaction; a dry run changes nothing.
     *
     * @throws AppError SHEET_UNREADABLE, SHEET_TOO_LONG
     */
    async import(
      context: UserContext,
      { file, dryRun }: Body<'import'>,
    ): Promise<Data<typeof contract.terminals.import>> {
      const sheet = await readSheet(Buffer.from(file, 'base64'), IMPORT_ROWS);
      return changing(context, async (tx) => {
        const { terminals, answer } = await planImport(tx, sheet);
        if (dryRun || answer.faults.length > 0) return answer;
        await putTerminals(tx, terminals, now());
        const { rows, added, changed: edited, unchanged } = answer;
        await recordAudit(tx, context, now(), {
          target: { kind: 'terminal', id: '', name: '' },
          after: { rows, added, changed: edited, unchanged },
        });
        return answer;
      });
    },
  };
}

export type TerminalService = ReturnType<typeof createTerminalService>;
