import { z } from 'zod';
import { conferenceControl, controlChange, scene, CONFERENCE_ROLES } from '@rmeet/conference';

/** Who gave a command: a terminal in the conference, an account from outside, a desk link, or the server itself. */
export const commander = z.object({
  kind: z.enum(['terminal', 'user', 'desk', 'server']),
  name: z.string(),
  termId: z.string().nullable(),
});
export type Commander = z.infer<typeof commander>;

/** One command as it is pushed: the changes from version `version - 1` to `version` of the control. */
export const controlStep = z.object({
  commandId: z.uuid(),
  version: z.number().int(),
  verb: z.string(),
  by: commander,
  at: z.iso.datetime(),
  changes: z.array(controlChange),
  /** Terminals that must obey and acknowledge. */
  affected: z.array(z.string()),
});
export type ControlStep = z.infer<typeof controlStep>;

/** `termId` of the media engine's own acknowledgement. */
export const ENGINE_ACK = '@engine';

/** One terminal has obeyed a command, or could not: `failed` gives the reason as a word (see ACK_FAILURES). */
export const acknowledgement = z.object({
  termId: z.string(),
  /** Milliseconds from the command to the acknowledgement. */
  latency: z.number().int(),
  failed: z.string().nullable(),
  /** For a media move: the longest time, in ms, in which nothing arrived; absent for every other command. */
  gap: z.number().int().optional(),
});
export type Acknowledgement = z.infer<typeof acknowledgement>;

/**
 * Why a terminal could not obey: no such device, the browser refused, the person must agree first, the engine did not
 * answer.
 */
export const ACK_FAILURES = ['noDevice', 'deviceRefused', 'personAsked', 'engineFailed', 'failed'] as const;

/** A row of the command log. */
export const loggedCommand = controlStep.extend({
  input: z.record(z.string(), z.unknown()),
  /** The caller used the tenant administrator's right. */
  acknowledgements: z.array(acknowledgement),
  /** Set when the command was undone. */
  undoneBy: z.uuid().nullable(),
  canUndo: z.boolean(),
});
export type LoggedCommand = z.infer<typeof loggedCommand>;

const layer = z.object({
  rid: z.string().max(20),
  width: z.number(),
  height: z.number(),
  frames: z.number(),
  bitrate: z.number(),
  active: z.boolean(),
});

/**
 * One stream as measured at one of its ends, over the last two seconds. Bitrates in bit/s, times in ms, loss in
 * percent.
 */
export const mediaStream = z.object({
  direction: z.enum(['up', 'down']),
  source: z.enum(['camera', 'microphone', 'screenShare', 'screenShareAudio', 'unknown']),
  /** The sender of a received stream. */
  peer: z.string().max(40).nullable(),
  /** Who measured: the terminal, or the engine from its RTCP reports to the terminal. */
  end: z.enum(['terminal', 'engine']),
  codec: z.string().max(40).nullable(),
  width: z.number().nullable(),
  height: z.number().nullable(),
  frames: z.number().nullable(),
  bitrate: z.number().nullable(),
  loss: z.number().nullable(),
  jitter: z.number().nullable(),
  roundTrip: z.number().nullable(),
  layers: z.array(layer).max(4),
});
export type MediaStream = z.infer<typeof mediaStream>;

/** What a terminal reports about its media, every two seconds, on the push socket. */
export const terminalReport = z.object({
  quality: z.enum(['unknown', 'good', 'poor', 'lost']),
  /** Estimated available outgoing and incoming bitrate in bit/s; null if unknown. */
  estimateUp: z.number().nullable(),
  estimateDown: z.number().nullable(),
  roundTrip: z.number().nullable(),
  /** The encoder is limited by `cpu` or `bandwidth`. */
  limitedBy: z.enum(['none', 'cpu', 'bandwidth', 'other']),
  speaking: z.boolean(),
  streams: z.array(mediaStream).max(80),
});
export type TerminalReport = z.infer<typeof terminalReport>;

/** One terminal as a desk sees it. */
export const deskTerminal = z.object({
  termId: z.string(),
  name: z.string(),
  role: z.enum(CONFERENCE_ROLES),
  deviceType: z.number().int(),
  userId: z.uuid().nullable(),
  account: z.string().nullable(),
  department: z.string(),
  /** Hosts the meeting or is invited to it; false for colleagues who joined by its number, and for guests. */
  invited: z.boolean(),
  joinedAt: z.iso.datetime(),
  handRaisedAt: z.iso.datetime().nullable(),
  /** Verbs this terminal cannot obey, with the reason as a word (see CANNOT_REASONS). */
  cannot: z.record(z.string(), z.string()),
});
export type DeskTerminal = z.infer<typeof deskTerminal>;

/**
 * Why an engine or a terminal cannot do something: not supported by this engine; not supported by this kind of device;
 * not configured on this server; not yet in the product; not with end-to-end encryption.
 */
export const CANNOT_REASONS = ['engine', 'device', 'notConfigured', 'notYet', 'encrypted'] as const;
export type CannotReason = (typeof CANNOT_REASONS)[number];

