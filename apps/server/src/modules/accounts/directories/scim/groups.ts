import { asc, eq, inArray, isNotNull, isNull, sql, and } from 'drizzle-orm';
import { allOf } from '../../../../platform/db/conditions.ts';
import { newId, type TenantTx } from '../../../../platform/db/index.ts';
import { recordAudit, systemOrigin } from '../../../audit/index.ts';
import { account } from '../../users/tables.ts';
import { setGroupRoles } from '../accounts.ts';
import {
  equalityOf,
  isObject,
  listBody,
  pagingOf,
  SCHEMAS,
  ScimError,
  valueOf,
  type Json,
  type Operation,
} from './protocol.ts';
import { scimGroup, scimMember, scimUser, type ScimGroupRow } from './tables.ts';
import type { ScimDeps } from './users.ts';

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const NAME_LENGTH = 200;
const notFound = (id: string): ScimError => new ScimError(404, `Resource ${id} not found.`);

async function find(tx: TenantTx, id: string): Promise<ScimGroupRow> {
  const row = UUID.test(id) ? await tx.findOne(scimGroup, eq(scimGroup.id, id), { lock: 'update' }) : undefined;
  if (!row) throw notFound(id);
  return row;
}

function nameOf(body: Json): string | undefined {
  const name = valueOf(body, 'displayName');
  return typeof name === 'string' && name.trim() !== '' ? name.trim().slice(0, NAME_LENGTH) : undefined;
}

/** An identifier in the pushing directory; some write numbers. */
function externalIdOf(body: Json): string {
  const id = valueOf(body, 'externalId');
  return typeof id === 'string' || typeof id === 'number' ? String(id) : '';
}

/** Whether an answer lists the members (RFC 7644, section 3.4.2.5). */
function wantsMembers({ excludedAttributes }: Json): boolean {
  const excluded = excludedAttributes as string | string[] | undefined;
  return !String(excluded ?? '').includes('members');
}

/** The ids in `members`; undefined if it is missing. */
function membersOf(value: unknown): string[] | undefined {
  if (value === undefined) return undefined;
  const list = Array.isArray(value) ? value : [value];
  return list.flatMap((one: unknown) => {
    const id = isObject(one) ? valueOf(one, 'value') : one;
    return typeof id === 'string' && UUID.test(id) ? [id] : [];
  });
}

/** Grants people the roles of their groups. `also`: roles that no group gives any more. */
export async function grantByGroups(
  tx: TenantTx,
  { sessions }: ScimDeps,
  accountIds: readonly string[],
  also: readonly string[] = [],
): Promise<void> {
  if (accountIds.length === 0) return;
  const groups = await tx.find(scimGroup, isNotNull(scimGroup.roleId));
  const roleOf = new Map(groups.flatMap(({ id, roleId }) => (roleId === null ? [] : [[id, roleId] as const])));
  const members = await tx.find(scimMember, inArray(scimMember.accountId, [...accountIds]));
  const byAccount = Map.groupBy(members, (member) => member.accountId);
  const wanted = new Map(
    accountIds.map((id) => [id, (byAccount.get(id) ?? []).flatMap(({ groupId }) => roleOf.get(groupId) ?? [])]),
  );
  await sessions.accessChanged(tx, await setGroupRoles(tx, wanted, [...new Set([...roleOf.values(), ...also])]));
}

