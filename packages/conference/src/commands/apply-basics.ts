import type { ConferenceControl, TerminalControl } from '../state/control.ts';
import { hasPollSeat } from '../state/screen.ts';

/** The control with some terminals changed; ids that are not known are passed over. */
export function withTerminals(
  control: ConferenceControl,
  ids: readonly string[],
  change: Partial<TerminalControl>,
): ConferenceControl {
  const terminals = { ...control.terminals };
  for (const termId of ids) if (terminals[termId]) terminals[termId] = { ...terminals[termId], ...change };
  return { ...control, terminals };
}

export function withMuted(control: ConferenceControl, ids: readonly string[], muted: boolean): ConferenceControl {
  return withTerminals(control, ids, { muted, unmuteAsked: false });
}

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
