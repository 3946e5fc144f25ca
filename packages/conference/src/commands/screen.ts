import type { ConferenceControl } from '../state/control.ts';
import { layoutWithin, SEAT_SOURCES, seatsWithin, withModel } from '../state/screen.ts';
import type { Appliers, CommandOf } from './command.ts';
import { withPollingSeen } from './on-air.ts';
import { withMuted, withTerminals } from './terminals.ts';

/**
 * Seat assignments, in the common layout or in that of one terminal (whose own layout starts as a copy of the common
 * one).
 */
function withSeats(control: ConferenceControl, { termId, seats }: CommandOf<'seats'>): ConferenceControl {
  const layout = (termId === null ? null : control.terminals[termId]?.layout) ?? control.layout;
  const seated = { ...layout, seats: seatsWithin(layout, seats) };
  return termId === null ? { ...control, layout: seated } : withTerminals(control, [termId], { layout: seated });
}

/**
 * Applies all settings of a scene and ends polling. Absent terminals are not put on air, and no seat or content lock is
 * kept for termIds of an earlier time, because it would stay empty for good.
 */
function withScene(
  control: ConferenceControl,
  { muted, mode, speakerId, layout, ...settings }: CommandOf<'scene'>['settings'],
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

/** Layouts, seats, content, captions and scenes. */
export const screenAppliers: Appliers<
  'layout' | 'seats' | 'terminalLayout' | 'window' | 'contentLock' | 'dualStream' | 'banner' | 'scene'
> = {
  layout: (control, { model, places, pollingSeat, allowOwnLayout = control.allowOwnLayout }) =>
    withPollingSeen({ ...control, layout: withModel(control.layout, model, places, pollingSeat), allowOwnLayout }),
  seats: (control, command) => withPollingSeen(withSeats(control, command)),
  terminalLayout: (control, { termId, layout }) =>
    withPollingSeen(withTerminals(control, [termId], { layout: layout && layoutWithin(layout) })),
  window: (control, { position }) => ({ ...control, window: position }),
  contentLock: (control, { termId }) => ({ ...control, contentLockId: termId }),
  dualStream: (control, { termId, open }) =>
    withTerminals(control, [termId], { contentOff: !open, contentAsked: open }),
  banner: (control, { termId, banner }) =>
    termId === null ? { ...control, banner } : withTerminals(control, [termId], { banner }),
  scene: (control, { settings }) => withScene(control, settings),
};
