import { z } from 'zod';
import { CONFERENCE_TEMPLATES, type Meeting } from './meeting-types.ts';
import { CONFERENCE_ROLES, type ConferenceRight, type ConferenceRole } from './conference-roles.ts';

/**
 * The control state of a running conference and the commands that change it. Everything in this file is pure: the
 * server decides with it, desks and terminals follow with it, and replaying the stored commands gives the same state.
 */

/** Who is on air: `AUTO` whoever speaks, `SPEAKER` the named terminal, `EQUAL` nobody above the others. */
export const CONFERENCE_MODES = ['AUTO', 'SPEAKER', 'EQUAL'] as const;
export type ConferenceMode = (typeof CONFERENCE_MODES)[number];

/** How the chair has set one terminal. It outlives a lost connection: who comes back finds it as it was. */
export const terminalControl = z.object({
  name: z.string(),
  role: z.enum(CONFERENCE_ROLES),
  /** Inside now. */
  present: z.boolean(),
  /** Counts arrivals: the order they came in. */
  seat: z.number().int(),
  /** The microphone is held: the engine takes no sound from this terminal. */
  muted: z.boolean(),
  /** It was asked to unmute, whether it is held or has its own microphone off, and may do so. */
  unmuteAsked: z.boolean(),
  /** The camera is held: the engine takes no picture from its camera. */
  cameraOff: z.boolean(),
  /** 0-100, applied where its audio is played or mixed. */
  volume: z.number().int().min(0).max(100),
  /** Tallest picture its camera may send, in lines; null for no limit. */
  maxHeight: z.number().int().nullable(),
  top: z.boolean(),
});
export type TerminalControl = z.infer<typeof terminalControl>;

export const conferenceControl = z.object({
  /** Counts the commands applied. */
  version: z.number().int(),
  mode: z.enum(CONFERENCE_MODES),
  /** On air while the mode is SPEAKER. */
  speakerId: z.string().nullable(),
  chairId: z.string().nullable(),
  /** In the order they were named; the first one present follows when the chair leaves. */
  coChairIds: z.array(z.string()),
  locked: z.boolean(),
  muteOnEntry: z.boolean(),
  allowSelfUnmute: z.boolean(),
  /** Everybody but host and stand-ins waits to be let in; null as the meeting was booked. */
  waitingRoom: z.boolean().nullable(),
  /** termIds as the chair has sorted them; those not named follow as they came. */
  order: z.array(z.string()),
  terminals: z.record(z.string(), terminalControl),
});
export type ConferenceControl = z.infer<typeof conferenceControl>;

export const NO_CONTROL: ConferenceControl = {
  version: 0, mode: 'AUTO', speakerId: null, chairId: null, coChairIds: [], locked: false, muteOnEntry: false, allowSelfUnmute: true,
  waitingRoom: null, order: [], terminals: {},
};

/** The control a conference begins with, as its meeting was booked. With the mode SPEAKER whoever of the hosts comes first is on air. */
export function beginningControl({ muteOnEntry, template }: Pick<Meeting, 'muteOnEntry' | 'template'>): ConferenceControl {
  const mode = CONFERENCE_TEMPLATES.find(({ id }) => id === template)?.mode ?? NO_CONTROL.mode;
  return { ...NO_CONTROL, muteOnEntry, mode };
}

/** One field that a command changed; of a terminal, or of the conference where `termId` is null. Field `*`: a terminal's whole entry, null where there is none. */
export const controlChange = z.object({ termId: z.string().nullable(), field: z.string(), before: z.unknown(), after: z.unknown() });
export type ControlChange = z.infer<typeof controlChange>;

const termIds = z.array(z.string().max(40)).max(1_000);

