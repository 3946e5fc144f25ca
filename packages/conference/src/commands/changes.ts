import { allowancesOf } from '../state/allowances.ts';
import type { ConferenceControl, ControlChange, TerminalControl } from '../state/control.ts';
import { withoutPolling, withPollingSeen } from './on-air.ts';

/** Sorts the keys; states read from storage have them in another order. */
const sorted = (_: string, value: unknown): unknown =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
    ? Object.fromEntries(Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1)))
    : value;
const isSame = (a: unknown, b: unknown): boolean => a === b || JSON.stringify(a, sorted) === JSON.stringify(b, sorted);

/** The state with the fields that it omits because they have their defaults. */
const withDefaults = (control: ConferenceControl) => ({
  recording: null,
  broadcast: null,
  ...control,
  ...allowancesOf(control),
});

/** The differences between two states, except `version`. */
export function controlChanges(before: ConferenceControl, after: ConferenceControl): ControlChange[] {
  const changes: ControlChange[] = [];
  const { terminals: old, version: _, ...fields } = withDefaults(before);
  const changed = withDefaults(after);
  for (const field of Object.keys(fields) as (keyof typeof fields)[]) {
    if (!isSame(fields[field], changed[field]))
      changes.push({ termId: null, field, before: fields[field], after: changed[field] });
  }
  for (const [termId, entry] of Object.entries(after.terminals)) {
    const was = old[termId];
    if (!was) changes.push({ termId, field: '*', before: null, after: entry });
    else if (was !== entry) {
      for (const field of Object.keys(entry) as (keyof TerminalControl)[]) {
        if (!isSame(was[field], entry[field])) changes.push({ termId, field, before: was[field], after: entry[field] });
      }
    }
  }
  for (const [termId, was] of Object.entries(old))
    if (!after.terminals[termId]) changes.push({ termId, field: '*', before: was, after: null });
  return changes;
}

/** The state after applying changes that lead to `version`. Pure and idempotent. */
export function withChanges(
  control: ConferenceControl,
  changes: readonly ControlChange[],
  version: number,
): ConferenceControl {
  if (version <= control.version) return control;
  const next = { ...control, version, terminals: { ...control.terminals } };
  for (const { termId, field, after } of changes) {
    if (termId === null) Object.assign(next, { [field]: after });
    else if (field === '*' && after === null) delete next.terminals[termId];
    else if (field === '*') next.terminals[termId] = after as TerminalControl;
    else if (next.terminals[termId]) next.terminals[termId] = { ...next.terminals[termId], [field]: after };
  }
  return next;
}

/** Fields that only make sense together: they are undone together or not at all. */
const TIED: readonly (readonly string[])[] = [
  ['mode', 'speakerId', 'polling'],
  ['chairId', 'coChairIds'],
  ['muted', 'unmuteAsked'],
];

/** Undoes the changes to all fields that still have the value the command set. Presence is not changed. */
export function takeBack(control: ConferenceControl, changes: readonly ControlChange[]): ConferenceControl {
  const settings = changes.filter(({ field }) => field !== '*' && field !== 'present');
  const isAsLeft = ({ termId, field, after }: ControlChange): boolean => {
    const holder: object | undefined = termId === null ? control : control.terminals[termId];
    return holder !== undefined && isSame(holder[field as keyof typeof holder], after);
  };
  const unitOf = ({ termId, field }: ControlChange): string =>
    `${termId} ${TIED.find((fields) => fields.includes(field))?.join(' ') ?? field}`;
  const stale = new Set(settings.filter((change) => !isAsLeft(change)).map(unitOf));
  const next = { ...control, terminals: { ...control.terminals } };
  for (const change of settings) {
    const { termId, field, before } = change;
    if (stale.has(unitOf(change))) continue;
    const entry = termId === null ? undefined : next.terminals[termId];
    if (termId === null) Object.assign(next, { [field]: before });
    else if (entry)
      next.terminals[termId] = {
        ...entry,
        [field]: before,
        ...(field === 'muted' && before === false ? { unmuteAsked: false } : {}),
      };
  }
  return withoutAbsent(next, control.chairId);
}

/**
 * Adjusts the restored state to the present: absent terminals are not put on air or in the chair again, and a round
 * that no layout shows ends.
 */
function withoutAbsent(control: ConferenceControl, chairNow: string | null): ConferenceControl {
  const isPresent = (termId: string | null): boolean => termId !== null && control.terminals[termId]?.present === true;
  const known = (termId: string | null): string | null =>
    termId !== null && control.terminals[termId] ? termId : null;
  const chairId = control.chairId === null || isPresent(control.chairId) ? control.chairId : chairNow;
  const coChairIds = control.coChairIds.filter((termId) => termId !== chairId && control.terminals[termId]);
  const { polling, mode } = control;
  const turns = polling && {
    ...polling,
    turn: polling.turn && known(polling.turn.termId) ? polling.turn : null,
    next: known(polling.next),
  };
  const kept = { ...control, chairId, coChairIds, contentLockId: known(control.contentLockId), polling: turns };
  if (mode === 'LECTURE' ? !isPresent(control.speakerId) : mode === 'POLLING' && polling === null)
    return withoutPolling(kept);
  if (mode === 'LECTURE') return kept;
  // A conference that begins in mode SPEAKER has nobody on air until its host joins.
  const isGone = mode === 'SPEAKER' && control.speakerId !== null && !isPresent(control.speakerId);
  return withPollingSeen(
    isGone
      ? { ...kept, mode: 'AUTO', speakerId: null }
      : { ...kept, speakerId: mode === 'SPEAKER' ? control.speakerId : null },
  );
}
