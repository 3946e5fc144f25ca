import type { ConferenceControl, TerminalControl } from '../state/control.ts';

/** The control with some terminals changed; unknown ids are ignored. */
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