/** What can be commanded. `arrive`, `depart` are the server's own. */
export const conferenceCommand = z.discriminatedUnion('verb', [
  /** `heir`: the earlier termId of the same person, whose holds go on. */
  z.object({ verb: z.literal('arrive'), termId: z.string(), name: z.string(), role: z.enum(CONFERENCE_ROLES), heir: z.string().nullable() }),
  z.object({ verb: z.literal('depart'), termIds }),
  z.object({ verb: z.literal('mute'), termIds, muted: z.boolean() }),
  z.object({ verb: z.literal('muteAll'), muted: z.boolean(), except: termIds, allowSelfUnmute: z.boolean().nullable() }),
  z.object({ verb: z.literal('askUnmute'), termIds }),
  /** By the terminal itself. */
  z.object({ verb: z.literal('selfUnmute'), termId: z.string() }),
  z.object({ verb: z.literal('camera'), termIds, open: z.boolean() }),
  z.object({ verb: z.literal('volume'), termId: z.string(), volume: z.number().int().min(0).max(100) }),
  z.object({ verb: z.literal('limitVideo'), termIds, maxHeight: z.number().int().nullable() }),
  z.object({ verb: z.literal('entry'), muteOnEntry: z.boolean().optional(), allowSelfUnmute: z.boolean().optional(), waitingRoom: z.boolean().optional() }),
  z.object({ verb: z.literal('chairman'), termId: z.string().nullable() }),
  z.object({ verb: z.literal('coChairs'), termIds, appoint: z.boolean() }),
  z.object({ verb: z.literal('speaker'), termId: z.string().nullable() }),
  z.object({ verb: z.literal('mode'), mode: z.enum(CONFERENCE_MODES), termId: z.string().nullable() }),
  z.object({ verb: z.literal('lock'), locked: z.boolean() }),
  z.object({ verb: z.literal('rename'), termId: z.string(), name: z.string() }),
  z.object({ verb: z.literal('top'), termId: z.string(), top: z.boolean() }),
  z.object({ verb: z.literal('sort'), termIds }),
  z.object({ verb: z.literal('admit'), termIds }),
  z.object({ verb: z.literal('refuse'), termIds, reason: z.string() }),
  z.object({ verb: z.literal('sendBack'), termIds }),
  z.object({ verb: z.literal('remove'), termIds, canReturn: z.boolean() }),
  z.object({ verb: z.literal('call'), targets: termIds }),
  z.object({ verb: z.literal('extend'), minutes: z.number().int() }),
  /** `roles`: what the terminals of these people are from now on, by termId. */
  z.object({ verb: z.literal('grant'), userIds: z.array(z.uuid()), granted: z.boolean(), roles: z.record(z.string(), z.enum(CONFERENCE_ROLES)) }),
  z.object({ verb: z.literal('end') }),
  /** Takes a command back where nothing has changed since. */
  z.object({ verb: z.literal('undo'), commandId: z.uuid(), changes: z.array(controlChange) }),
]);
export type ConferenceCommand = z.infer<typeof conferenceCommand>;
export type ConferenceVerb = ConferenceCommand['verb'];

/** The right of the role matrix that each verb asks for; null for the server's own. */
export const VERB_RIGHTS: Record<ConferenceVerb, ConferenceRight | null> = {
  arrive: null, depart: null, mute: 'control', muteAll: 'control', askUnmute: 'control', selfUnmute: 'ownMedia', camera: 'control', volume: 'control',
  limitVideo: 'control', entry: 'control', chairman: 'handOverChair', coChairs: 'handOverChair', speaker: 'control', mode: 'control', lock: 'lock',
  rename: 'control', top: 'control', sort: 'control', admit: 'admit', refuse: 'admit', sendBack: 'admit', remove: 'control', call: 'control',
  extend: 'control', grant: 'grant', end: 'end', undo: 'control',
};

/** Verbs that can be taken back by `undo`. */
export const UNDOABLE: readonly ConferenceVerb[] = [
  'mute', 'muteAll', 'camera', 'volume', 'limitVideo', 'entry', 'chairman', 'coChairs', 'speaker', 'mode', 'lock', 'rename', 'top', 'sort',
];

/** termIds in the order they came; stored JSON keeps no order of keys. */
function bySeat(terminals: ConferenceControl['terminals']): string[] {
  return Object.keys(terminals).toSorted((a, b) => (terminals[a]?.seat ?? 0) - (terminals[b]?.seat ?? 0));
}

/** Co-chairs that are inside, then hosts that are inside, in order: the first one chairs when the chair leaves. */
function successor({ coChairIds, terminals }: ConferenceControl): string | null {
  const isPresent = (termId: string): boolean => terminals[termId]?.present === true;
  const hosts = bySeat(terminals).filter((termId) => terminals[termId]?.role === 'host');
  return [...coChairIds, ...hosts].find(isPresent) ?? null;
}

/** The control with some terminals changed; ids that are not known are passed over. */
function withTerminals(control: ConferenceControl, ids: readonly string[], change: Partial<TerminalControl>): ConferenceControl {
  const terminals = { ...control.terminals };
  for (const termId of ids) if (terminals[termId]) terminals[termId] = { ...terminals[termId], ...change };
  return { ...control, terminals };
}

