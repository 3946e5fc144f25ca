import type { ConferenceControl } from '../state/control.ts';
import type { ChosenMode } from '../state/modes.ts';
import { hasPollSeat } from '../state/screen.ts';

/** Whether whose turn it is is seen in a seat, of all or of one terminal. */
export function seatsPolling({ layout, terminals }: ConferenceControl): boolean {
  return hasPollSeat(layout) || Object.values(terminals).some((entry) => entry.layout && hasPollSeat(entry.layout));
}

/** Somebody on air by name, or nobody. */
export function onAir(control: ConferenceControl, speakerId: string | null): ConferenceControl {
  return withMode(control, speakerId === null ? 'AUTO' : 'SPEAKER', speakerId);
}

/** A mode of the chair's choice. A lecture is over with it; polling goes on in its seat, where it has one. */
export function withMode(
  control: ConferenceControl,
  mode: ConferenceControl['mode'],
  speakerId: string | null,
): ConferenceControl {
  const isLecture = control.mode === 'LECTURE';
  const goesOn = control.polling !== null && !isLecture && seatsPolling(control);
  return { ...control, mode, speakerId, polling: goesOn ? control.polling : null };
}

/** Who is on air by the chair's choice, now or before polling took it. */
export function chosen({ mode, speakerId, polling }: ConferenceControl): {
  mode: ChosenMode;
  speakerId: string | null;
} {
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

/** A round that no seat shows any more, and that is not on air, is over. */
export function withPollingSeen(control: ConferenceControl): ConferenceControl {
  const isShown = control.mode === 'POLLING' || control.mode === 'LECTURE' || seatsPolling(control);
  return control.polling === null || isShown ? control : withoutPolling(control);
}
