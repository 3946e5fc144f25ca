import { z } from 'zod';
import { CONFERENCE_TEMPLATES, type ConferenceTemplateId } from '../templates.ts';
import { CHAT_AUDIENCES, DEFAULT_ALLOWANCES, SHARE_AUDIENCES } from './allowances.ts';
import { CONFERENCE_MODES } from './modes.ts';
import { polling, rollCall, speakingTimer, vote } from './proceedings.ts';
import { CONFERENCE_ROLES } from '../roles.ts';
import { conferenceBroadcast } from './broadcast.ts';
import { conferenceRecording } from './recording.ts';
import { AUTO_LAYOUT, banner, screenLayout, WINDOW_POSITIONS } from './screen.ts';

/**
 * The control state of a running conference. Everything in this package
 * is pure: the server decides with it, desks and terminals follow with it, and replaying the stored commands gives the
 * same state.
 */

/** How the chair has set one terminal. It outlives a lost connection: on rejoining, the settings are the same. */
export const terminalControl = z.object({
  name: z.string(),
  role: z.enum(CONFERENCE_ROLES),
  /** Whether it is in the conference now. */
  present: z.boolean(),
  /** Counts arrivals: the order of arrival. */
  seat: z.number().int(),
  /** The chair has muted it: the engine takes no sound from this terminal. */
  muted: z.boolean(),
  /** The chair has asked it to unmute, whether it is held or has its own microphone off, and it may do so. */
  unmuteAsked: z.boolean(),
  /** The chair has turned its camera off: the engine takes no picture from its camera. */
  cameraOff: z.boolean(),
  /** 0-100, applied where its audio is played or mixed. */
  volume: z.number().int().min(0).max(100),
  /** Maximum height its camera may send, in lines; null for no limit. */
  maxHeight: z.number().int().nullable(),
  top: z.boolean(),
  /** What it sends beside its camera (shared content) is held. */
  contentOff: z.boolean(),
  /** The chair has asked it to share. */
  contentAsked: z.boolean(),
  /** Its own layout; null for the common one. */
  layout: screenLayout.nullable(),
  /** Captions for this terminal only; they replace those for all. */
  banner: banner.nullable(),
});
export type TerminalControl = z.infer<typeof terminalControl>;

export const conferenceControl = z.object({
  /** Counts the commands applied. */
  version: z.number().int(),
  /**
   * Counts the media rooms the conference has had; a terminal whose media is in an earlier one moves to the new room
   * before it leaves the old one.
   */
  generation: z.number().int(),
  mode: z.enum(CONFERENCE_MODES),
  /** On air while the mode is SPEAKER; the lecturer while it is LECTURE. */
  speakerId: z.string().nullable(),
  chairId: z.string().nullable(),
  /** In the order they were named; the first one present becomes chair when the chair leaves. */
  coChairIds: z.array(z.string()),
  locked: z.boolean(),
  muteOnEntry: z.boolean(),
  allowSelfUnmute: z.boolean(),
  /** Everybody except host and stand-ins waits to be admitted; null as the meeting was booked. */
  waitingRoom: z.boolean().nullable(),
  /** termIds in the chair's order; those not named follow in order of arrival. */
  order: z.array(z.string()),
  /** The layout of all terminals without their own. */
  layout: screenLayout,
  /** People may enlarge any picture and leave the layout for their own view. */
  allowOwnLayout: z.boolean(),
  /** Where chat and content are docked; null if each screen decides by its size. */
  window: z.enum(WINDOW_POSITIONS).nullable(),
  /** Only this terminal may share. */
  contentLockId: z.string().nullable(),
  banner: banner.nullable(),
  polling: polling.nullable(),
  timer: speakingTimer.nullable(),
  rollCall: rollCall.nullable(),
  vote: vote.nullable(),
  /** What people may do; states stored before there were allowances omit them (see `allowancesOf`). */
  shareFor: z.enum(SHARE_AUDIENCES).optional(),
  chatFor: z.enum(CHAT_AUDIENCES).optional(),
  reactions: z.boolean().optional(),
  selfRename: z.boolean().optional(),
  /** Media and chat are end-to-end encrypted; never changes, and is omitted if they are not (see `hasCapability`). */
  e2ee: z.boolean().optional(),
  chatFiles: z.boolean().optional(),
  /** The newest recording; see `recordStatusOf`. */
  recording: conferenceRecording.nullable().optional(),
  /** Null while it is not broadcast; states stored before there were broadcasts omit it. */
  broadcast: conferenceBroadcast.nullable().optional(),
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
  ...DEFAULT_ALLOWANCES,
  terminals: {},
};

/**
 * The initial control of a conference, as its meeting was booked. In mode SPEAKER, the first host to arrive is on air.
 */
export function beginningControl({
  muteOnEntry,
  template,
  e2ee = false,
}: {
  muteOnEntry: boolean;
  template: ConferenceTemplateId;
  e2ee?: boolean;
}): ConferenceControl {
  const mode = CONFERENCE_TEMPLATES.find(({ id }) => id === template)?.mode ?? NO_CONTROL.mode;
  return { ...NO_CONTROL, muteOnEntry, mode, ...(e2ee && { e2ee }) };
}

/** termIds in order of arrival; stored JSON does not keep the order of keys. */
export function bySeat(terminals: ConferenceControl['terminals']): string[] {
  return Object.keys(terminals).toSorted((a, b) => (terminals[a]?.seat ?? 0) - (terminals[b]?.seat ?? 0));
}

/** termIds of present terminals in list order: pinned to the top first, then as sorted, then by arrival. */
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
 * One field that a command changed; of a terminal, or of the conference if `termId` is null. Field `*`: a terminal's
 * whole entry, null if there is none.
 */
export const controlChange = z.object({
  termId: z.string().nullable(),
  field: z.string(),
  before: z.unknown(),
  after: z.unknown(),
});
export type ControlChange = z.infer<typeof controlChange>;
