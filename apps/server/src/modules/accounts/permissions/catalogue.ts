import { and, eq, ne } from 'drizzle-orm';
import {
  ENTRY_TYPES,
  localName,
  TOTAL_COUNT_LIMIT,
  type contract,
  type Data,
  type Input,
  type Locale,
  type ManagedEntry,
} from '@rmeet/contract';
import {
  isUniqueViolation,
  newId,
  PLATFORM_TENANT_ID,
  type Db,
  type PlatformTx,
  type TenantTx,
} from '../../../platform/db/index.ts';
import { AppError, type Context, type OperatorCaller } from '../../../platform/http/index.ts';
import { changed, recordAudit } from '../../audit/index.ts';
import { accessChangedEverywhere, type AccessSessions } from './changes.ts';
import { presentManaged } from './present.ts';
import { findEntries, holdersOf, listEntries, lockEntries } from './repo.ts';
import { permission, type PermissionRow } from './tables.ts';
import { fitsUnder, siblingsOf, treeOrder } from './tree.ts';

type OperatorContext = Context<OperatorCaller>;
type CreateBody = Input<typeof contract.permissions.create>['body'];
type MoveBody = Input<typeof contract.permissions.move>['body'];
type UpdateBody = Input<typeof contract.permissions.update>['body'];

/** Fields of a built-in entry that pages and checks rely on. */
const FIXED = [
  'code',
  'url',
  'redirect',
  'component',
  'componentName',
  'isAdmin',
] as const satisfies readonly (keyof PermissionRow)[];
const AUDITED = [
  'pid',
  'type',
  'code',
  'name',
  'nameEn',
  'url',
  'redirect',
  'icon',
  'isAdmin',
  'component',
  'componentName',
  'hidden',
  'userManageType',
  'sort',
] as const satisfies readonly (keyof PermissionRow)[];

const targetOf = (row: PermissionRow) => ({ kind: 'permission', id: row.id, name: row.name });
/** Permissions are codes only; the fields of pages stay empty. */
const pagesOf = (
  type: PermissionRow['type'],
  { url, redirect, icon, component, componentName }: Omit<UpdateBody, 'id' | 'version'>,
) =>
  type === ENTRY_TYPES.permission
    ? { url: '', redirect: '', icon: '', component: '', componentName: '' }
    : { url, redirect, icon, component, componentName };

/** @throws AppError CODE_TAKEN on a unique violation */
async function orTaken<T>(code: string | null, work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    if (isUniqueViolation(error, 'permission_code_key')) throw new AppError('CODE_TAKEN', { code: code ?? '' });
    throw error;
  }
}

function find(entries: readonly PermissionRow[], id: string): PermissionRow {
  const row = entries.find((entry) => entry.id === id);
  if (!row) throw new AppError('NOT_FOUND');
  return row;
}

/** Rejects a permission without a code or with one that is taken, and a menu that requires an unknown code. */
function checkCode(
  entries: readonly PermissionRow[],
  { id, type, code }: Pick<PermissionRow, 'id' | 'type' | 'code'>,
): void {
  if (code === null) {
    if (type === ENTRY_TYPES.permission) throw new AppError('INVALID_INPUT', {}, { code: 'missing' });
    return;
  }
  const isThere = entries.some(
    (entry) => entry.type === ENTRY_TYPES.permission && entry.code === code && entry.id !== id,
  );
  if (type === ENTRY_TYPES.permission && isThere) throw new AppError('CODE_TAKEN', { code });
  if (type !== ENTRY_TYPES.permission && !isThere) throw new AppError('PERMISSION_UNKNOWN');
}

/**
 * The roles, menus and accounts that still use an entry, as a list in the reader's language; empty if there are none.
 */
async function holderNames(
  platform: PlatformTx,
  entries: readonly PermissionRow[],
  row: PermissionRow,
  locale: Locale,
): Promise<string> {
  const { roles, accounts } = await holdersOf(platform, row.id);
  const menus =
    row.type === ENTRY_TYPES.permission
      ? entries.filter((entry) => entry.type !== ENTRY_TYPES.permission && entry.code === row.code)
      : [];
  const names = [...roles, ...menus].map((holder) => localName(holder, locale));
  if (accounts > 0)
    names.push(locale === 'en' ? `${accounts} account${accounts === 1 ? '' : 's'}` : `${accounts} 个账号`);
  return names.join(locale === 'en' ? ', ' : '、');
}

