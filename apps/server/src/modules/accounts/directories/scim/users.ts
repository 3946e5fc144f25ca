import { and, asc, count, eq, isNull, sql } from 'drizzle-orm';
import { allOf } from '../../../../platform/db/conditions.ts';
import type { TenantTx } from '../../../../platform/db/index.ts';
import { AppError } from '../../../../platform/http/index.ts';
import { changed, recordAudit, systemOrigin } from '../../../audit/index.ts';
import { role, accountRole } from '../../roles/tables.ts';
import {
  addPushedAccount,
  changeDetails,
  hasOtherAdmin,
  removeAccount,
  setAccountsEnabled,
  type AccountSessions,
} from '../../users/index.ts';
import { account, type AccountRow } from '../../users/tables.ts';
import { roomFor } from '../accounts.ts';
import { equalityOf, listBody, pagingOf, ScimError, type Json } from './protocol.ts';
import { scimUser } from './tables.ts';
import { presentUser, type PushedUser } from './user.ts';

export interface ScimDeps {
  now: () => Date;
  sessions: AccountSessions;
}

interface Found {
  row: AccountRow;
  link: typeof scimUser.$inferSelect;
}

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const AUDITED = ['account', 'name', 'email', 'phone', 'department', 'enabled'] as const;
const notFound = (id: string): ScimError => new ScimError(404, `Resource ${id} not found.`);
const taken = (): ScimError => new ScimError(409, 'Another account has this userName.', 'uniqueness');

/** A user that was pushed; accounts of other origin do not exist here. @throws ScimError 404 */
async function find(tx: TenantTx, id: string): Promise<Found> {
  if (!UUID.test(id)) throw notFound(id);
  const link = await tx.findOne(scimUser, eq(scimUser.accountId, id));
  const row =
    link && (await tx.findOne(account, allOf(eq(account.id, id), isNull(account.deletedAt)), { lock: 'update' }));
  if (!link || !row) throw notFound(id);
  return { row, link };
}

/** Disables or enables an account. @throws ScimError if no administrator would be left */
async function setActive(tx: TenantTx, row: AccountRow, active: boolean, sessions: AccountSessions): Promise<void> {
  if (row.enabled === active) return;
  if (!active && row.isTenantAdmin && !(await hasOtherAdmin(tx, [row.id])))
    throw new ScimError(409, 'This is the last administrator of the organisation.');
  await setAccountsEnabled(tx, [row.id], active, sessions);
}

