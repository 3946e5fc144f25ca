import { eq, inArray } from 'drizzle-orm';
import type { Meeting } from '@rmeet/contract';
import { inBatches } from '../../platform/db/batches.ts';
import type { TenantTx } from '../../platform/db/index.ts';
import { AppError } from '../../platform/http/index.ts';
import { meetingTerminal, registeredTerminal } from './tables.ts';

/**
 * Sets the room terminals that are called into a meeting. Those it has are kept, even if they are disabled now.
 *
 * @throws AppError TERMINAL_UNKNOWN
 */
export async function setTerminals(tx: TenantTx, meetingId: string, terminalIds: readonly string[]): Promise<void> {
  const wanted = [...new Set(terminalIds)];
  const before = new Set(
    (await tx.find(meetingTerminal, eq(meetingTerminal.meetingId, meetingId))).map((row) => row.terminalId),
  );
  if (wanted.length > 0) {
    // Locked in the order of their ids, as everywhere, so that none is deleted meanwhile.
    const rows = await tx.find(registeredTerminal, inArray(registeredTerminal.id, wanted), {
      orderBy: registeredTerminal.id,
      lock: 'share',
    });
    const usable = rows.filter(({ id, enabled }) => enabled || before.has(id));
    if (usable.length < wanted.length) throw new AppError('TERMINAL_UNKNOWN');
  }
  if (before.size > 0) await tx.delete(meetingTerminal, eq(meetingTerminal.meetingId, meetingId));
  if (wanted.length > 0)
    await tx.insert(
      meetingTerminal,
      wanted.map((terminalId, position) => ({ meetingId, terminalId, position })),
    );
}

/** Sets the same terminals for several meetings. @throws AppError TERMINAL_UNKNOWN */
export async function setTerminalsOfAll(
  tx: TenantTx,
  meetingIds: readonly string[],
  terminalIds: readonly string[],
): Promise<void> {
  const [first, ...others] = meetingIds;
  if (first === undefined) return;
  await setTerminals(tx, first, terminalIds);
  const rows = others.flatMap((meetingId) =>
    [...new Set(terminalIds)].map((terminalId, position) => ({ meetingId, terminalId, position })),
  );
  for (const batch of inBatches(rows)) await tx.insert(meetingTerminal, batch);
}

/** The terminals of meetings as the contract shows them; meetings without any are missing. */
export async function terminalsOfMeetings(
  tx: TenantTx,
  meetingIds: readonly string[],
): Promise<Map<string, Meeting['terminals']>> {
  if (meetingIds.length === 0) return new Map();
  const [called, registered] = [tx.scoped(meetingTerminal), tx.scoped(registeredTerminal)];
  const rows = await tx
    .select({
      meetingId: called.meetingId,
      id: registered.id,
      name: registered.name,
      address: registered.address,
      kind: registered.kind,
    })
    .from(called)
    .innerJoin(registered, eq(registered.id, called.terminalId))
    .where(inArray(called.meetingId, [...meetingIds]))
    .orderBy(called.position);
  return new Map(
    [...Map.groupBy(rows, (row) => row.meetingId)].map(([id, list]) => [
      id,
      list.map(({ id: terminalId, name, address, kind }) => ({ id: terminalId, name, address, kind })),
    ]),
  );
}