/** The same for people, in the sentence of VERB_IMPOSSIBLE and on the desk. */
export const CANNOT_SENTENCES: Record<CannotReason, { zh: string; en: string }> = {
  engine: { zh: '该会议资源不支持此操作', en: 'this meeting resource does not offer it' },
  device: { zh: '该类终端没有相应设备', en: 'this kind of terminal has no such device' },
  notConfigured: { zh: '服务器未配置此功能', en: 'this server is not set up for it' },
  notYet: { zh: '产品暂未提供此功能', en: 'the product does not offer it yet' },
  encrypted: {
    zh: '会议已端到端加密，服务器无法解密',
    en: 'the meeting is end-to-end encrypted, and the server has no key',
  },
};

const CALL_STATES = ['absent', 'ringing', 'declined', 'missed'] as const;

/**
 * An invited person who is not in the conference. `termId` identifies the person in calls: `U` and the account's id.
 */
export const deskInvitee = z.object({
  termId: z.string(),
  userId: z.uuid().nullable(),
  name: z.string(),
  department: z.string(),
  /** `ringing` since `calledAt`; `declined` the last call, or `missed` it; otherwise `absent`. */
  state: z.enum(CALL_STATES),
  calledAt: z.iso.datetime().nullable(),
  mail: z.enum(['none', 'SENDING', 'SUCCESS', 'FAIL']),
});
export type DeskInvitee = z.infer<typeof deskInvitee>;

/** An invited person, inside or not. A party invited by telephone number has `P` and an id as `termId`. */
export const expectedPerson = deskInvitee.extend({ state: z.enum([...CALL_STATES, 'inside']) });
export type ExpectedPerson = z.infer<typeof expectedPerson>;

export const deskWaiting = z.object({
  termId: z.string(),
  name: z.string(),
  since: z.iso.datetime(),
  message: z.string().nullable(),
  deviceType: z.number().int(),
});

/**
 * A running conference as a desk sees it: the snapshot of topic `meeting:<id>` for desks, and the answer of
 * conferences.state.
 */
/** A running conference calls this person; `until` is when it stops ringing. */
export const ring = z.object({
  meetId: z.uuid(),
  numericId: z.string(),
  subject: z.string(),
  from: z.string(),
  until: z.iso.datetime(),
});
export type Ring = z.infer<typeof ring>;

export const deskState = z.object({
  desk: z.literal(true),
  meetId: z.uuid(),
  conferenceId: z.uuid(),
  subject: z.string(),
  numericId: z.string(),
  host: z.string(),
  startedAt: z.iso.datetime(),
  /** When the booked time ends, and when a limit of the organisation ends it (null without one). */
  bookedUntil: z.iso.datetime(),
  endsAt: z.iso.datetime().nullable(),
  /**
   * The engine of the conference, and the verbs it does not support, with the reason; `mail`: calls are also sent by
   * mail.
   */
  engine: z.string(),
  cannot: z.record(z.string(), z.string()),
  /** Verbs the receiver may use. */
  can: z.array(z.string()),
  control: conferenceControl,
  terminals: z.array(deskTerminal),
  waiting: z.array(deskWaiting),
  invitees: z.array(deskInvitee),
  /** The meeting's scenes, for people who may control it. */
  scenes: z.array(scene),
  /** The newest commands, newest first, 100 at most; without routine ones (ROUTINE_VERBS). */
  commands: z.array(loggedCommand),
});
export type DeskState = z.infer<typeof deskState>;

/** Pushed to desks only, in addition to the events all receive. */
export const deskEvent = z.discriminatedUnion('type', [
  z.object({ type: z.literal('acknowledged'), acks: z.array(acknowledgement.extend({ commandId: z.uuid() })) }),
  /** These have changed; the others have not. */
  z.object({ type: z.literal('inviteesChanged'), invitees: z.array(deskInvitee) }),
  /** A whole terminal, sent to desks when it arrives or changes. */
  z.object({ type: z.literal('deskTerminal'), terminal: deskTerminal }),
  z.object({ type: z.literal('deskWaiting'), terminal: deskWaiting }),
  z.object({ type: z.literal('scenesChanged'), scenes: z.array(scene) }),
  z.object({ type: z.literal('extended'), bookedUntil: z.iso.datetime() }),
  /** The input of a command, in addition to its step. */
  z.object({
    type: z.literal('commandInput'),
    commandId: z.uuid(),
    input: z.record(z.string(), z.unknown()),
    canUndo: z.boolean(),
    undoes: z.uuid().nullable(),
  }),
]);
export type DeskEvent = z.infer<typeof deskEvent>;

/** A link to the desk or to the status wall. Only the URL contains the secret; it is stored hashed. */
export const deskLink = z.object({
  id: z.uuid(),
  part: z.enum(['chair', 'viewer']),
  scope: z.enum(['control', 'status']),
  createdBy: z.string(),
  createdAt: z.iso.datetime(),
  expiresAt: z.iso.datetime(),
  revokedAt: z.iso.datetime().nullable(),
  lastUsedAt: z.iso.datetime().nullable(),
});
export type DeskLink = z.infer<typeof deskLink>;

/** What a desk token gives access to. */
export const deskAccess = z.object({
  meetId: z.uuid(),
  part: z.enum(['chair', 'viewer']),
  scope: z.enum(['control', 'status']),
  expiresAt: z.iso.datetime(),
});
export type DeskAccess = z.infer<typeof deskAccess>;
