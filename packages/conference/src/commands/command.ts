import { z } from 'zod';
import { controlChange, type ConferenceControl } from '../state/control.ts';
import { CHAT_AUDIENCES, SHARE_AUDIENCES } from '../state/allowances.ts';
import { CHOSEN_MODES } from '../state/modes.ts';
import { pollingSettings, POLLING_SECONDS, sceneSettings } from '../state/proceedings.ts';
import { conferenceBroadcast } from '../state/broadcast.ts';
import { RECORD_ACTIONS, RECORD_STATUSES, RECORD_TROUBLES } from '../state/recording.ts';
import { CONFERENCE_ROLES, type ConferenceRight } from '../roles.ts';
import { banner, screenLayout, screenSeat, SCREEN_MODELS, seatPlace, WINDOW_POSITIONS } from '../state/screen.ts';

const termId = z.string().max(40);
const at = z.iso.datetime();
const termIds = z.array(z.string().max(40)).max(1_000);

/** All commands. Only the server itself gives `arrive` and `depart`. */
export const conferenceCommand = z.discriminatedUnion('verb', [
  /** `previousTermId`: an earlier presence of the same person; its settings (mute, seat, turn) continue. */
  z.object({
    verb: z.literal('arrive'),
    termId: z.string(),
    name: z.string(),
    role: z.enum(CONFERENCE_ROLES),
    previousTermId: z.string().nullable(),
  }),
  z.object({ verb: z.literal('depart'), termIds }),
  z.object({ verb: z.literal('mute'), termIds, muted: z.boolean() }),
  z.object({
    verb: z.literal('muteAll'),
    muted: z.boolean(),
    except: termIds,
    allowSelfUnmute: z.boolean().nullable(),
  }),
  z.object({ verb: z.literal('askUnmute'), termIds }),
  /** Given by the terminal itself. */
  z.object({ verb: z.literal('selfUnmute'), termId: z.string() }),
  z.object({ verb: z.literal('camera'), termIds, open: z.boolean() }),
  z.object({ verb: z.literal('volume'), termId: z.string(), volume: z.number().int().min(0).max(100) }),
  z.object({ verb: z.literal('limitVideo'), termIds, maxHeight: z.number().int().nullable() }),
  z.object({
    verb: z.literal('entry'),
    muteOnEntry: z.boolean().optional(),
    allowSelfUnmute: z.boolean().optional(),
    waitingRoom: z.boolean().optional(),
  }),
  /** What people who do not lead the meeting may do. */
  z.object({
    verb: z.literal('allow'),
    shareFor: z.enum(SHARE_AUDIENCES).optional(),
    chatFor: z.enum(CHAT_AUDIENCES).optional(),
    reactions: z.boolean().optional(),
    selfRename: z.boolean().optional(),
    chatFiles: z.boolean().optional(),
  }),
  z.object({ verb: z.literal('chairman'), termId: z.string().nullable() }),
  z.object({ verb: z.literal('coChairs'), termIds, appoint: z.boolean() }),
  z.object({ verb: z.literal('speaker'), termId: z.string().nullable() }),
  z.object({ verb: z.literal('mode'), mode: z.enum(CHOSEN_MODES), termId: z.string().nullable() }),
  z.object({ verb: z.literal('lock'), locked: z.boolean() }),
  z.object({ verb: z.literal('rename'), termId: z.string(), name: z.string() }),
  z.object({ verb: z.literal('top'), termId: z.string(), top: z.boolean() }),
  z.object({ verb: z.literal('sort'), termIds }),
  z.object({ verb: z.literal('admit'), termIds }),
  z.object({ verb: z.literal('refuse'), termIds, reason: z.string() }),
  z.object({ verb: z.literal('sendBack'), termIds }),
  z.object({ verb: z.literal('remove'), termIds, canReturn: z.boolean() }),
  z.object({ verb: z.literal('call'), targets: termIds }),
  z.object({ verb: z.literal('cancelCall'), targets: termIds }),
  /** More people are invited to the running meeting; `names` are for the log. */
  z.object({ verb: z.literal('invite'), targets: termIds, names: z.array(z.string()).max(1_000) }),
  z.object({ verb: z.literal('extend'), minutes: z.number().int() }),
  /** `roles`: the new roles of these people's terminals, by termId. */
  z.object({
    verb: z.literal('grant'),
    userIds: z.array(z.uuid()),
    granted: z.boolean(),
    roles: z.record(z.string(), z.enum(CONFERENCE_ROLES)),
  }),
  z.object({ verb: z.literal('end') }),

  /** `recordingId`: with START of the new recording, else of the running one. */
  z.object({ verb: z.literal('record'), action: z.enum(RECORD_ACTIONS), recordingId: z.uuid(), at }),
  /** What the recorder reports; only the server gives it. */
  z.object({
    verb: z.literal('recordStatus'),
    recordingId: z.uuid(),
    status: z.enum(RECORD_STATUSES).exclude(['NONE']),
    trouble: z.enum(RECORD_TROUBLES).nullable(),
    isSpaceLow: z.boolean(),
  }),
  /** A live broadcast of the conference began, paused, continued or ended (null); only the server gives it. */
  z.object({ verb: z.literal('broadcast'), broadcast: conferenceBroadcast.nullable() }),

  /** `pollingSeat`: the seat that shows polling; null for none; unchanged if omitted. */
  z.object({
    verb: z.literal('layout'),
    model: z.enum(SCREEN_MODELS),
    places: z.array(seatPlace),
    pollingSeat: z.number().int().nullable().optional(),
    allowOwnLayout: z.boolean().optional(),
  }),
  /** Seat assignments, for all terminals or for one. */
  z.object({ verb: z.literal('seats'), termId: termId.nullable(), seats: z.array(screenSeat) }),
  /** A layout for one terminal; null returns to the common layout. */
  z.object({ verb: z.literal('terminalLayout'), termId, layout: screenLayout.nullable() }),
  z.object({ verb: z.literal('window'), position: z.enum(WINDOW_POSITIONS).nullable() }),
  z.object({ verb: z.literal('contentLock'), termId: termId.nullable() }),
  z.object({ verb: z.literal('dualStream'), termId, open: z.boolean() }),
  /** For all terminals or for one; null clears the banner. */
  z.object({ verb: z.literal('banner'), termId: termId.nullable(), banner: banner.nullable() }),

  /**
   * Starts polling, or changes the settings of the running round; null ends it. With a lecturer, everybody sees the
   * lecturer, who sees the round.
   */
  z.object({ verb: z.literal('polling'), settings: pollingSettings.nullable(), lectureId: termId.nullable(), at }),
  /** Whether the terminal whose turn it is is on air to all. */
  z.object({ verb: z.literal('broadcastPolling'), on: z.boolean() }),
  z.object({
    verb: z.literal('pollingTime'),
    seconds: z.number().int().min(POLLING_SECONDS.min).max(POLLING_SECONDS.max),
  }),
  /** Moves to the next turn: by the server when the time is over, by the chair at any time. */
  z.object({
    verb: z.literal('pollingTurn'),
    termId: termId.nullable(),
    next: termId.nullable(),
    at,
    switchAt: at.nullable(),
  }),

  /** Puts a terminal on air, unmutes it and lowers its hand; `seconds` starts its speaking time. */
  z.object({ verb: z.literal('giveFloor'), termId, seconds: z.number().int().nullable(), at }),
  z.object({ verb: z.literal('lowerHands'), termIds }),
  z.object({ verb: z.literal('timer'), termId: termId.nullable(), seconds: z.number().int(), at }),
  z.object({
    verb: z.literal('timerChange'),
    action: z.enum(['pause', 'resume', 'add']),
    seconds: z.number().int(),
    at,
  }),
  z.object({ verb: z.literal('timerStop') }),
  z.object({ verb: z.literal('rollCall'), entries: z.array(z.object({ termId, name: z.string() })).max(1_000), at }),
  /** The terminal called up is put on air. */
  z.object({ verb: z.literal('callUp'), termId: termId.nullable() }),
  /** Marks a terminal. If it is the one called up, calls up the next one. */
  z.object({ verb: z.literal('rollMark'), termId, mark: z.enum(['present', 'absent']).nullable() }),
  z.object({ verb: z.literal('rollCallEnd'), at }),
  z.object({
    verb: z.literal('vote'),
    id: z.uuid(),
    question: z.string(),
    options: z.array(z.string()),
    isSecret: z.boolean(),
    at,
  }),
  /** Number of ballots cast so far. */
  z.object({ verb: z.literal('voteCount'), id: z.uuid(), cast: z.number().int() }),
  z.object({ verb: z.literal('voteClose'), counts: z.array(z.number().int()), at }),
  z.object({ verb: z.literal('voteDismiss') }),
  z.object({ verb: z.literal('scene'), sceneId: z.uuid(), name: z.string(), settings: sceneSettings }),
  /**
   * Moves to another media zone, or resets to media servers of the zone (null for any): a new room, to which all
   * terminals move.
   */
  z.object({ verb: z.literal('moveZone'), fromZoneId: z.string(), zoneId: z.string(), mcuId: z.string().nullable() }),
  z.object({ verb: z.literal('reset'), mcuId: z.string().nullable() }),
  /** Undoes a command, except for fields that have changed since. */
  z.object({ verb: z.literal('undo'), commandId: z.uuid(), changes: z.array(controlChange) }),
]);
export type ConferenceCommand = z.infer<typeof conferenceCommand>;
export type ConferenceVerb = ConferenceCommand['verb'];
export type CommandOf<V extends ConferenceVerb> = Extract<ConferenceCommand, { verb: V }>;
/** For each verb, the control state after a command. Pure. */
export type Appliers<V extends ConferenceVerb> = {
  [K in V]: (control: ConferenceControl, command: CommandOf<K>) => ConferenceControl;
};