function withMuted(control: ConferenceControl, ids: readonly string[], muted: boolean): ConferenceControl {
  return withTerminals(control, ids, { muted, unmuteAsked: false });
}

function arrive(control: ConferenceControl, { termId, name, role, heir }: Extract<ConferenceCommand, { verb: 'arrive' }>): ConferenceControl {
  const { [termId]: own, ...others } = control.terminals;
  const earlier = own ?? (heir === null ? undefined : others[heir]);
  const seat = own?.seat ?? Math.max(0, ...Object.values(others).map((other) => other.seat)) + 1;
  const entry: TerminalControl = {
    muted: role !== 'host' && control.muteOnEntry, unmuteAsked: false, cameraOff: false, volume: 100, maxHeight: null, top: false,
    ...earlier, name, role, present: true, seat,
  };
  const next = { ...control, terminals: { ...control.terminals, [termId]: entry } };
  const settled = !own && heir !== null && earlier && !earlier.present ? inTheirPlace(next, heir, termId, role) : next;
  const seen = settled.mode === 'SPEAKER' && settled.speakerId === null && role === 'host' ? { ...settled, speakerId: termId } : settled;
  if (seen.chairId !== null || role !== 'host') return seen;
  return { ...seen, chairId: termId, coChairIds: seen.coChairIds.filter((id) => id !== termId) };
}

/**
 * A presence that is over is forgotten once another one of the same person goes on with what it had. Guests are known by
 * marks their browsers make, which is enough to keep them held, but not to make them co-chair.
 */
function inTheirPlace(control: ConferenceControl, heir: string, termId: string, role: ConferenceRole): ConferenceControl {
  const { [heir]: _, ...terminals } = control.terminals;
  const order = control.order.map((id) => (id === heir ? termId : id));
  const coChairIds = control.coChairIds.flatMap((id) => (id !== heir ? [id] : role === 'guest' ? [] : [termId]));
  return { ...control, terminals, order, coChairIds };
}

/** Whoever leaves is off the air, and the chair passes on. Its own settings stay for when it comes back. */
function depart(control: ConferenceControl, ids: readonly string[]): ConferenceControl {
  let next = withTerminals(control, ids, { present: false, unmuteAsked: false });
  if (next.speakerId !== null && ids.includes(next.speakerId)) next = { ...next, speakerId: null, mode: next.mode === 'SPEAKER' ? 'AUTO' : next.mode };
  if (next.chairId === null || !ids.includes(next.chairId)) return next;
  const chairId = successor({ ...next, coChairIds: next.coChairIds.filter((id) => !ids.includes(id)) });
  return { ...next, chairId, coChairIds: next.coChairIds.filter((id) => id !== chairId) };
}

/** Terminals with other roles. Who is host no more holds the chair no longer, and a host takes one that is free. */
function withRoles(control: ConferenceControl, roles: Readonly<Record<string, TerminalControl['role']>>): ConferenceControl {
  let next = control;
  for (const [termId, role] of Object.entries(roles)) next = withTerminals(next, [termId], { role });
  const { chairId } = next;
  const isHost = (termId: string): boolean => next.terminals[termId]?.role === 'host';
  if (chairId === null) return { ...next, chairId: Object.keys(roles).find((termId) => isHost(termId) && next.terminals[termId]?.present) ?? null };
  if (isHost(chairId) || control.terminals[chairId]?.role !== 'host') return next;
  const heir = successor(next);
  return { ...next, chairId: heir, coChairIds: next.coChairIds.filter((id) => id !== heir) };
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
      const next = withMuted(control, Object.keys(control.terminals).filter((termId) => !except.includes(termId)), muted);
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
      const { muteOnEntry = control.muteOnEntry, allowSelfUnmute = control.allowSelfUnmute, waitingRoom = control.waitingRoom } = command;
      return { ...control, muteOnEntry, allowSelfUnmute, waitingRoom };
    }
    case 'chairman':
      return { ...control, chairId: command.termId, coChairIds: control.coChairIds.filter((id) => id !== command.termId) };
    case 'coChairs': {
      const others = control.coChairIds.filter((id) => !command.termIds.includes(id));
      return { ...control, coChairIds: command.appoint ? [...others, ...command.termIds.filter((id) => id !== control.chairId)] : others };
    }
    case 'speaker':
      return { ...control, speakerId: command.termId, mode: command.termId === null ? 'AUTO' : 'SPEAKER' };
    case 'mode':
      return { ...control, mode: command.mode, speakerId: command.mode === 'SPEAKER' ? command.termId : null };
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
    case 'admit':
    case 'refuse':
    case 'call':
    case 'extend':
    case 'end':
      return control;
  }
}

