import type { ConferenceRole } from '../roles.ts';
import { bySeat, type ConferenceControl, type TerminalControl } from '../state/control.ts';
import type { ScreenLayout } from '../state/screen.ts';
import type { ConferenceCommand } from './command.ts';
import { withoutPolling } from './on-air.ts';
import { withTerminals } from './terminals.ts';

/** Present co-chairs, then present hosts, in order: the first one becomes chair when the chair leaves. */
function successor({ coChairIds, terminals }: ConferenceControl): string | null {
  const isPresent = (termId: string): boolean => terminals[termId]?.present === true;
  const hosts = bySeat(terminals).filter((termId) => terminals[termId]?.role === 'host');
  return [...coChairIds, ...hosts].find(isPresent) ?? null;
}

export function arrive(
  control: ConferenceControl,
  { termId, name, role, previousTermId }: Extract<ConferenceCommand, { verb: 'arrive' }>,
): ConferenceControl {
  const { [termId]: own, ...others } = control.terminals;
  const earlier = own ?? (previousTermId === null ? undefined : others[previousTermId]);
  const seat = own?.seat ?? Math.max(0, ...Object.values(others).map((other) => other.seat)) + 1;
  const entry: TerminalControl = {
    muted: role !== 'host' && control.muteOnEntry,
    unmuteAsked: false,
    cameraOff: false,
    volume: 100,
    maxHeight: null,
    top: false,
    contentOff: false,
    contentAsked: false,
    layout: null,
    banner: null,
    ...earlier,
    name,
    role,
    present: true,
    seat,
  };
  const next = { ...control, terminals: { ...control.terminals, [termId]: entry } };
  const settled =
    !own && previousTermId !== null && earlier && !earlier.present
      ? inTheirPlace(next, previousTermId, termId, role)
      : next;
  const seen =
    settled.mode === 'SPEAKER' && settled.speakerId === null && role === 'host'
      ? { ...settled, speakerId: termId }
      : settled;
  if (seen.chairId !== null || role !== 'host') return seen;
  return { ...seen, chairId: termId, coChairIds: seen.coChairIds.filter((id) => id !== termId) };
}

/**
 * Removes an ended presence once a newer presence of the same person has taken over its settings. Guests are identified
 * by marks that their browsers create. That is enough to keep them held, but not to make them co-chair.
 */
function inTheirPlace(
  control: ConferenceControl,
  previousTermId: string,
  termId: string,
  role: ConferenceRole,
): ConferenceControl {
  const { [previousTermId]: _, ...terminals } = control.terminals;
  const order = control.order.map((id) => (id === previousTermId ? termId : id));
  const coChairIds = control.coChairIds.flatMap((id) =>
    id !== previousTermId ? [id] : role === 'guest' ? [] : [termId],
  );
  const contentLockId = control.contentLockId === previousTermId ? termId : control.contentLockId;
  return withNewId({ ...control, terminals, order, coChairIds, contentLockId }, previousTermId, termId);
}

/** Gives the new termId of a rejoining person the seat, turn, mark and speaking time of the old one. */
function withNewId(control: ConferenceControl, old: string, termId: string): ConferenceControl {
  const { polling, rollCall, timer } = control;
  const renamed = <T extends string | null>(id: T): T | string => (id === old ? termId : id);
  const withSeat = (layout: ScreenLayout): ScreenLayout =>
    layout.seats.some(({ source }) => source === old)
      ? { ...layout, seats: layout.seats.map(({ seat, source }) => ({ seat, source: renamed(source) })) }
      : layout;
  const terminals = Object.entries(control.terminals).map(
    ([id, entry]) => [id, entry.layout ? { ...entry, layout: withSeat(entry.layout) } : entry] as const,
  );
  const turns = polling && {
    ...polling,
    termIds: polling.termIds.map(renamed),
    turn: polling.turn && { ...polling.turn, termId: renamed(polling.turn.termId) },
    next: renamed(polling.next),
    resumes: { ...polling.resumes, speakerId: renamed(polling.resumes.speakerId) },
  };
  const entries = rollCall?.entries.map((entry) => (entry.termId === old ? { ...entry, termId } : entry)) ?? [];
  return {
    ...control,
    layout: withSeat(control.layout),
    terminals: Object.fromEntries(terminals),
    polling: turns,
    rollCall: rollCall && { ...rollCall, entries, currentId: renamed(rollCall.currentId) },
    timer: timer && { ...timer, termId: renamed(timer.termId) },
  };
}

/** Terminals that leave go off air, and the chair passes on. Their own settings are kept for when they return. */
export function depart(control: ConferenceControl, ids: readonly string[]): ConferenceControl {
  let next = withTerminals(control, ids, { present: false, unmuteAsked: false, contentAsked: false });
  if (next.mode === 'LECTURE' && next.speakerId !== null && ids.includes(next.speakerId)) next = withoutPolling(next);
  if (next.speakerId !== null && ids.includes(next.speakerId))
    next = { ...next, speakerId: null, mode: next.mode === 'SPEAKER' ? 'AUTO' : next.mode };
  if (next.chairId === null || !ids.includes(next.chairId)) return next;
  const chairId = successor({ ...next, coChairIds: next.coChairIds.filter((id) => !ids.includes(id)) });
  return { ...next, chairId, coChairIds: next.coChairIds.filter((id) => id !== chairId) };
}

/** Changes the roles of terminals. A terminal that is no longer host loses the chair; a new host takes a free chair. */
export function withRoles(
  control: ConferenceControl,
  roles: Readonly<Record<string, TerminalControl['role']>>,
): ConferenceControl {
  let next = control;
  for (const [termId, role] of Object.entries(roles)) next = withTerminals(next, [termId], { role });
  const { chairId } = next;
  const isHost = (termId: string): boolean => next.terminals[termId]?.role === 'host';
  const chairedBy = (nextId: string | null): ConferenceControl => ({
    ...next,
    chairId: nextId,
    coChairIds: next.coChairIds.filter((id) => id !== nextId),
  });
  if (chairId === null)
    return chairedBy(Object.keys(roles).find((termId) => isHost(termId) && next.terminals[termId]?.present) ?? null);
  return isHost(chairId) || control.terminals[chairId]?.role !== 'host' ? next : chairedBy(successor(next));
}
