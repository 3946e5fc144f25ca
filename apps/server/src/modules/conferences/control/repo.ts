import { and, asc, desc, eq, gt, inArray, lte, notInArray, sql } from 'drizzle-orm';
import { ROUTINE_VERBS, type ConferenceControl } from '@rmeet/conference';
import type { TenantTx } from '../../../platform/db/index.ts';
import { commandAck, conference, conferenceCommand, type CommandRow } from '../tables.ts';

export type AckRow = typeof commandAck.$inferSelect;
type Reader = Pick<TenantTx, 'find' | 'findOne'>;

export async function insertCommand(tx: TenantTx, values: Omit<CommandRow, 'tenantId'>): Promise<void> {
  await tx.insert(conferenceCommand, values);
}

export async function saveControl(tx: TenantTx, conferenceId: string, control: ConferenceControl): Promise<void> {
  const inside = Object.values(control.terminals).filter(({ present }) => present).length;
  await tx.update(
    conference,
    {
      control,
      generation: control.generation,
      peakTerminals: sql`greatest(${conference.peakTerminals}, ${inside}::integer)`,
    },
    eq(conference.id, conferenceId),
  );
}

export function findCommand(tx: Reader, conferenceId: string, id: string): Promise<CommandRow | undefined> {
  return tx.findOne(
    conferenceCommand,
    and(eq(conferenceCommand.conferenceId, conferenceId), eq(conferenceCommand.id, id)),
  );
}

/** The commands after a version, oldest first. */
export function findCommandsAfter(
  tx: Reader,
  conferenceId: string,
  after: number,
  limit?: number,
): Promise<CommandRow[]> {
  const where = and(eq(conferenceCommand.conferenceId, conferenceId), gt(conferenceCommand.version, after));
  return tx.find(conferenceCommand, where, {
    orderBy: asc(conferenceCommand.version),
    ...(limit === undefined ? {} : { limit }),
  });
}

/** The newest commands, newest first, without the routine ones. */
export function findNewestCommands(tx: Reader, conferenceId: string, limit: number): Promise<CommandRow[]> {
  const where = and(
    eq(conferenceCommand.conferenceId, conferenceId),
    notInArray(conferenceCommand.verb, [...ROUTINE_VERBS]),
  );
  return tx.find(conferenceCommand, where, { orderBy: desc(conferenceCommand.version), limit });
}

/** Commands that undo one of the given ones. */
export function findUndoing(tx: Reader, commandIds: readonly string[]): Promise<CommandRow[]> {
  if (commandIds.length === 0) return Promise.resolve([]);
  return tx.find(conferenceCommand, inArray(conferenceCommand.undoes, [...commandIds]));
}

export function findAcks(tx: Reader, commandIds: readonly string[]): Promise<AckRow[]> {
  if (commandIds.length === 0) return Promise.resolve([]);
  return tx.find(commandAck, inArray(commandAck.commandId, [...commandIds]), { orderBy: asc(commandAck.at) });
}

/** The fields of a command that are needed to store its acknowledgements. */
export type Acknowledgeable = Pick<CommandRow, 'id' | 'pushVersion' | 'affected' | 'createdAt'>;

/** Commands published with push versions in a range, the lower end excluded. */
export function findPublished(
  tx: TenantTx,
  conferenceId: string,
  after: number,
  upTo: number,
): Promise<Acknowledgeable[]> {
  const commands = tx.scoped(conferenceCommand);
  return tx
    .select({
      id: commands.id,
      pushVersion: commands.pushVersion,
      affected: commands.affected,
      createdAt: commands.createdAt,
    })
    .from(commands)
    .where(
      and(eq(commands.conferenceId, conferenceId), gt(commands.pushVersion, after), lte(commands.pushVersion, upTo)),
    );
}

/** The push version of the last command that each of these terminals acknowledged, if any. */
export function findAcknowledged(
  tx: TenantTx,
  conferenceId: string,
  termIds: readonly string[],
): Promise<{ termId: string; version: number }[]> {
  const [acks, commands] = [tx.scoped(commandAck), tx.scoped(conferenceCommand)];
  return tx
    .select({ termId: acks.termId, version: sql<number>`max(${commands.pushVersion})`.mapWith(Number) })
    .from(commands)
    .innerJoin(acks, eq(acks.commandId, commands.id))
    .where(and(eq(commands.conferenceId, conferenceId), inArray(acks.termId, [...termIds])))
    .groupBy(acks.termId);
}

/** Commands by versions of the control state in a range, the lower end excluded, oldest first. */
export function findVersions(
  tx: TenantTx,
  conferenceId: string,
  after: number,
  upTo: number,
): Promise<Pick<CommandRow, 'id' | 'version' | 'verb' | 'changes' | 'createdAt'>[]> {
  const commands = tx.scoped(conferenceCommand);
  return tx
    .select({
      id: commands.id,
      version: commands.version,
      verb: commands.verb,
      changes: commands.changes,
      createdAt: commands.createdAt,
    })
    .from(commands)
    .where(and(eq(commands.conferenceId, conferenceId), gt(commands.version, after), lte(commands.version, upTo)))
    .orderBy(asc(commands.version));
}

/** Stores acknowledgements; existing ones stay and are not returned. */
export function insertAcks(tx: TenantTx, acks: Omit<AckRow, 'tenantId'>[]): Promise<AckRow[]> {
  return tx.insert(commandAck, acks, 'nothing');
}

/** Stores acknowledgements, replacing earlier ones. */
export function putAcks(tx: TenantTx, acks: Omit<AckRow, 'tenantId'>[]): Promise<AckRow[]> {
  const set = {
    failed: sql`excluded.failed`,
    latency: sql`excluded.latency`,
    gap: sql`excluded.gap`,
    at: sql`excluded.at`,
  };
  return tx.insert(commandAck, acks, { target: [commandAck.commandId, commandAck.termId], set });
}
