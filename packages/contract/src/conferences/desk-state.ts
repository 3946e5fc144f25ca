import { withChanges, ROUTINE_VERBS, UNDOABLE } from '@rmeet/conference';
import type { ControlStep, DeskEvent, DeskState, DeskTerminal, LoggedCommand } from './desk.ts';
import type { ConferenceEvent, Terminal } from './conferences.ts';

/** How many commands a desk keeps; the server's snapshot has the same number. */
const COMMANDS_KEPT = 100;

/**
 * A desk's state after one event. Pure and idempotent; parts that an event does not change stay the same objects, so
 * that views can detect changes.
 */
// oxlint-disable-next-line complexity -- one case for each event
export function applyDeskEvent(state: DeskState, event: ConferenceEvent | DeskEvent): DeskState {
  switch (event.type) {
    case 'terminalJoined':
      return withStep(withTerminal(state, event.terminal), event.step);
    case 'terminalChanged':
      return withTerminal(state, event.terminal);
    case 'deskTerminal':
      return { ...state, terminals: replace(state.terminals, event.terminal) };
    case 'terminalLeft':
      return withStep({ ...state, terminals: without(state.terminals, event.termId) }, event.step);
    case 'control':
      return withStep(state, event.step);
    case 'waitingAdded': {
      const known = state.waiting.find((each) => each.termId === event.terminal.termId);
      return { ...state, waiting: replace(state.waiting, { deviceType: 0, ...known, ...event.terminal }) };
    }
    case 'deskWaiting':
      return { ...state, waiting: replace(state.waiting, event.terminal) };
    case 'waitingRemoved':
      return { ...state, waiting: without(state.waiting, event.termId) };
    case 'inviteesChanged':
      return { ...state, invitees: event.invitees.reduce(replace, state.invitees) };
    case 'scenesChanged':
      return { ...state, scenes: event.scenes };
    case 'extended':
      return { ...state, bookedUntil: event.bookedUntil };
    case 'acknowledged':
      return { ...state, commands: withAcks(state.commands, event.acks) };
    case 'commandInput':
      return { ...state, commands: withInput(state.commands, event) };
    case 'chat':
    case 'chatDeleted':
    case 'reaction':
    case 'callsChanged':
    case 'ended':
      return state;
  }
}

/** Replaces the entry of the same termId, or appends it. */
function replace<T extends { termId: string }>(list: readonly T[], one: T): T[] {
  return list.some((each) => each.termId === one.termId)
    ? list.map((each) => (each.termId === one.termId ? one : each))
    : [...list, one];
}

function without<T extends { termId: string }>(list: T[], termId: string): T[] {
  return list.some((each) => each.termId === termId) ? list.filter((each) => each.termId !== termId) : list;
}

/** What all terminals see of a terminal, in addition to what only desks know (sent as `deskTerminal`). */
function withTerminal(state: DeskState, seen: Terminal): DeskState {
  const known = state.terminals.find((each) => each.termId === seen.termId);
  const unknown: Omit<DeskTerminal, keyof Terminal> = {
    userId: null,
    account: null,
    department: '',
    invited: true,
    cannot: {},
  };
  return { ...state, terminals: replace(state.terminals, { ...unknown, ...known, ...seen }) };
}

/** The control after a step, the present terminals and their names, and the step in the log. */
function withStep(state: DeskState, step: ControlStep): DeskState {
  const control = withChanges(state.control, step.changes, step.version);
  const isRoutine = (ROUTINE_VERBS as readonly string[]).includes(step.verb);
  const commands =
    isRoutine || state.commands.some((each) => each.commandId === step.commandId)
      ? state.commands
      : [logged(step), ...state.commands].slice(0, COMMANDS_KEPT);
  const gone = new Set(
    step.changes.flatMap(({ termId, field, after }) => (field === 'present' && after === false ? [termId] : [])),
  );
  const inside = gone.size === 0 ? state.terminals : state.terminals.filter(({ termId }) => !gone.has(termId));
  const renamed = new Map(
    step.changes.flatMap(({ termId, field, after }) =>
      termId !== null && field === 'name' ? [[termId, String(after)]] : [],
    ),
  );
  if (renamed.size === 0) return { ...state, control, commands, terminals: inside };
  const withName = (each: DeskTerminal, name: string | undefined): DeskTerminal =>
    name === undefined ? each : { ...each, name };
  return { ...state, control, commands, terminals: inside.map((each) => withName(each, renamed.get(each.termId))) };
}

/** A step before its input and its acknowledgements have arrived. */
function logged(step: ControlStep): LoggedCommand {
  return {
    ...step,
    input: {},
    acknowledgements: [],
    undoneBy: null,
    canUndo: (UNDOABLE as readonly string[]).includes(step.verb),
  };
}

function withAcks(
  commands: readonly LoggedCommand[],
  acks: Extract<DeskEvent, { type: 'acknowledged' }>['acks'],
): LoggedCommand[] {
  return commands.map((command) => {
    const fresh = acks.filter(({ commandId }) => commandId === command.commandId);
    if (fresh.length === 0) return command;
    const latest = new Map(command.acknowledgements.map((each) => [each.termId, each]));
    for (const { commandId: _, ...ack } of fresh) latest.set(ack.termId, ack);
    return { ...command, acknowledgements: [...latest.values()] };
  });
}

function withInput(
  commands: readonly LoggedCommand[],
  { commandId, input, canUndo, undoes }: Extract<DeskEvent, { type: 'commandInput' }>,
): LoggedCommand[] {
  return commands.map((command) => {
    if (command.commandId === commandId) return { ...command, input, canUndo };
    return command.commandId === undoes ? { ...command, undoneBy: commandId, canUndo: false } : command;
  });
}
