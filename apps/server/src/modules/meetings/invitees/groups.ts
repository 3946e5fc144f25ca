import { and, asc, count, eq, inArray, sql } from 'drizzle-orm';
import { LIMITS, type contract, type Data, type Input, type ParticipantGroup } from '@rmeet/contract';
import { allOf } from '../../../platform/db/conditions.ts';
import { isUniqueViolation, newId, type Db, type TenantTx } from '../../../platform/db/index.ts';
import { AppError, type Context, type UserCaller } from '../../../platform/http/index.ts';
import { findAccounts, isInvitable } from '../../accounts/users/index.ts';
import { account } from '../../accounts/users/tables.ts';
import { changed, recordAudit } from '../../audit/index.ts';
import { participantGroup, participantGroupMember, type ParticipantGroupRow } from '../tables.ts';
import { presentInvitee } from './present.ts';

type UserContext = Context<UserCaller>;
type GroupBody = Input<typeof contract.booking.createGroup>['body'];

const targetOf = ({ id, name }: ParticipantGroupRow) => ({ kind: 'participantGroup', id, name });
/** The log keeps the number of people, not their names. */
const auditedOf = ({ name, people }: ParticipantGroup) => ({ name, people: people.length });

/** Answers NAME_TAKEN if the owner has a group of that name, regardless of case. */
async function orTaken<T>(name: string, work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    if (isUniqueViolation(error, 'participant_group_name_key')) throw new AppError('NAME_TAKEN', { name });
    throw error;
  }
}

async function present(tx: TenantTx, groups: readonly ParticipantGroupRow[]): Promise<ParticipantGroup[]> {
  const members =
    groups.length === 0
      ? []
      : await tx.find(
          participantGroupMember,
          inArray(
            participantGroupMember.groupId,
            groups.map(({ id }) => id),
          ),
          { orderBy: [asc(participantGroupMember.position)] },
        );
  const people = new Map(
    (await findAccounts(tx, [...new Set(members.map(({ accountId }) => accountId))]))
      .filter(isInvitable)
      .map((row) => [row.id, presentInvitee(row)]),
  );
  const byGroup = Map.groupBy(members, ({ groupId }) => groupId);
  return groups.map(({ id, name, version }) => ({
    id,
    name,
    version,
    people: (byGroup.get(id) ?? []).flatMap(({ accountId }) => people.get(accountId) ?? []),
  }));
}

async function presentOne(tx: TenantTx, row: ParticipantGroupRow): Promise<ParticipantGroup> {
  const [group] = await present(tx, [row]);
  if (!group) throw new Error('A group disappeared while it was presented.');
  return group;
}

/** Locked to the end of the transaction. @throws AppError NOT_FOUND for a group of another account */
async function find(tx: TenantTx, id: string, { userId }: UserCaller): Promise<ParticipantGroupRow> {
  const row = await tx.findOne(
    participantGroup,
    and(eq(participantGroup.id, id), eq(participantGroup.ownerId, userId)),
    { lock: 'update' },
  );
  if (!row) throw new AppError('NOT_FOUND');
  return row;
}

/** @throws AppError PARTICIPANT_UNKNOWN for people who cannot be invited */
async function setPeople(tx: TenantTx, groupId: string, userIds: readonly string[]): Promise<void> {
  const wanted = [...new Set(userIds)];
  const known = (await findAccounts(tx, wanted)).filter(isInvitable);
  if (known.length < wanted.length) throw new AppError('PARTICIPANT_UNKNOWN');
  await tx.delete(participantGroupMember, eq(participantGroupMember.groupId, groupId));
  await tx.insert(
    participantGroupMember,
    wanted.map((accountId, position) => ({ groupId, accountId, position })),
  );
}

async function createGroup(
  tx: TenantTx,
  context: UserContext,
  { name, userIds }: GroupBody,
  now: Date,
): Promise<ParticipantGroup> {
  const ownerId = context.caller.userId;
  // The account's row is locked for its list of groups, so that two new ones are counted one after the other.
  await tx.findOne(account, eq(account.id, ownerId), { lock: 'no key update' });
  const groups = tx.scoped(participantGroup);
  const [counted] = await tx.select({ n: count() }).from(groups).where(eq(groups.ownerId, ownerId));
  if ((counted?.n ?? 0) >= LIMITS.groups) throw new AppError('GROUPS_TOO_MANY', { limit: LIMITS.groups });
  const [row] = await tx.insert(participantGroup, { id: newId(), ownerId, name, createdAt: now });
  if (!row) throw new Error('A group was not stored.');
  await setPeople(tx, row.id, userIds);
  const made = await presentOne(tx, row);
  await recordAudit(tx, context, now, { target: targetOf(row), after: auditedOf(made) });
  return made;
}

async function updateGroup(
  tx: TenantTx,
  context: UserContext,
  id: string,
  { name, userIds, version }: GroupBody & { version: number },
  now: Date,
): Promise<ParticipantGroup> {
  const before = await find(tx, id, context.caller);
  if (before.version !== version) throw new AppError('CHANGED_MEANWHILE');
  const earlier = await presentOne(tx, before);
  const [row] = await tx.update(
    participantGroup,
    { name, version: version + 1 },
    allOf(eq(participantGroup.id, id), eq(participantGroup.version, version)),
  );
  if (!row) throw new AppError('CHANGED_MEANWHILE');
  await setPeople(tx, id, userIds);
  const edited = await presentOne(tx, row);
  await recordAudit(tx, context, now, {
    target: targetOf(row),
    ...changed(auditedOf(earlier), auditedOf(edited), ['name', 'people']),
  });
  return edited;
}

/** Named lists of people, each visible only to its owner. */
export function createGroups({ db, now }: { db: Db; now: () => Date }) {
  return {
    list: ({ caller }: UserContext): Promise<Data<typeof contract.booking.groups>> =>
      db.tenant(caller.tenantId, async (tx) =>
        present(
          tx,
          await tx.find(participantGroup, eq(participantGroup.ownerId, caller.userId), {
            orderBy: [sql`lower(${participantGroup.name})`, asc(participantGroup.id)],
          }),
        ),
      ),

    /** @throws AppError GROUPS_TOO_MANY, NAME_TAKEN, PARTICIPANT_UNKNOWN */
    create: (context: UserContext, { name, userIds }: GroupBody): Promise<ParticipantGroup> =>
      orTaken(
        name,
        db.tenant(context.caller.tenantId, (tx) => createGroup(tx, context, { name, userIds }, now())),
      ),

    /** @throws AppError NOT_FOUND, CHANGED_MEANWHILE, NAME_TAKEN, PARTICIPANT_UNKNOWN */
    update: (
      context: UserContext,
      id: string,
      { name, userIds, version }: GroupBody & { version: number },
    ): Promise<ParticipantGroup> =>
      orTaken(
        name,
        db.tenant(context.caller.tenantId, (tx) => updateGroup(tx, context, id, { name, userIds, version }, now())),
      ),

    /** @throws AppError NOT_FOUND */
    remove: (context: UserContext, id: string): Promise<void> =>
      db.tenant(context.caller.tenantId, async (tx) => {
        const row = await find(tx, id, context.caller);
        const before = auditedOf(await presentOne(tx, row));
        await tx.delete(participantGroup, eq(participantGroup.id, id));
        await recordAudit(tx, context, now(), { target: targetOf(row), before });
      }),
  };
}

export type Groups = ReturnType<typeof createGroups>;