const isSame = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b);

/** What differs between two states, `version` aside. */
export function controlChanges(before: ConferenceControl, after: ConferenceControl): ControlChange[] {
  const changes: ControlChange[] = [];
  const { terminals: old, version: _, ...rest } = before;
  for (const field of Object.keys(rest) as (keyof typeof rest)[]) {
    if (!isSame(before[field], after[field])) changes.push({ termId: null, field, before: before[field], after: after[field] });
  }
  for (const [termId, entry] of Object.entries(after.terminals)) {
    const was = old[termId];
    if (!was) changes.push({ termId, field: '*', before: null, after: entry });
    else if (was !== entry) {
      for (const field of Object.keys(entry) as (keyof TerminalControl)[]) {
        if (was[field] !== entry[field]) changes.push({ termId, field, before: was[field], after: entry[field] });
      }
    }
  }
  for (const [termId, was] of Object.entries(old)) if (!after.terminals[termId]) changes.push({ termId, field: '*', before: was, after: null });
  return changes;
}

/** The state after changes that were made to `version`. Pure, and safe to repeat. */
export function withChanges(control: ConferenceControl, changes: readonly ControlChange[], version: number): ConferenceControl {
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
const TIED: readonly (readonly string[])[] = [['mode', 'speakerId'], ['chairId', 'coChairIds'], ['muted', 'unmuteAsked']];

/** Puts back what is still as the command left it. Who is there, and who came and went meanwhile, stays. */
function takeBack(control: ConferenceControl, changes: readonly ControlChange[]): ConferenceControl {
  const settings = changes.filter(({ field }) => field !== '*' && field !== 'present');
  const isAsLeft = ({ termId, field, after }: ControlChange): boolean => {
    const holder: object | undefined = termId === null ? control : control.terminals[termId];
    return holder !== undefined && isSame(holder[field as keyof typeof holder], after);
  };
  const unitOf = ({ termId, field }: ControlChange): string => `${termId} ${TIED.find((fields) => fields.includes(field))?.join(' ') ?? field}`;
  const stale = new Set(settings.filter((change) => !isAsLeft(change)).map(unitOf));
  const next = { ...control, terminals: { ...control.terminals } };
  for (const change of settings) {
    const { termId, field, before } = change;
    if (stale.has(unitOf(change))) continue;
    const entry = termId === null ? undefined : next.terminals[termId];
    if (termId === null) Object.assign(next, { [field]: before });
    else if (entry) next.terminals[termId] = { ...entry, [field]: before, ...(field === 'muted' && before === false ? { unmuteAsked: false } : {}) };
  }
  return withoutAbsent(next, control.chairId);
}

/** What was put back as it can be now: nobody who has left is on air or in the chair again. */
function withoutAbsent(control: ConferenceControl, chairNow: string | null): ConferenceControl {
  const isPresent = (termId: string | null): boolean => termId !== null && control.terminals[termId]?.present === true;
  const speakerId = control.mode === 'SPEAKER' && isPresent(control.speakerId) ? control.speakerId : null;
  const chairId = control.chairId === null || isPresent(control.chairId) ? control.chairId : chairNow;
  return {
    ...control, speakerId, mode: control.mode === 'SPEAKER' && speakerId === null ? 'AUTO' : control.mode,
    chairId, coChairIds: control.coChairIds.filter((termId) => termId !== chairId && control.terminals[termId]),
  };
}

/** termIds of those inside as lists show them: kept on top, then as sorted, then as they came. */
export function controlOrder({ order, terminals }: ConferenceControl): string[] {
  const place = new Map(order.map((termId, at) => [termId, at]));
  const inside = bySeat(terminals).filter((termId) => terminals[termId]?.present);
  const came = new Map(inside.map((termId, at) => [termId, at]));
  const rank = (termId: string): [number, number, number] => [terminals[termId]?.top ? 0 : 1, place.get(termId) ?? Infinity, came.get(termId) ?? 0];
  return inside.toSorted((a, b) => {
    const [x, y] = [rank(a), rank(b)];
    return x[0] - y[0] || (x[1] === y[1] ? x[2] - y[2] : x[1] - y[1]);
  });
}
