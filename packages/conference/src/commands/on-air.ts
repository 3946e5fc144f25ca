import type { ConferenceControl } from '../state/control.ts';
import type { ChosenMode } from '../state/modes.ts';
import { hasPollSeat } from '../state/screen.ts';

/** Whether a seat, in the common layout or in that of one terminal, shows the terminal whose turn it is. */
export function seatsPolling({ layout, terminals }: ConferenceControl): boolean {
  return hasPollSeat(layout) || Object.values(terminals).some((entry) => entry.layout && hasPollSeat(entry.layout));
}

/** Puts the named terminal on air, or none. */
export function onAir(control: ConferenceControl, speakerId: string | null): ConferenceControl {
  return withMode(control, speakerId === null ? 'AUTO' : 'SPEAKER', speakerId);
}

/** Sets a mode chosen by the chair. It ends a lecture; polling continues if it has a seat. */
export function withMode(
  control: ConferenceControl,
  mode: ConferenceControl['mode'],
  speakerId: string | null,
): ConferenceControl {
  const isLecture = control.mode === 'LECTURE';
  const goesOn = control.polling !== null && !isLecture && seatsPolling(control);
  return { ...control, mode, speakerId, polling: goesOn ? control.polling : null };
}

/** Who is on air by the chair's choice, now or before polling replaced it. */
export function chosen({ mode, speakerId, polling }: ConferenceControl): {
  mode: ChosenMode;
  speakerId: string | null;
} {
  return mode === 'POLLING' || mode === 'LECTURE'
    ? (polling?.resumes ?? { mode: 'AUTO', speakerId: null })
    : { mode, speakerId };
}

/** Ends polling and restores who was on air before, if still present. */
export function withoutPolling(control: ConferenceControl): ConferenceControl {
  const { mode, speakerId } = chosen(control);
  const isGone = mode === 'SPEAKER' && (speakerId === null || control.terminals[speakerId]?.present !== true);
  return { ...control, polling: null, ...(isGone ? { mode: 'AUTO' as const, speakerId: null } : { mode, speakerId }) };
}

/** Ends a round that is not on air and that no seat shows any more. */
export function withPollingSeen(control: ConferenceControl): ConferenceControl {
  const isShown = control.mode === 'POLLING' || control.mode === 'LECTURE' || seatsPolling(control);
  return control.polling === null || isShown ? control : withoutPolling(control);
}
