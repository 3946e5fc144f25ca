import { and, count, eq, inArray, isNull, or, sql, type SQL } from 'drizzle-orm';
import { newId, type Scoped, type TenantTx } from '../../platform/db/index.ts';
import { AppError } from '../../platform/http/index.ts';
import { accountRole, role } from '../accounts/roles/tables.ts';
import { account, department } from '../accounts/users/tables.ts';
import { findAccounts } from '../accounts/users/index.ts';
import { announcementAudience, announcementRead, type AnnouncementRow, type AudienceRow } from './tables.ts';

/** Reads of one tenant or of all. */
export type Reader = Pick<TenantTx, 'select' | 'scoped'>;
type People = Scoped<typeof account>;

/** Whom an announcement is for. */
export interface Aim {
  wholeTenant: boolean;
  departments: readonly string[];
  roleIds: readonly string[];
  userIds: readonly string[];
}

/** A department path and those of all levels above it: `A/B` gives `A/B` and `A`. */
export function levelsOf(path: string): string[] {
  const levels = path === '' ? [] : path.split('/');
  return levels.map((_, i) => levels.slice(0, levels.length - i).join('/'));
}

/** The path and all below it; as a range in the order of bytes, so that an index finds it. */
function below(column: SQL | People['department'], path: string): SQL {
  return sql`(${column} = ${path} or (${column} ~>=~ ${`${path}/`} and ${column} ~<~ ${`${path}0`}))`;
}

/** People who can sign in. */
const isThere = (people: People): SQL | undefined =>
  and(eq(people.kind, 'user'), isNull(people.deletedAt), eq(people.enabled, true));

/** The people an announcement is aimed at, as a condition: nothing is read here. */
export function isAimedAt(tx: Reader, people: People, { wholeTenant, departments, roleIds, userIds }: Aim): SQL {
  const there = isThere(people) ?? sql`false`;
  if (wholeTenant) return there;
  const has = tx.scoped(accountRole);
  const parts = [
    ...departments.map((path) => below(people.department, path)),
    ...(userIds.length > 0 ? [inArray(people.id, [...userIds])] : []),
    ...(roleIds.length > 0
      ? [
          inArray(
            people.id,
            tx
              .select({ id: has.accountId })
              .from(has)
              .where(inArray(has.roleId, [...roleIds])),
          ),
        ]
      : []),
  ];
  return and(there, or(...parts) ?? sql`false`) ?? sql`false`;
}

/** The audiences of announcements, by announcement. */
export async function audiencesOf(
  tx: TenantTx,
  announcementIds: readonly string[],
): Promise<Map<string, AudienceRow[]>> {
  if (announcementIds.length === 0) return new Map();
  const rows = await tx.find(announcementAudience, inArray(announcementAudience.announcementId, [...announcementIds]), {
    orderBy: announcementAudience.id,
  });
  return Map.groupBy(rows, (row) => row.announcementId);
}

/** An aim as it is stored. */
export function aimOf({ wholeTenant }: Pick<AnnouncementRow, 'wholeTenant'>, rows: readonly AudienceRow[]): Aim {
  return {
    wholeTenant,
    departments: rows.flatMap((row) => row.department ?? []),
    roleIds: rows.flatMap((row) => row.roleId ?? []),
    userIds: rows.flatMap((row) => row.accountId ?? []),
  };
}

/**
 * The aim without duplicates, and without parts that the whole tenant makes unnecessary.
 *
 * @throws AppError ANNOUNCEMENT_AUDIENCE_UNKNOWN for a department, role or person that is not of the tenant; the
 *   platform's tenant has roles only
 */
export async function checkedAim(tx: TenantTx, aim: Aim): Promise<Aim> {
  const unique = (list: readonly string[]): string[] => [...new Set(list)];
  const [departments, roleIds, userIds] = [unique(aim.departments), unique(aim.roleIds), unique(aim.userIds)];
  const people = await findAccounts(tx, userIds);
  const roles = roleIds.length === 0 ? [] : await tx.find(role, inArray(role.id, roleIds));
  const isKnown =
    people.length === userIds.length &&
    people.every((row) => row.kind === 'user' && row.deletedAt === null) &&
    roles.length === roleIds.length &&
    roles.every((row) => row.kind === 'user');
  if (!isKnown) throw new AppError('ANNOUNCEMENT_AUDIENCE_UNKNOWN');
  for (const path of departments)
    if (!(await tx.findOne(department, below(sql`${department.path}`, path))))
      throw new AppError('ANNOUNCEMENT_AUDIENCE_UNKNOWN');
  return aim.wholeTenant
    ? { wholeTenant: true, departments: [], roleIds: [], userIds: [] }
    : { wholeTenant: false, departments, roleIds, userIds };
}

/** Replaces the audience of an announcement. */
export async function storeAim(tx: TenantTx, announcementId: string, aim: Aim): Promise<void> {
  await tx.delete(announcementAudience, eq(announcementAudience.announcementId, announcementId));
  await tx.insert(announcementAudience, [
    ...aim.departments.map((path) => ({ id: newId(), announcementId, department: path })),
    ...aim.roleIds.map((roleId) => ({ id: newId(), announcementId, roleId })),
    ...aim.userIds.map((accountId) => ({ id: newId(), announcementId, accountId })),
  ]);
}

/** How many people an announcement is aimed at, counted by the database. */
export async function countAimed(tx: Reader, aim: Aim): Promise<number> {
  const people = tx.scoped(account);
  const [row] = await tx
    .select({ n: count() })
    .from(people)
    .where(isAimedAt(tx, people, aim));
  return row?.n ?? 0;
}

/** How many of the people an announcement is aimed at have read it. */
export async function countRead(tx: Reader, announcementId: string, aim: Aim): Promise<number> {
  const [people, reads] = [tx.scoped(account), tx.scoped(announcementRead)];
  const [row] = await tx
    .select({ n: count() })
    .from(reads)
    .innerJoin(people, eq(people.id, reads.accountId))
    .where(and(eq(reads.announcementId, announcementId), isAimedAt(tx, people, aim)));
  return row?.n ?? 0;
}
