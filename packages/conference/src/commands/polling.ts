import type { ConferenceControl } from '../state/control.ts';
import type { Polling, PollingSettings } from '../state/proceedings.ts';
import type { Appliers } from './command.ts';
import { chosen, seatsPolling, withoutPolling } from './on-air.ts';

/**
 * Starts with no current turn; the server gives the first one at once. With changed settings, the current turn
 * continues.
 */
function withPolling(
  control: ConferenceControl,
  settings: PollingSettings,
  lectureId: string | null,
  at: string,
): ConferenceControl {
  const resumes = chosen(control);
  const turns = control.polling ?? { turn: null, next: null, switchAt: null };
  const { turn, next } = turns;
  // After a pause, the terminal whose turn it is gets a full turn.
  const goesOn =
    control.polling?.isPaused === true && turn !== null ? { ...turns, turn: { ...turn, since: at } } : turns;
  const switchAt = settings.isPaused ? null : switchOf(goesOn, settings.seconds);
  const polling = { ...settings, turn, next, switchAt, resumes };
  if (lectureId !== null) return { ...control, polling, mode: 'LECTURE', speakerId: lectureId };
  // On air, unless the round has its own seat. The choice saved when the round began is kept.
  if (control.polling && control.mode !== 'LECTURE') return { ...control, polling };
  return seatsPolling(control)
    ? { ...withoutPolling(control), polling }
    : { ...control, polling, mode: 'POLLING', speakerId: null };
}

/** When the current turn ends, if another terminal follows. */
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

/** Rounds of polling and their turns. Without a running round, only `polling` changes anything. */
export const pollingAppliers: Appliers<'polling' | 'broadcastPolling' | 'pollingTime' | 'pollingTurn'> = {
  polling(control, { settings, lectureId, at }) {
    if (settings) return withPolling(control, settings, lectureId, at);
    return control.polling === null ? control : withoutPolling(control);
  },
  broadcastPolling: (control, { on }) => broadcast(control, on),
  pollingTime(control, { seconds }) {
    const { polling } = control;
    if (polling === null) return control;
    const switchAt = polling.isPaused || polling.switchAt === null ? null : switchOf(polling, seconds);
    return { ...control, polling: { ...polling, seconds, switchAt } };
  },
  pollingTurn(control, { termId, next, at, switchAt }) {
    if (control.polling === null) return control;
    const turn = termId === null ? null : { termId, since: at };
    return { ...control, polling: { ...control.polling, turn, next, switchAt } };
  },
};
