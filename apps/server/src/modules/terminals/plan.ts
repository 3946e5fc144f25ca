import type { contract, Data } from '@rmeet/contract';
import type { TenantTx } from '../../platform/db/index.ts';
import type { SheetRow } from '../../platform/import/index.ts';
import { addressKeyOf, findByAddresses, findRoomNames, type TerminalValues } from './repo.ts';
import { readTerminals, type SheetTerminal } from './sheet.ts';

/** Defaults of fields that neither the sheet nor the registry has. */
const DEFAULTS = { roomId: null, zone: '', department: '', note: '', enabled: true };
const FIELDS = ['name', 'address', 'kind', 'roomId', 'zone', 'department', 'note', 'enabled'] as const;

/** A terminal from its stored row and the sheet. */
function valuesOf(before: TerminalValues | undefined, given: SheetTerminal): TerminalValues {
  const { roomId, zone, department, note, enabled } = before ?? DEFAULTS;
  return { roomId, zone, department, note, enabled, ...given };
}

/** The effect of importing a sheet: new and changed terminals, and the response. */
export async function planImport(
  tx: TenantTx,
  sheet: readonly SheetRow[],
): Promise<{ terminals: TerminalValues[]; answer: Data<typeof contract.terminals.import> }> {
  const rooms = await findRoomNames(tx);
  const roomIds = new Set(rooms.map(({ id }) => id));
  const { terminals: read, rows, faults } = readTerminals(sheet, rooms);
  const known = await findByAddresses(
    tx,
    read.map(({ address }) => addressKeyOf(address)),
  );
  const terminals: TerminalValues[] = [];
  let [added, changed] = [0, 0];
  for (const given of read) {
    const row = known.get(addressKeyOf(given.address));
    // A deleted room counts as none, as in the export.
    const before = row && { ...row, roomId: row.roomId !== null && roomIds.has(row.roomId) ? row.roomId : null };
    const values = valuesOf(before, given);
    if (before && FIELDS.every((field) => before[field] === values[field])) continue;
    if (before) changed += 1;
    else added += 1;
    terminals.push(values);
  }
  return { terminals, answer: { rows, added, changed, unchanged: read.length - terminals.length, faults } };
}
