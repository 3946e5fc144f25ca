import { onAir, seatsPolling, withMode, withMuted, withTerminals } from './apply-basics.ts';
import { applyProceeding, withoutPolling } from './apply-proceedings.ts';
import { bySeat, type ConferenceControl, type ControlChange, type TerminalControl } from '../state/control.ts';
import { layoutWithin, SEAT_SOURCES, seatsWithin, withModel, type ScreenLayout } from '../state/screen.ts';
import type { ConferenceRole } from '../roles.ts';
import type { ConferenceCommand } from './command.ts';

/** Co-chairs that are inside, then hosts that are inside, in order: the first one chairs when the chair leaves. */
function successor({ coChairIds, terminals }: ConferenceControl): string | null {
  const isPresent = (termId: string): boolean => terminals[termId]?.present === true;
  const hosts = bySeat(terminals).filter((termId) => terminals[termId]?.role === 'host');
  return [...coChairIds, ...hosts].find(isPresent) ?? null;
}

function arrive(
  control: ConferenceControl,
  { termId, name, role, heir }: Extract<ConferenceCommand, { verb: 'arrive' }>,
): ConferenceControl {
  const { [termId]: own, ...others } = control.terminals;
  const earlier = own ?? (heir === null ? undefined : others[heir]);
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
  const settled = !own && heir !== null && earlier && !earlier.present ? inTheirPlace(next, heir, termId, role) : next;
  const seen =
    settled.mode === 'SPEAKER' && settled.speakerId === null && role === 'host'
      ? { ...settled, speakerId: termId }
      : settled;
  if (seen.chairId !== null || role !== 'host') return seen;
  return { ...seen, chairId: termId, coChairIds: seen.coChairIds.filter((id) => id !== termId) };
}

/**
 * A presence that is over is forgotten once another one of the same person goes on with what it had. Guests are known
 * by marks their browsers make, which is enough to keep them held, but not to make them co-chair.
 */
function inTheirPlace(
  control: ConferenceControl,
  heir: string,
  termId: string,
  role: ConferenceRole,
): ConferenceControl {
  const { [heir]: _, ...terminals } = control.terminals;
  const order = control.order.map((id) => (id === heir ? termId : id));
  const coChairIds = control.coChairIds.flatMap((id) => (id !== heir ? [id] : role === 'guest' ? [] : [termId]));
  const contentLockId = control.contentLockId === heir ? termId : control.contentLockId;
  return withNewId({ ...control, terminals, order, coChairIds, contentLockId }, heir, termId);
}

/** Whoever comes back by another termId has the seat, the turn, the mark and the time they had. */
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

/** Whoever leaves is off the air, and the chair passes on. Its own settings stay for when it comes back. */
function depart(control: ConferenceControl, ids: readonly string[]): ConferenceControl {
  let next = withTerminals(control, ids, { present: false, unmuteAsked: false, contentAsked: false });
  if (next.mode === 'LECTURE' && next.speakerId !== null && ids.includes(next.speakerId)) next = withoutPolling(next);
  if (next.speakerId !== null && ids.includes(next.speakerId))
    next = { ...next, speakerId: null, mode: next.mode === 'SPEAKER' ? 'AUTO' : next.mode };
  if (next.chairId === null || !ids.includes(next.chairId)) return next;
  const chairId = successor({ ...next, coChairIds: next.coChairIds.filter((id) => !ids.includes(id)) });
  return { ...next, chairId, coChairIds: next.coChairIds.filter((id) => id !== chairId) };
}

/** Terminals with other roles. Who is host no more holds the chair no longer, and a host takes one that is free. */
function withRoles(
  control: ConferenceControl,
  roles: Readonly<Record<string, TerminalControl['role']>>,
): ConferenceControl {
  let next = control;
  for (const [termId, role] of Object.entries(roles)) next = withTerminals(next, [termId], { role });
  const { chairId } = next;
  const isHost = (termId: string): boolean => next.terminals[termId]?.role === 'host';
  const chairedBy = (heir: string | null): ConferenceControl => ({
    ...next,
    chairId: heir,
    coChairIds: next.coChairIds.filter((id) => id !== heir),
  });
  if (chairId === null)
    return chairedBy(Object.keys(roles).find((termId) => isHost(termId) && next.terminals[termId]?.present) ?? null);
  return isHost(chairId) || control.terminals[chairId]?.role !== 'host' ? next : chairedBy(successor(next));
}