/** Groups that a directory pushes. */
// oxlint-disable-next-line max-lines-per-function -- one short method for each operation of the protocol
export function createScimGroups(deps: ScimDeps) {
  const { now } = deps;

  async function present(tx: TenantTx, row: ScimGroupRow, base: string, withMembers: boolean): Promise<Json> {
    const members = withMembers ? await tx.find(scimMember, eq(scimMember.groupId, row.id)) : [];
    return {
      schemas: [SCHEMAS.group],
      id: row.id,
      ...(row.externalId === '' ? {} : { externalId: row.externalId }),
      displayName: row.name,
      ...(withMembers
        ? { members: members.map(({ accountId }) => ({ value: accountId, $ref: `${base}/Users/${accountId}` })) }
        : {}),
      meta: {
        resourceType: 'Group',
        created: row.createdAt.toISOString(),
        lastModified: row.updatedAt.toISOString(),
        location: `${base}/Groups/${row.id}`,
      },
    };
  }

  /** Adds people that were pushed, too; unknown ids are an error. */
  async function add(tx: TenantTx, groupId: string, ids: readonly string[]): Promise<void> {
    if (ids.length === 0) return;
    const known = await tx.find(scimUser, inArray(scimUser.accountId, [...ids]));
    const missing = ids.find((id) => !known.some(({ accountId }) => accountId === id.toLowerCase()));
    if (missing !== undefined) throw new ScimError(400, `There is no user ${missing}.`, 'invalidValue');
    await tx.insert(
      scimMember,
      [...new Set(ids)].map((accountId) => ({ groupId, accountId })),
      'nothing',
    );
  }

  const drop = async (tx: TenantTx, groupId: string, ids: readonly string[] | 'all'): Promise<string[]> => {
    const ofGroup = eq(scimMember.groupId, groupId);
    if (ids !== 'all' && ids.length === 0) return [];
    const rows = await tx.delete(
      scimMember,
      ids === 'all' ? ofGroup : allOf(ofGroup, inArray(scimMember.accountId, [...ids])),
    );
    return rows.map(({ accountId }) => accountId);
  };

  async function apply(tx: TenantTx, row: ScimGroupRow, { op, path, value }: Operation): Promise<string[]> {
    const [, selected] = /^members\[\s*value\s+eq\s+"([^"]+)"\s*\]$/i.exec(path) ?? [];
    if (selected !== undefined && op === 'remove') return drop(tx, row.id, membersOf(selected) ?? []);
    const target = path.toLowerCase();
    if (target === 'displayname' || target === '') {
      const body = target === '' && isObject(value) ? value : { displayName: value };
      const name = nameOf(body);
      if (name !== undefined) await tx.update(scimGroup, { name }, eq(scimGroup.id, row.id));
      const members = membersOf(valueOf(body, 'members'));
      return members === undefined ? [] : replace(tx, row, op, members);
    }
    if (target === 'externalid') {
      await tx.update(scimGroup, { externalId: op === 'remove' ? '' : String(value) }, eq(scimGroup.id, row.id));
      return [];
    }
    if (target !== 'members') throw new ScimError(400, `Groups have no ${path}.`, 'invalidPath');
    return replace(tx, row, op, membersOf(value));
  }

  /** The people concerned. */
  async function replace(
    tx: TenantTx,
    row: ScimGroupRow,
    op: Operation['op'],
    ids: readonly string[] | undefined,
  ): Promise<string[]> {
    if (op === 'remove') return drop(tx, row.id, ids ?? 'all');
    const before = op === 'replace' ? await drop(tx, row.id, 'all') : [];
    await add(tx, row.id, ids ?? []);
    return [...before, ...(ids ?? [])];
  }

  async function audited(tx: TenantTx, { id, name }: ScimGroupRow, after: Json): Promise<void> {
    await recordAudit(tx, systemOrigin('scim.push'), now(), { target: { kind: 'scimGroup', id, name }, after });
  }

  return {
    async create(tx: TenantTx, body: Json, base: string): Promise<Json> {
      const name = nameOf(body);
      if (name === undefined) throw new ScimError(400, 'displayName is required.', 'invalidValue');
      const externalId = externalIdOf(body);
      const values = { id: newId(), name, externalId, createdAt: now(), updatedAt: now() };
      const [row] = await tx.insert(scimGroup, values);
      if (!row) throw new ScimError(500, 'The group was not stored.');
      await add(tx, row.id, membersOf(valueOf(body, 'members')) ?? []);
      await audited(tx, row, { name });
      return present(tx, row, base, true);
    },

    async read(tx: TenantTx, id: string, query: Json, base: string): Promise<Json> {
      return present(tx, await find(tx, id), base, wantsMembers(query));
    },

    async list(tx: TenantTx, query: Json, base: string): Promise<Json> {
      const { startIndex, count: size } = pagingOf(query);
      const wanted = equalityOf(query['filter'] as string | undefined);
      if (wanted && wanted.attribute !== 'displayname' && wanted.attribute !== 'externalid')
        throw new ScimError(400, `No filter by ${wanted.attribute}.`, 'invalidFilter');
      const column = wanted?.attribute === 'externalid' ? scimGroup.externalId : scimGroup.name;
      const where = wanted && eq(sql`lower(${column})`, wanted.value.toLowerCase());
      const rows =
        size === 0
          ? []
          : await tx.find(scimGroup, where, { orderBy: asc(scimGroup.id), limit: size, offset: startIndex - 1 });
      const withMembers = wantsMembers(query);
      const resources: Json[] = [];
      for (const row of rows) resources.push(await present(tx, row, base, withMembers));
      return listBody(resources, await tx.count(scimGroup, where), startIndex);
    },

    async patch(tx: TenantTx, id: string, operations: readonly Operation[], base: string): Promise<Json> {
      const row = await find(tx, id);
      const concerned: string[] = [];
      for (const operation of operations) concerned.push(...(await apply(tx, row, operation)));
      const [after] = await tx.update(scimGroup, { updatedAt: now() }, eq(scimGroup.id, id));
      await grantByGroups(tx, deps, [...new Set(concerned)]);
      await audited(tx, row, { people: new Set(concerned).size });
      return present(tx, after ?? row, base, true);
    },

    async put(tx: TenantTx, id: string, body: Json, base: string): Promise<Json> {
      const row = await find(tx, id);
      const concerned = await replace(tx, row, 'replace', membersOf(valueOf(body, 'members')) ?? []);
      const values = { name: nameOf(body) ?? row.name, updatedAt: now() };
      const [after] = await tx.update(scimGroup, values, eq(scimGroup.id, id));
      await grantByGroups(tx, deps, [...new Set(concerned)]);
      await audited(tx, row, { people: new Set(concerned).size });
      return present(tx, after ?? row, base, true);
    },

    async remove(tx: TenantTx, id: string): Promise<void> {
      const row = await find(tx, id);
      const people = await drop(tx, id, 'all');
      await tx.delete(scimGroup, eq(scimGroup.id, id));
      await grantByGroups(tx, deps, people, row.roleId === null ? [] : [row.roleId]);
      await audited(tx, row, { deleted: true });
    },

    /** How many people are in each group; deleted ones do not count. */
    async sizes(tx: TenantTx): Promise<Map<string, number>> {
      const [members, accounts] = [tx.scoped(scimMember), tx.scoped(account)];
      const rows = await tx
        .select({ groupId: members.groupId, n: sql<number>`count(*)::int` })
        .from(members)
        .innerJoin(accounts, and(eq(accounts.id, members.accountId), isNull(accounts.deletedAt)))
        .groupBy(members.groupId);
      return new Map(rows.map(({ groupId, n }) => [groupId, n]));
    },
  };
}
