import { onAir, seatsPolling, withMuted } from './apply-basics.ts';
import type { ConferenceControl } from '../state/control.ts';
import type { ChosenMode } from '../state/modes.ts';
import {
  changedTimer,
  nextInRoll,
  type Polling,
  type PollingSettings,
  type RollCall,
  type SpeakingTimer,
} from '../state/proceedings.ts';
import type { ConferenceCommand } from './command.ts';

type Proceeding = Extract<
  ConferenceCommand,
  {
    verb:
      | 'polling'
      | 'broadcastPolling'
      | 'pollingTime'
      | 'pollingTurn'
      | 'giveFloor'
      | 'timer'
      | 'timerChange'
      | 'timerStop'
      | 'rollCall'
      | 'callUp'
      | 'rollMark'
      | 'rollCallEnd'
      | 'vote'
      | 'voteCount'
      | 'voteClose'
      | 'voteDismiss';
  }
>;

/** Who is on air by the chair's choice, now or before polling took it. */
function chosen({ mode, speakerId, polling }: ConferenceControl): { mode: ChosenMode; speakerId: string | null } {
  return mode === 'POLLING' || mode === 'LECTURE'
    ? (polling?.resumes ?? { mode: 'AUTO', speakerId: null })
    : { mode, speakerId };
}

/** Polling is over, and on air is who was before, if still inside. */
export function withoutPolling(control: ConferenceControl): ConferenceControl {
  const { mode, speakerId } = chosen(control);
  const isGone = mode === 'SPEAKER' && (speakerId === null || control.terminals[speakerId]?.present !== true);
  return { ...control, polling: null, ...(isGone ? { mode: 'AUTO' as const, speakerId: null } : { mode, speakerId }) };
}

/** Begins with nobody's turn; the server gives the first one at once. With other settings the present turn goes on. */
function withPolling(
  control: ConferenceControl,
  settings: PollingSettings,
  lectureId: string | null,
  at: string,
): ConferenceControl {
  const resumes = chosen(control);
  const turns = control.polling ?? { turn: null, next: null, switchAt: null };
  const { turn, next } = turns;
  // Whoever was held by a pause has a whole turn once it is over.
  const goesOn =
    control.polling?.isPaused === true && turn !== null ? { ...turns, turn: { ...turn, since: at } } : turns;
  const switchAt = settings.isPaused ? null : switchOf(goesOn, settings.seconds);
  const polling = { ...settings, turn, next, switchAt, resumes };
  if (lectureId !== null) return { ...control, polling, mode: 'LECTURE', speakerId: lectureId };
  // On air, unless the round has a seat of its own. What was chosen when it began stays.
  if (control.polling && control.mode !== 'LECTURE') return { ...control, polling };
  return seatsPolling(control)
    ? { ...withoutPolling(control), polling }
    : { ...control, polling, mode: 'POLLING', speakerId: null };
}

/** When the turn that runs is over, if somebody follows. */
function switchOf(
  { turn, next, switchAt }: Pick<Polling, 'turn' | 'next' | 'switchAt'>,
  seconds: number,
): string | null {
  if (turn === null || next === null) return switchAt;
  return new Date(Date.parse(turn.since) + seconds * 1_000).toISOString();
}

function broadcast(control: ConferenceControl, on: boolean): ConferenceControl {
  if (control.polling === null) return control;
  if (on)
    return { ...control, mode: 'POLLING', speakerId: null, polling: { ...control.polling, resumes: chosen(control) } };
  if (control.mode !== 'POLLING') return control;
  const off = withoutPolling(control);
  return seatsPolling(control) ? { ...off, polling: control.polling } : off;
}

/** A roll call with somebody called up, who is on air; nobody where it is null. */
function withCalled(control: ConferenceControl, call: RollCall, currentId: string | null): ConferenceControl {
  const isInside = currentId !== null && control.terminals[currentId]?.present === true;
  return onAir({ ...control, rollCall: { ...call, currentId } }, isInside ? currentId : null);
}

const begun = (termId: string | null, seconds: number, at: string): SpeakingTimer => ({
  termId,
  seconds,
  endsAt: new Date(Date.parse(at) + seconds * 1_000).toISOString(),
  left: null,
});

/** Polling, the floor, roll calls and votes; see applyCommand. What has nothing to be applied to changes nothing. */
export function applyProceeding(control: ConferenceControl, command: Proceeding): ConferenceControl {
  const { polling, rollCall, timer, vote } = control;
  switch (command.verb) {
    case 'polling':
      if (command.settings) return withPolling(control, command.settings, command.lectureId, command.at);
      return polling === null ? control : withoutPolling(control);
    case 'broadcastPolling':
      return broadcast(control, command.on);
    case 'pollingTime': {
      if (polling === null) return control;
      const { seconds } = command;
      return {
        ...control,
        polling: {
          ...polling,
          seconds,
          switchAt: polling.isPaused || polling.switchAt === null ? null : switchOf(polling, seconds),
        },
      };
    }
    case 'pollingTurn': {
      if (polling === null) return control;
      const turn = command.termId === null ? null : { termId: command.termId, since: command.at };
      return { ...control, polling: { ...polling, turn, next: command.next, switchAt: command.switchAt } };
    }
    case 'giveFloor': {
      const heard = onAir(withMuted(control, [command.termId], false), command.termId);
      return command.seconds === null ? heard : { ...heard, timer: begun(command.termId, command.seconds, command.at) };
    }
    case 'timer':
      return { ...control, timer: begun(command.termId, command.seconds, command.at) };
    case 'timerChange':
      return timer === null
        ? control
        : { ...control, timer: changedTimer(timer, command.action, command.seconds, command.at) };
    case 'timerStop':
      return { ...control, timer: null };
    case 'rollCall': {
      const entries = command.entries.map((entry) => ({ ...entry, mark: null }));
      const call = { startedAt: command.at, entries, currentId: null, endedAt: null };
      return withCalled(control, call, nextInRoll(call));
    }
    case 'callUp':
      if (rollCall === null || rollCall.endedAt !== null) return control;
      return command.termId === null || rollCall.entries.some(({ termId }) => termId === command.termId)
        ? withCalled(control, rollCall, command.termId)
        : control;
    case 'rollMark': {
      if (rollCall === null) return control;
      const call = {
        ...rollCall,
        entries: rollCall.entries.map((entry) =>
          entry.termId === command.termId ? { ...entry, mark: command.mark } : entry,
        ),
      };
      const isTheirTurn = rollCall.endedAt === null && rollCall.currentId === command.termId && command.mark !== null;
      return isTheirTurn ? withCalled(control, call, nextInRoll(call)) : { ...control, rollCall: call };
    }
    case 'rollCallEnd':
      return rollCall === null || rollCall.endedAt !== null
        ? control
        : onAir({ ...control, rollCall: { ...rollCall, currentId: null, endedAt: command.at } }, null);
    case 'vote': {
      const { id, question, options, isSecret, at } = command;
      return {
        ...control,
        vote: { id, question, options, isSecret, openedAt: at, closedAt: null, cast: 0, counts: null },
      };
    }
    case 'voteCount':
      return vote?.id === command.id && vote.closedAt === null
        ? { ...control, vote: { ...vote, cast: command.cast } }
        : control;
    case 'voteClose':
      return vote === null || vote.closedAt !== null
        ? control
        : {
            ...control,
            vote: {
              ...vote,
              closedAt: command.at,
              counts: command.counts,
              cast: command.counts.reduce((sum, count) => sum + count, 0),
            },
          };
    case 'voteDismiss':
      return { ...control, vote: null };
  }
}
