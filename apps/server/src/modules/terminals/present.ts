import type { RegisteredTerminal } from '@rmeet/contract';
import type { RoomName } from './repo.ts';
import type { TerminalRow } from './tables.ts';

export function presentTerminal(row: TerminalRow, room: RoomName | undefined): RegisteredTerminal {
  const { id, name, address, kind, zone, department, note, enabled, version } = row;
  return {
    id,
    name,
    address,
    kind,
    room: room ?? null,
    zone,
    department,
    note,
    enabled,
    lastSeenAt: row.lastSeenAt?.toISOString() ?? null,
    version,
  };
}
