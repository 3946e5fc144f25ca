import { z } from 'zod';
import { CONFERENCE_TEMPLATES, type ConferenceTemplateId } from '../templates.ts';
import { CONFERENCE_MODES } from './modes.ts';
import { polling, rollCall, speakingTimer, vote } from './proceedings.ts';
import { CONFERENCE_ROLES } from '../roles.ts';
import { AUTO_LAYOUT, banner, screenLayout, WINDOW_POSITIONS } from './screen.ts';

/**
 * The control state of a running conference. Everything in this package
 * is pure: the server decides with it, desks and terminals follow with it, and replaying the stored commands gives the
 * same state.
 */

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
  /** What it sends beside its camera (shared content) is held. */
  contentOff: z.boolean(),
  /** It was asked to share. */
  contentAsked: z.boolean(),
  /** A layout of its own; null for the common one. */
  layout: screenLayout.nullable(),
  /** Captions for it alone, in the place of those for all. */
  banner: banner.nullable(),
});
export type TerminalControl = z.infer<typeof terminalControl>;

export const conferenceControl = z.object({
  /** Counts the commands applied. */
  version: z.number().int(),
  /**
   * Counts the media rooms the conference has had; a terminal whose media is of an earlier one goes over, before it
   * leaves that.
   */
  generation: z.number().int(),
  mode: z.enum(CONFERENCE_MODES),
  /** On air while the mode is SPEAKER; the lecturer while it is LECTURE. */
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
  /** Everybody's layout, but for those with one of their own. */
  layout: screenLayout,
  /** People may enlarge what they like and leave the layout for their own view. */
  allowOwnLayout: z.boolean(),
  /** Where chat and content are docked; null as each screen has room. */
  window: z.enum(WINDOW_POSITIONS).nullable(),
  /** Only this terminal may share. */
  contentLockId: z.string().nullable(),
  banner: banner.nullable(),
  polling: polling.nullable(),
  timer: speakingTimer.nullable(),
  rollCall: rollCall.nullable(),
  vote: vote.nullable(),
  terminals: z.record(z.string(), terminalControl),
});
export type ConferenceControl = z.infer<typeof conferenceControl>;

export const NO_CONTROL: ConferenceControl = {
  version: 0,
  generation: 1,
  mode: 'AUTO',
  speakerId: null,
  chairId: null,
  coChairIds: [],
  locked: false,
  muteOnEntry: false,
  allowSelfUnmute: true,
  waitingRoom: null,
  order: [],
  layout: AUTO_LAYOUT,
  allowOwnLayout: true,
  window: null,
  contentLockId: null,
  banner: null,
  polling: null,
  timer: null,
  rollCall: null,
  vote: null,
  terminals: {},
};

/**
 * The control a conference begins with, as its meeting was booked. With the mode SPEAKER whoever of the hosts comes
 * first is on air.
 */
export function beginningControl({
  muteOnEntry,
  template,
}: {
  muteOnEntry: boolean;
  template: ConferenceTemplateId;
}): ConferenceControl {
  const mode = CONFERENCE_TEMPLATES.find(({ id }) => id === template)?.mode ?? NO_CONTROL.mode;
  return { ...NO_CONTROL, muteOnEntry, mode };
}

/** termIds in the order they came; stored JSON keeps no order of keys. */
export function bySeat(terminals: ConferenceControl['terminals']): string[] {
  return Object.keys(terminals).toSorted((a, b) => (terminals[a]?.seat ?? 0) - (terminals[b]?.seat ?? 0));
}

/** termIds of those inside as lists show them: kept on top, then as sorted, then as they came. */
export function controlOrder({ order, terminals }: ConferenceControl): string[] {
  const place = new Map(order.map((termId, at) => [termId, at]));
  const inside = bySeat(terminals).filter((termId) => terminals[termId]?.present);
  const came = new Map(inside.map((termId, at) => [termId, at]));
  const rank = (termId: string): [number, number, number] => [
    terminals[termId]?.top ? 0 : 1,
    place.get(termId) ?? Infinity,
    came.get(termId) ?? 0,
  ];
  return inside.toSorted((a, b) => {
    const [x, y] = [rank(a), rank(b)];
    return x[0] - y[0] || (x[1] === y[1] ? x[2] - y[2] : x[1] - y[1]);
  });
}

/**
 * One field that a command changed; of a terminal, or of the conference where `termId` is null. Field `*`: a terminal's
 * whole entry, null where there is none.
 */
export const controlChange = z.object({
  termId: z.string().nullable(),
  field: z.string(),
  before: z.unknown(),
  after: z.unknown(),
});
export type ControlChange = z.infer<typeof controlChange>;