/** Users that a directory pushes (RFC 7644, section 3). */
// oxlint-disable-next-line max-lines-per-function -- one short method for each operation of the protocol
export function createScimUsers({ now, sessions }: ScimDeps) {
  async function audited(tx: TenantTx, row: AccountRow, fields: { before?: Json; after?: Json }): Promise<void> {
    await recordAudit(tx, systemOrigin('scim.push'), now(), {
      target: { kind: 'account', id: row.id, name: row.name },
      ...fields,
    });
  }

  async function change(tx: TenantTx, { row, link }: Found, pushed: PushedUser): Promise<Found> {
    const { account: name, externalId, active, ...details } = pushed;
    if (name !== undefined && name !== row.account) {
      const other = await tx.findOne(account, eq(sql`lower(${account.account})`, name.toLowerCase()));
      if (other && other.id !== row.id) throw taken();
      await tx.update(account, { account: name }, eq(account.id, row.id));
    }
    await changeDetails(tx, row, details.name === '' ? { ...details, name: row.name } : details);
    if (active !== undefined) await setActive(tx, row, active, sessions);
    const [after] = await tx.find(account, eq(account.id, row.id));
    const [linked] = await tx.update(
      scimUser,
      { updatedAt: now(), ...(externalId === undefined ? {} : { externalId }) },
      eq(scimUser.accountId, row.id),
    );
    if (!after) throw notFound(row.id);
    const fields = changed(row, after, AUDITED);
    if (Object.keys(fields.after ?? {}).length > 0) await audited(tx, after, fields);
    if (row.name !== after.name) await sessions.accessChanged(tx, [row.id]);
    return { row: after, link: linked ?? link };
  }

  return {
    async create(tx: TenantTx, pushed: PushedUser, base: string): Promise<Json> {
      const { account: name, externalId = '', active = true } = pushed;
      if (name === undefined) throw new ScimError(400, 'userName is required.', 'invalidValue');
      if ((await roomFor(tx)) < 1) throw new ScimError(403, 'The organisation has as many users as it may have.');
      const { email = '', phone = '', department = '' } = pushed;
      const values = { account: name, name: pushed.name || name, email, phone, department, enabled: active };
      const row = await addPushedAccount(tx, values, now());
      if (!row) throw taken();
      const [link] = await tx.insert(scimUser, { accountId: row.id, externalId, updatedAt: now() });
      const defaults = await tx.find(role, and(eq(role.kind, 'user'), eq(role.isDefault, true)));
      await tx.insert(
        accountRole,
        defaults.map(({ id }) => ({ accountId: row.id, roleId: id })),
        'nothing',
      );
      await audited(tx, row, { after: { ...values } });
      return presentUser(row, link ?? { externalId, updatedAt: now() }, base);
    },

    async read(tx: TenantTx, id: string, base: string): Promise<Json> {
      const { row, link } = await find(tx, id);
      return presentUser(row, link, base);
    },

    async list(tx: TenantTx, query: Json, base: string): Promise<Json> {
      const { startIndex, count: size } = pagingOf(query);
      const wanted = equalityOf(query['filter'] as string | undefined);
      const [links, accounts] = [tx.scoped(scimUser), tx.scoped(account)];
      const columns: Record<string, ReturnType<typeof sql>> = {
        username: sql`lower(${accounts.account}) = lower(${wanted?.value ?? ''})`,
        externalid: sql`${links.externalId} = ${wanted?.value ?? ''}`,
        id: sql`${accounts.id}::text = lower(${wanted?.value ?? ''})`,
        'emails.value': sql`lower(${accounts.email}) = lower(${wanted?.value ?? ''})`,
      };
      const condition = wanted && columns[wanted.attribute];
      if (wanted && !condition) throw new ScimError(400, `No filter by ${wanted.attribute}.`, 'invalidFilter');
      const where = and(isNull(accounts.deletedAt), condition);
      const joined = eq(accounts.id, links.accountId);
      const ids = await tx
        .select({ id: links.accountId })
        .from(links)
        .innerJoin(accounts, joined)
        .where(where)
        .orderBy(asc(links.accountId))
        .limit(size)
        .offset(startIndex - 1);
      const [total] = await tx.select({ n: count() }).from(links).innerJoin(accounts, joined).where(where);
      const resources: Json[] = [];
      for (const { id } of ids) {
        const found = await find(tx, id);
        resources.push(presentUser(found.row, found.link, base));
      }
      return listBody(resources, total?.n ?? 0, startIndex);
    },

    /** Attributes that are not sent stay, as the RFC permits for those that the server sets. */
    async change(tx: TenantTx, id: string, pushed: PushedUser, base: string): Promise<Json> {
      const { row, link } = await change(tx, await find(tx, id), pushed);
      return presentUser(row, link, base);
    },

    /** The account can be restored here for 30 days; for the directory it is gone. */
    async remove(tx: TenantTx, id: string): Promise<void> {
      const { row } = await find(tx, id);
      await setActive(tx, row, false, sessions);
      await removeAccount(tx, row, now());
      await audited(tx, row, { before: { deleted: false }, after: { deleted: true } });
    },
  };
}

/** @throws ScimError for errors of the product that users cannot see here */
export function asScimError(error: unknown): ScimError | undefined {
  if (error instanceof ScimError) return error;
  return error instanceof AppError ? new ScimError(400, error.code) : undefined;
}