async function refuseHeld(
  platform: PlatformTx,
  entries: readonly PermissionRow[],
  row: PermissionRow,
  locale: Locale,
): Promise<void> {
  const names = await holderNames(platform, entries, row, locale);
  if (names !== '') throw new AppError('PERMISSION_GRANTED', { names });
}

/** Adds an entry as the last of its siblings. */
async function createEntry(
  tx: TenantTx,
  entries: readonly PermissionRow[],
  context: OperatorContext,
  { type, isAdmin, ...body }: CreateBody,
  now: Date,
): Promise<ManagedEntry> {
  const entry = { ...body, ...pagesOf(type, { ...body, isAdmin }), id: newId(), type, isAdmin: isAdmin === 1 };
  checkCode(entries, entry);
  if (!fitsUnder(entries, entry, entry.pid)) throw new AppError('PARENT_UNFIT');
  const sort = (siblingsOf(entries, entry, entry.pid).at(-1)?.sort ?? -1) + 1;
  const [row] = await orTaken(entry.code, tx.insert(permission, { ...entry, sort, createdAt: now }));
  if (!row) throw new Error('The new entry was not stored.');
  await recordAudit(tx, context, now, {
    target: targetOf(row),
    after: Object.fromEntries(AUDITED.map((field) => [field, row[field]])),
  });
  return presentManaged(row, [...entries, row]);
}

/** @throws AppError BUILT_IN, INVALID_INPUT, CODE_TAKEN, PERMISSION_UNKNOWN, PARENT_UNFIT, PERMISSION_GRANTED */
async function mustBeValidChange(
  platform: PlatformTx,
  entries: readonly PermissionRow[],
  before: PermissionRow,
  wanted: PermissionRow,
  locale: Locale,
): Promise<void> {
  if (before.builtIn !== null && FIXED.some((field) => wanted[field] !== before[field])) throw new AppError('BUILT_IN');
  checkCode(entries, wanted);
  if (!fitsUnder(entries, wanted, wanted.pid)) throw new AppError('PARENT_UNFIT');
  if (wanted.isAdmin !== before.isAdmin) {
    if (entries.some((entry) => entry.pid === before.id)) throw new AppError('PARENT_UNFIT');
    await refuseHeld(platform, entries, before, locale);
  }
}

/** Menus that require a permission follow it to its new code. */
async function renameCode(tx: TenantTx, before: PermissionRow, after: PermissionRow): Promise<void> {
  if (before.type !== ENTRY_TYPES.permission || before.code === null || after.code === before.code) return;
  await tx.update(
    permission,
    { code: after.code },
    and(eq(permission.code, before.code), ne(permission.type, ENTRY_TYPES.permission)),
  );
}

async function updateEntry(
  tx: TenantTx,
  entries: readonly PermissionRow[],
  platform: PlatformTx,
  context: OperatorContext,
  { id, version, isAdmin, ...body }: UpdateBody,
  now: Date,
): Promise<ManagedEntry> {
  const before = find(entries, id);
  if (before.version !== version) throw new AppError('CHANGED_MEANWHILE');
  const wanted = { ...before, ...body, ...pagesOf(before.type, { ...body, isAdmin }), isAdmin: isAdmin === 1 };
  await mustBeValidChange(platform, entries, before, wanted, context.locale);
  const isMoved = wanted.pid !== before.pid || wanted.isAdmin !== before.isAdmin;
  const sort = isMoved ? (siblingsOf(entries, wanted, wanted.pid).at(-1)?.sort ?? -1) + 1 : before.sort;
  const set = {
    ...Object.fromEntries(AUDITED.map((field) => [field, wanted[field]])),
    sort,
    version: version + 1,
  };
  const [after] = await orTaken(wanted.code, tx.update(permission, set, eq(permission.id, id)));
  if (!after) throw new AppError('NOT_FOUND');
  await renameCode(tx, before, after);
  await recordAudit(tx, context, now, { target: targetOf(after), ...changed(before, after, AUDITED) });
  return presentManaged(after, await findEntries(tx));
}