/** The right from the role matrix that each verb requires; null for the server's own verbs. */
export const VERB_RIGHTS: Record<ConferenceVerb, ConferenceRight | null> = {
  arrive: null,
  depart: null,
  mute: 'control',
  muteAll: 'control',
  askUnmute: 'control',
  selfUnmute: 'ownMedia',
  camera: 'control',
  volume: 'control',
  limitVideo: 'control',
  entry: 'control',
  allow: 'control',
  chairman: 'handOverChair',
  coChairs: 'handOverChair',
  speaker: 'control',
  mode: 'control',
  lock: 'lock',
  rename: 'control',
  top: 'control',
  sort: 'control',
  admit: 'admit',
  refuse: 'admit',
  sendBack: 'admit',
  remove: 'control',
  call: 'control',
  cancelCall: 'control',
  invite: 'control',
  extend: 'control',
  grant: 'grant',
  end: 'end',
  record: 'record',
  recordStatus: null,
  broadcast: null,
  undo: 'control',
  layout: 'control',
  seats: 'control',
  terminalLayout: 'control',
  window: 'control',
  contentLock: 'control',
  dualStream: 'control',
  banner: 'control',
  polling: 'control',
  broadcastPolling: 'control',
  pollingTime: 'control',
  pollingTurn: 'control',
  giveFloor: 'control',
  lowerHands: 'control',
  timer: 'control',
  timerChange: 'control',
  timerStop: 'control',
  rollCall: 'control',
  callUp: 'control',
  rollMark: 'control',
  rollCallEnd: 'control',
  vote: 'control',
  voteCount: null,
  voteClose: 'control',
  voteDismiss: 'control',
  scene: 'control',
  moveZone: 'control',
  reset: 'control',
};

/** Verbs that `undo` can undo. */
export const UNDOABLE: readonly ConferenceVerb[] = [
  'mute',
  'muteAll',
  'camera',
  'volume',
  'limitVideo',
  'entry',
  'allow',
  'chairman',
  'coChairs',
  'speaker',
  'mode',
  'lock',
  'rename',
  'top',
  'sort',
  'layout',
  'seats',
  'terminalLayout',
  'window',
  'contentLock',
  'dualStream',
  'banner',
  'scene',
];

/**
 * Polling turns and counted ballots, which the server reports by itself: too frequent for the newest rows of the log.
 */
export const ROUTINE_VERBS: readonly ConferenceVerb[] = ['pollingTurn', 'voteCount'];
