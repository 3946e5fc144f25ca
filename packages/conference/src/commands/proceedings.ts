import type { ConferenceControl } from '../state/control.ts';
import { changedTimer, nextInRoll, type RollCall, type SpeakingTimer } from '../state/proceedings.ts';
import type { Appliers } from './command.ts';
import { onAir } from './on-air.ts';
import { withMuted } from './terminals.ts';

const startedTimer = (termId: string | null, seconds: number, at: string): SpeakingTimer => ({
  termId,
  seconds,
  endsAt: new Date(Date.parse(at) + seconds * 1_000).toISOString(),
  left: null,
});

/** The floor and the speaking time. */
const floorAppliers: Appliers<'giveFloor' | 'lowerHands' | 'timer' | 'timerChange' | 'timerStop'> = {
  giveFloor(control, { termId, seconds, at }) {
    const heard = onAir(withMuted(control, [termId], false), termId);
    return seconds === null ? heard : { ...heard, timer: startedTimer(termId, seconds, at) };
  },
  /** Raised hands are not part of the control state. */
  lowerHands: (control) => control,
  timer: (control, { termId, seconds, at }) => ({ ...control, timer: startedTimer(termId, seconds, at) }),
  timerChange: (control, { action, seconds, at }) =>
    control.timer === null ? control : { ...control, timer: changedTimer(control.timer, action, seconds, at) },
  timerStop: (control) => ({ ...control, timer: null }),
};

/** A roll call with the given terminal called up and on air; none if null. */
function withCalled(control: ConferenceControl, call: RollCall, currentId: string | null): ConferenceControl {
  const isInside = currentId !== null && control.terminals[currentId]?.present === true;
  return onAir({ ...control, rollCall: { ...call, currentId } }, isInside ? currentId : null);
}

/** Roll calls: without a running one, commands change nothing. */
const rollCallAppliers: Appliers<'rollCall' | 'callUp' | 'rollMark' | 'rollCallEnd'> = {
  rollCall(control, { entries, at }) {
    const call = {
      startedAt: at,
      entries: entries.map((entry) => ({ ...entry, mark: null })),
      currentId: null,
      endedAt: null,
    };
    return withCalled(control, call, nextInRoll(call));
  },
  callUp(control, { termId }) {
    const { rollCall } = control;
    if (rollCall === null || rollCall.endedAt !== null) return control;
    const isListed = termId === null || rollCall.entries.some((entry) => entry.termId === termId);
    return isListed ? withCalled(control, rollCall, termId) : control;
  },
  rollMark(control, { termId, mark }) {
    const { rollCall } = control;
    if (rollCall === null) return control;
    const entries = rollCall.entries.map((entry) => (entry.termId === termId ? { ...entry, mark } : entry));
    const call = { ...rollCall, entries };
    const isTheirTurn = rollCall.endedAt === null && rollCall.currentId === termId && mark !== null;
    return isTheirTurn ? withCalled(control, call, nextInRoll(call)) : { ...control, rollCall: call };
  },
  rollCallEnd(control, { at }) {
    const { rollCall } = control;
    if (rollCall === null || rollCall.endedAt !== null) return control;
    return onAir({ ...control, rollCall: { ...rollCall, currentId: null, endedAt: at } }, null);
  },
};

/** Votes: commands on a vote that is not open change nothing. */
const voteAppliers: Appliers<'vote' | 'voteCount' | 'voteClose' | 'voteDismiss'> = {
  vote: (control, { id, question, options, isSecret, at }) => ({
    ...control,
    vote: { id, question, options, isSecret, openedAt: at, closedAt: null, cast: 0, counts: null },
  }),
  voteCount(control, { id, cast }) {
    const { vote } = control;
    return vote?.id === id && vote.closedAt === null ? { ...control, vote: { ...vote, cast } } : control;
  },
  voteClose(control, { counts, at }) {
    const { vote } = control;
    if (vote === null || vote.closedAt !== null) return control;
    const cast = counts.reduce((sum, count) => sum + count, 0);
    return { ...control, vote: { ...vote, closedAt: at, counts, cast } };
  },
  voteDismiss: (control) => ({ ...control, vote: null }),
};

export const proceedingAppliers = { ...floorAppliers, ...rollCallAppliers, ...voteAppliers };