async function moveEntry(
  tx: TenantTx,
  entries: readonly PermissionRow[],
  context: OperatorContext,
  { id, pid, index }: MoveBody,
  now: Date,
): Promise<ManagedEntry[]> {
  const before = find(entries, id);
  if (!fitsUnder(entries, before, pid)) throw new AppError('PARENT_UNFIT');
  const siblings = siblingsOf(entries, before, pid).toSpliced(index, 0, before);
  for (const [sort, sibling] of siblings.entries()) {
    // An edit that began before the move would move the entry back.
    const set = sibling.id === id ? { sort, pid, version: before.version + 1 } : { sort };
    if (sibling.sort !== sort || sibling.id === id) await tx.update(permission, set, eq(permission.id, sibling.id));
  }
  const after = await findEntries(tx);
  await recordAudit(tx, context, now, {
    target: targetOf(before),
    ...changed(before, find(after, id), ['pid', 'sort']),
  });
  return treeOrder(after).map((row) => presentManaged(row, after));
}

/** The list of menu entries and permissions, maintained by the platform's staff. */
export function createCatalogue({ db, sessions, now }: { db: Db; sessions: AccessSessions; now: () => Date }) {
  /** One change of the list, after which menus and codes of every account are evaluated again. */
  function change<T>(work: (tx: TenantTx, entries: PermissionRow[], platform: PlatformTx) => Promise<T>): Promise<T> {
    return db.platform(async (platform) => {
      const tx = platform.asTenant(PLATFORM_TENANT_ID);
      const result = await work(tx, await lockEntries(tx), platform);
      await accessChangedEverywhere(platform, sessions, now());
      return result;
    });
  }

  return {
    async list(
      query: Input<typeof contract.permissions.list>['query'],
    ): Promise<Data<typeof contract.permissions.list>> {
      return db.tenant(PLATFORM_TENANT_ID, async (tx) => {
        const [{ rows, total }, all] = [await listEntries(tx, query), await findEntries(tx)];
        const page = {
          records: rows.map((row) => presentManaged(row, all)),
          total: Math.min(total, TOTAL_COUNT_LIMIT),
          current: query.current,
          size: query.size,
        };
        return total > TOTAL_COUNT_LIMIT ? { ...page, totalIsLowerBound: true } : page;
      });
    },

    async tree(): Promise<ManagedEntry[]> {
      const all = await db.tenant(PLATFORM_TENANT_ID, findEntries);
      return treeOrder(all).map((row) => presentManaged(row, all));
    },

    /** @throws AppError INVALID_INPUT, CODE_TAKEN, PERMISSION_UNKNOWN, PARENT_UNFIT */
    create: (context: OperatorContext, body: CreateBody): Promise<ManagedEntry> =>
      change((tx, entries) => createEntry(tx, entries, context, body, now())),

    /**
     * @throws AppError NOT_FOUND, CHANGED_MEANWHILE, BUILT_IN, INVALID_INPUT, CODE_TAKEN, PERMISSION_UNKNOWN,
     * PARENT_UNFIT, PERMISSION_GRANTED
     */
    update: (context: OperatorContext, body: UpdateBody): Promise<ManagedEntry> =>
      change((tx, entries, platform) => updateEntry(tx, entries, platform, context, body, now())),

    /** @throws AppError NOT_FOUND, PARENT_UNFIT */
    move: (context: OperatorContext, body: MoveBody): Promise<ManagedEntry[]> =>
      change((tx, entries) => moveEntry(tx, entries, context, body, now())),

    /** @throws AppError NOT_FOUND, BUILT_IN, HAS_CHILDREN, PERMISSION_GRANTED */
    async remove(context: OperatorContext, id: string): Promise<void> {
      await change(async (tx, entries, platform) => {
        const row = find(entries, id);
        if (row.builtIn !== null) throw new AppError('BUILT_IN');
        if (entries.some((entry) => entry.pid === id)) throw new AppError('HAS_CHILDREN');
        await refuseHeld(platform, entries, row, context.locale);
        await tx.delete(permission, eq(permission.id, id));
        await recordAudit(tx, context, now(), {
          target: targetOf(row),
          before: Object.fromEntries(AUDITED.map((field) => [field, row[field]])),
        });
      });
    },
  };
}
