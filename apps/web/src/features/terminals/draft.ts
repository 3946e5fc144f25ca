import { TERMINAL_KINDS, type RegisteredTerminal } from '@rmeet/contract';
import type { useTexts } from '../../lib/i18n/index.ts';
import type { FieldErrors } from '../../ui/admin/useForm.ts';

export type TerminalKind = (typeof TERMINAL_KINDS)[number];

/** A terminal in the form. */
export interface TerminalDraft {
  name: string;
  address: string;
  kind: TerminalKind;
  /** Null: in no room. */
  roomId: string | null;
  zone: string;
  department: string;
  note: string;
  enabled: boolean;
}

export const newTerminal: TerminalDraft = {
  name: '',
  address: '',
  kind: 'sip',
  roomId: null,
  zone: '',
  department: '',
  note: '',
  enabled: true,
};

export function draftOf({
  name,
  address,
  kind,
  room,
  zone,
  department,
  note,
  enabled,
}: RegisteredTerminal): TerminalDraft {
  return { name, address, kind, roomId: room?.id ?? null, zone, department, note, enabled };
}

/** The request body to create or change a terminal; for a draft without faults. */
export function terminalBody({ name, address, zone, department, note, ...rest }: TerminalDraft) {
  return {
    ...rest,
    name: name.trim(),
    address: address.trim(),
    zone: zone.trim(),
    department: department.trim(),
    note: note.trim(),
  };
}

type TerminalTexts = ReturnType<typeof useTexts<'terminals'>>;
type AdminTexts = ReturnType<typeof useTexts<'admin'>>;

/** The errors of a terminal found before anything is sent. */
export function terminalFaults(
  { name, address }: TerminalDraft,
  t: TerminalTexts,
  admin: AdminTexts,
): FieldErrors<TerminalDraft> {
  const faults: FieldErrors<TerminalDraft> = {};
  if (name.trim() === '') faults.name = admin('invalid.required');
  if (address.trim() === '') faults.address = admin('invalid.required');
  else if (/\s/.test(address.trim())) faults.address = t('form.addressSpaces');
  return faults;
}

/** The location of a terminal, as lists and worksheets show it. */
export function placeOf(room: { name: string; building: string } | null): string {
  return room === null ? '' : `${room.building} / ${room.name}`;
}

interface PlacedRoom {
  id: string;
  name: string;
  building: { id: string; name: string };
}

/** Rooms to choose from, grouped by building, in the given order. */
export function groupRooms(
  rooms: readonly PlacedRoom[],
): { label: string; options: { value: string; label: string; found: string }[] }[] {
  const groups = new Map<string, { label: string; options: { value: string; label: string; found: string }[] }>();
  for (const { id, name, building } of rooms) {
    const group = groups.get(building.id) ?? { label: building.name, options: [] };
    group.options.push({ value: id, label: name, found: placeOf({ name, building: building.name }) });
    groups.set(building.id, group);
  }
  return [...groups.values()];
}