/** Who sits where, in the layout of all or of one terminal (whose own one begins as the common one). */
function withSeats(
  control: ConferenceControl,
  { termId, seats }: Extract<ConferenceCommand, { verb: 'seats' }>,
): ConferenceControl {
  const layout = (termId === null ? null : control.terminals[termId]?.layout) ?? control.layout;
  const seated = { ...layout, seats: seatsWithin(layout, seats) };
  return termId === null ? { ...control, layout: seated } : withTerminals(control, [termId], { layout: seated });
}

/** A round that no seat shows any more, and that is not on air, is over. */
function withPollingSeen(control: ConferenceControl): ConferenceControl {
  const isShown = control.mode === 'POLLING' || control.mode === 'LECTURE' || seatsPolling(control);
  return control.polling === null || isShown ? control : withoutPolling(control);
}

/**
 * Everything a scene holds; polling ends with it. Whoever is not inside is not put on air, and no seat and no content
 * is kept for terminals of another time, which would stay empty for good.
 */
function withScene(
  control: ConferenceControl,
  { muted, mode, speakerId, layout, ...settings }: Extract<ConferenceCommand, { verb: 'scene' }>['settings'],
): ConferenceControl {
  const isKnown = (termId: string): boolean => control.terminals[termId] !== undefined;
  const isInside = speakerId !== null && control.terminals[speakerId]?.present === true;
  const seats = layout.seats.filter(
    ({ source }) => (SEAT_SOURCES as readonly string[]).includes(source) || isKnown(source),
  );
  let next: ConferenceControl = {
    ...control,
    ...settings,
    layout: layoutWithin({ ...layout, seats }),
    contentLockId: settings.contentLockId !== null && isKnown(settings.contentLockId) ? settings.contentLockId : null,
    polling: null,
    mode: mode === 'SPEAKER' && !isInside ? 'AUTO' : mode,
    speakerId: mode === 'SPEAKER' && isInside ? speakerId : null,
  };
  for (const [termId, held] of Object.entries(muted))
    if (next.terminals[termId] && next.terminals[termId].muted !== held) next = withMuted(next, [termId], held);
  return next;
}

/** The control after a command. Verbs that change nothing but people's presence or the meeting leave it as it is. */
export function applyCommand(control: ConferenceControl, command: ConferenceCommand): ConferenceControl {
  return { ...applyVerb(control, command), version: control.version + 1 };
}

function applyVerb(control: ConferenceControl, command: ConferenceCommand): ConferenceControl {
  switch (command.verb) {
    case 'arrive':
      return arrive(control, command);
    case 'depart':
    case 'remove':
    case 'sendBack':
      return depart(control, command.termIds);
    case 'mute':
      return withMuted(control, command.termIds, command.muted);
    case 'muteAll': {
      const { except, muted, allowSelfUnmute } = command;
      const next = withMuted(
        control,
        Object.keys(control.terminals).filter((termId) => !except.includes(termId)),
        muted,
      );
      // Whoever may not unmute must not get around it by coming in anew.
      const strict = allowSelfUnmute === null ? {} : { allowSelfUnmute, muteOnEntry: muted && !allowSelfUnmute };
      return { ...next, ...(muted ? strict : { muteOnEntry: false }) };
    }
    case 'askUnmute':
      return withTerminals(control, command.termIds, { unmuteAsked: true });
    case 'selfUnmute':
      return withMuted(control, [command.termId], false);
    case 'camera':
      return withTerminals(control, command.termIds, { cameraOff: !command.open });
    case 'volume':
      return withTerminals(control, [command.termId], { volume: command.volume });
    case 'limitVideo':
      return withTerminals(control, command.termIds, { maxHeight: command.maxHeight });
    case 'entry': {
      const {
        muteOnEntry = control.muteOnEntry,
        allowSelfUnmute = control.allowSelfUnmute,
        waitingRoom = control.waitingRoom,
      } = command;
      return { ...control, muteOnEntry, allowSelfUnmute, waitingRoom };
    }
    case 'chairman':
      return {
        ...control,
        chairId: command.termId,
        coChairIds: control.coChairIds.filter((id) => id !== command.termId),
      };
    case 'coChairs': {
      const others = control.coChairIds.filter((id) => !command.termIds.includes(id));
      return {
        ...control,
        coChairIds: command.appoint ? [...others, ...command.termIds.filter((id) => id !== control.chairId)] : others,
      };
    }
    case 'speaker':
      return onAir(control, command.termId);
    case 'mode':
      return withMode(control, command.mode, command.mode === 'SPEAKER' ? command.termId : null);
    case 'lock':
      return { ...control, locked: command.locked };
    case 'rename':
      return withTerminals(control, [command.termId], { name: command.name });
    case 'top':
      return withTerminals(control, [command.termId], { top: command.top });
    case 'sort':
      return { ...control, order: command.termIds };
    case 'grant':
      return withRoles(control, command.roles);
    case 'undo':
      return takeBack(control, command.changes);
    case 'layout': {
      const { model, places, pollingSeat, allowOwnLayout = control.allowOwnLayout } = command;
      return withPollingSeen({
        ...control,
        layout: withModel(control.layout, model, places, pollingSeat),
        allowOwnLayout,
      });
    }
    case 'seats':
      return withPollingSeen(withSeats(control, command));
    case 'terminalLayout':
      return withPollingSeen(
        withTerminals(control, [command.termId], { layout: command.layout && layoutWithin(command.layout) }),
      );
    case 'window':
      return { ...control, window: command.position };
    case 'contentLock':
      return { ...control, contentLockId: command.termId };
    case 'dualStream':
      return withTerminals(control, [command.termId], { contentOff: !command.open, contentAsked: command.open });
    case 'banner':
      return command.termId === null
        ? { ...control, banner: command.banner }
        : withTerminals(control, [command.termId], { banner: command.banner });
    case 'scene':
      return withScene(control, command.settings);
    case 'moveZone':
    case 'reset':
      return { ...control, generation: control.generation + 1 };
    case 'polling':
    case 'broadcastPolling':
    case 'pollingTime':
    case 'pollingTurn':
    case 'giveFloor':
    case 'timer':
    case 'timerChange':
    case 'timerStop':
    case 'rollCall':
    case 'callUp':
    case 'rollMark':
    case 'rollCallEnd':
    case 'vote':
    case 'voteCount':
    case 'voteClose':
    case 'voteDismiss':
      return applyProceeding(control, command);
    case 'lowerHands':
    case 'admit':
    case 'refuse':
    case 'call':
    case 'extend':
    case 'end':
      return control;
  }
}

/** Keys in one order: what comes from storage has them in another. */
const sorted = (_: string, value: unknown): unknown =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
    ? Object.fromEntries(Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1)))
    : value;
const isSame = (a: unknown, b: unknown): boolean => a === b || JSON.stringify(a, sorted) === JSON.stringify(b, sorted);

/** What differs between two states, `version` aside. */
export function controlChanges(before: ConferenceControl, after: ConferenceControl): ControlChange[] {
  const changes: ControlChange[] = [];
  const { terminals: old, version: _, ...rest } = before;
  for (const field of Object.keys(rest) as (keyof typeof rest)[]) {
    if (!isSame(before[field], after[field]))
      changes.push({ termId: null, field, before: before[field], after: after[field] });
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

/** The state after changes that were made to `version`. Pure, and safe to repeat. */
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

/** Fields that only make sense together: they are taken back together or not at all. */
const TIED: readonly (readonly string[])[] = [
  ['mode', 'speakerId', 'polling'],
  ['chairId', 'coChairIds'],
  ['muted', 'unmuteAsked'],
];

/** Puts back what is still as the command left it. Who is there, and who came and went meanwhile, stays. */
function takeBack(control: ConferenceControl, changes: readonly ControlChange[]): ConferenceControl {
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
 * What was put back as it can be now: nobody who has left is on air or in the chair again, and a round is seen or over.
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
  // A conference that begins with SPEAKER has nobody on air until its host comes.
  const isGone = mode === 'SPEAKER' && control.speakerId !== null && !isPresent(control.speakerId);
  return withPollingSeen(
    isGone
      ? { ...kept, mode: 'AUTO', speakerId: null }
      : { ...kept, speakerId: mode === 'SPEAKER' ? control.speakerId : null },
  );
}
