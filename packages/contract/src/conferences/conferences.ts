import { z } from 'zod';
import { beforeJoining } from './before-joining.ts';
import { chatFileRules } from './chat-files.ts';
import { conferenceCommands } from './commands.ts';
import { withChanges, conferenceControl, CONFERENCE_ROLES } from '@rmeet/conference';
import { controlStep, type ControlStep } from './desk.ts';
import { API_BASE, CAMERA_CODECS, DEVICE_TYPES, DEVICE_TYPE_CODES, LIMITS, REACTIONS } from '../constants.ts';
import { line } from '../line.ts';
import { storedFile } from '../platform/files.ts';
import { officeLimitByCaller, route } from '../http/route.ts';

/** One terminal as all terminals in the conference see it. */
export const terminal = z.object({
  termId: z.string(),
  name: z.string(),
  role: z.enum(CONFERENCE_ROLES),
  deviceType: z.number().int(),
  joinedAt: z.iso.datetime(),
  /** When the hand was raised; null while it is lowered. */
  handRaisedAt: z.iso.datetime().nullable(),
});
export type Terminal = z.infer<typeof terminal>;

/** A person in the waiting room; only terminals that may admit see these. */
export const waitingTerminal = z.object({
  termId: z.string(),
  name: z.string(),
  since: z.iso.datetime(),
  message: z.string().nullable(),
});
export type WaitingTerminal = z.infer<typeof waitingTerminal>;

/** A chat message; fields that do not apply are omitted. */
export const chatMessage = z.object({
  id: z.uuid(),
  termId: z.string(),
  name: z.string(),
  /** Empty once it is deleted, and may be empty if it brings a file. */
  text: z.string(),
  /** The file that came with it, until it is deleted. */
  file: storedFile.optional(),
  sentAt: z.iso.datetime(),
  /** Private: only its sender and this receiver get it. */
  to: z.object({ termId: z.string(), name: z.string() }).optional(),
  /** The message that it answers. */
  replyTo: z.uuid().optional(),
  deleted: z.literal(true).optional(),
});
export type ChatMessage = z.infer<typeof chatMessage>;

/** What the receiver of the state may do. */
export const conferenceCan = z.object({
  end: z.boolean(),
  admit: z.boolean(),
  invite: z.boolean(),
  control: z.boolean(),
  lock: z.boolean(),
  handOverChair: z.boolean(),
  share: z.boolean(),
  record: z.boolean(),
});

/** The state of a running conference as one terminal gets it over the push socket. */
export const conferenceState = z.object({
  meetId: z.uuid(),
  conferenceId: z.uuid(),
  subject: z.string(),
  numericId: z.string(),
  startedAt: z.iso.datetime(),
  /** When the organisation's limit on meeting length ends it; null without a limit. */
  endsAt: z.iso.datetime().nullable(),
  me: z.object({ termId: z.string(), role: z.enum(CONFERENCE_ROLES), name: z.string(), can: conferenceCan }),
  /**
   * The text of an invitation; its links are relative to the server if RMEET_PUBLIC_URL is not set; null for terminals
   * that may not invite.
   */
  invitation: z
    .object({
      config: z.object({ url: z.string(), watchUrl: z.string() }),
      guestUrl: z.string(),
      password: z.string(),
      startTime: z.iso.datetime(),
      /** Minutes. */
      duration: z.number().int(),
      hostName: z.string(),
      /** IANA name of the zone it was booked in, as in mails. */
      timeZone: z.string(),
      agenda: z.string(),
      /** Rooms with their buildings. */
      rooms: z.array(z.string()),
    })
    .nullable(),
  /** Who is in the chair, on air and held; the same for all. */
  control: conferenceControl,
  terminals: z.array(terminal),
  waiting: z.array(waitingTerminal),
  messages: z.array(chatMessage),
  /** Absent from older servers, which know no files in the chat. */
  chatFiles: chatFileRules.optional(),
});
export type ConferenceState = z.infer<typeof conferenceState>;

/**
 * Why a conference ended. `over`: the host or the chair ended it; `time`: the organisation's limit on the length of
 * meetings; `empty`: nobody was left inside; `closed`: the organisation was disabled, or its media could not be
 * restored; `early`: it was opened before its start time, which remains valid; absent from older servers.
 */
const ENDED_WHY = ['over', 'time', 'empty', 'closed', 'cancelled', 'early'] as const;
export type EndedWhy = (typeof ENDED_WHY)[number];
const endedWhy = z.enum(ENDED_WHY).optional();

/** Changes pushed on topic `meeting:<meetId>`; each raises the topic's version by one. */
export const conferenceEvent = z.discriminatedUnion('type', [
  z.object({ type: z.literal('terminalJoined'), terminal, step: controlStep }),
  z.object({ type: z.literal('terminalLeft'), termId: z.string(), step: controlStep }),
  /**
   * A command was applied: any except `arrive`, and `depart` of one terminal. If the receiver's permissions (`me.can`)
   * change, a new snapshot follows.
   */
  z.object({ type: z.literal('control'), step: controlStep }),
  z.object({ type: z.literal('terminalChanged'), terminal }),
  z.object({ type: z.literal('waitingAdded'), terminal: waitingTerminal }),
  z.object({ type: z.literal('waitingRemoved'), termId: z.string() }),
  z.object({ type: z.literal('chat'), message: chatMessage }),
  z.object({ type: z.literal('chatDeleted'), id: z.uuid() }),
  /** Shown for a moment, and not part of the state. */
  z.object({ type: z.literal('reaction'), termId: z.string(), reaction: z.enum(REACTIONS), at: z.iso.datetime() }),
  /** Who is expected or rung has changed; for those who may invite. The list itself: conferences.inviting. */
  z.object({ type: z.literal('callsChanged') }),
  z.object({ type: z.literal('ended'), why: endedWhy }),
]);
export type ConferenceEvent = z.infer<typeof conferenceEvent>;

/** Sent to one terminal only, on the same topic: a terminal that waits, or one that must leave. */
export const waitingEvent = z.discriminatedUnion('type', [
  z.object({ type: z.literal('admitted') }),
  z.object({ type: z.literal('refused'), reason: z.string() }),
  z.object({ type: z.literal('removed'), canReturn: z.boolean() }),
  /** Sent back to the waiting room. */
  z.object({ type: z.literal('sentBack') }),
  /** The terminal now waits for something else: the host has arrived, so it waits to be admitted. */
  z.object({ type: z.literal('waitChanged'), awaitsHost: z.boolean() }),
  z.object({ type: z.literal('ended'), why: endedWhy }),
]);
export type WaitingEvent = z.infer<typeof waitingEvent>;

/** The state after an event. Pure and idempotent. */
export function applyConferenceEvent(state: ConferenceState, event: ConferenceEvent): ConferenceState {
  switch (event.type) {
    case 'terminalJoined':
      return withStep(withTerminal(state, event.terminal), event.step);
    case 'terminalChanged':
      return withTerminal(state, event.terminal);
    case 'terminalLeft':
      return withStep({ ...state, terminals: state.terminals.filter((t) => t.termId !== event.termId) }, event.step);
    case 'control':
      return withStep(state, event.step);
    case 'waitingAdded':
      return {
        ...state,
        waiting: [...state.waiting.filter((t) => t.termId !== event.terminal.termId), event.terminal],
      };
    case 'waitingRemoved':
      return { ...state, waiting: state.waiting.filter((t) => t.termId !== event.termId) };
    case 'chat':
      return state.messages.some((m) => m.id === event.message.id)
        ? state
        : { ...state, messages: [...state.messages, event.message] };
    case 'chatDeleted':
      return { ...state, messages: state.messages.map((message) => withoutText(message, event.id)) };
    case 'reaction':
    case 'callsChanged':
    case 'ended':
      return state;
  }
}

/** The message as it remains after the message `id` was deleted. */
function withoutText(message: ChatMessage, id: string): ChatMessage {
  if (message.id !== id) return message;
  const { file: _, ...rest } = message;
  return { ...rest, text: '', deleted: true };
}

function withTerminal(state: ConferenceState, added: Terminal): ConferenceState {
  const others = state.terminals.filter((t) => t.termId !== added.termId);
  return { ...state, terminals: [...others, added].sort((a, b) => a.joinedAt.localeCompare(b.joinedAt)) };
}

/** The control after a step; removed terminals are deleted from the list, and renamed ones get the new name there. */
function withStep(state: ConferenceState, { version, changes }: ControlStep): ConferenceState {
  const control = withChanges(state.control, changes, version);
  const renamed = new Map<string, string>();
  const gone = new Set<string>();
  for (const { termId, field, after } of changes) {
    if (termId !== null && field === 'name') renamed.set(termId, String(after));
    if (termId !== null && field === 'present' && after === false) gone.add(termId);
  }
  if (renamed.size === 0 && gone.size === 0) return { ...state, control };
  const terminals = state.terminals.flatMap((one) =>
    gone.has(one.termId) ? [] : [{ ...one, name: renamed.get(one.termId) ?? one.name }],
  );
  return { ...state, control, terminals };
}

/** An encrypted chat text is this and then nonce and ciphertext in base64url. */
export const ENCRYPTED_TEXT_PREFIX = 'e2ee1:';
const ENCRYPTED_TEXT = /^e2ee1:[\w-]{38,}$/;
/** The longest chat text after encryption: three bytes for each character, nonce and tag, in base64url. */
const ENCRYPTED_LENGTH = ENCRYPTED_TEXT_PREFIX.length + Math.ceil(((3 * LIMITS.chatText + 28) * 4) / 3);

/** Whether a chat text is encrypted. Browsers use it, too, which have no schemas. */
export function isEncryptedText(text: string): boolean {
  return text.length <= ENCRYPTED_LENGTH && ENCRYPTED_TEXT.test(text);
}

const chatBody = z.object({
  id: z.uuid(),
  /** May be empty if a file comes with it. In an end-to-end encrypted conference, only encrypted texts are accepted. */
  text: z.string().max(ENCRYPTED_LENGTH).regex(ENCRYPTED_TEXT).or(z.string().trim().max(LIMITS.chatText)),
  to: z.string().min(1).max(40).optional(),
  replyTo: z.uuid().optional(),
});
export type ChatBody = z.infer<typeof chatBody>;

const meetId = '0198f6a2-7e6d-7c40-9a11-5b1f0e3c2d11';
const byMeeting = z.object({ meetId: z.uuid() });
/** What a terminal gets that joins. */
export const admission = z.discriminatedUnion('state', [
  z.object({
    state: z.literal('admitted'),
    meetId: z.uuid(),
    termId: z.string(),
    sessionToken: z.string(),
    /** The address for livekit-client, and its access token. */
    url: z.string(),
    token: z.string(),
    /** What its camera sends, by the meeting's template and the organisation's codec; at most `bitrate` kbit/s. */
    camera: z.object({ codec: z.enum(CAMERA_CODECS), bitrate: z.number().int() }),
    /** Which of the conference's media rooms the token is valid for (see conferenceControl.generation). */
    generation: z.number().int(),
    /** The conference is end-to-end encrypted. */
    e2ee: z.boolean(),
  }),
  z.object({
    state: z.literal('waiting'),
    meetId: z.uuid(),
    termId: z.string(),
    sessionToken: z.string(),
    /** It is admitted automatically once a host arrives. */
    awaitsHost: z.boolean(),
    e2ee: z.boolean(),
  }),
]);
export type Admission = z.infer<typeof admission>;
export const exampleAdmission: Admission = {
  state: 'admitted',
  meetId,
  termId: 'T4kq81xz0m2c',
  sessionToken: 'p2c0',
  url: 'ws://127.0.0.1:3000',
  token: 'eyJhbGciOiJIUzI1NiJ9',
  camera: { codec: 'h264', bitrate: 1_700 },
  generation: 1,
  e2ee: false,
};

export const conferences = {
  join: route({
    method: 'POST',
    path: `${API_BASE}/conferences/join`,
    summary:
      'Enters a meeting by its number or a guest link. Host and ' +
      'invited people, signed in, need no password; anyone else does.',
    callers: ['anyone', 'user'],
    limit: officeLimitByCaller,
    input: {
      body: z
        .object({
          numericId: z
            .string()
            .regex(/^\d{9}$/)
            .optional(),
          /**
           * Which of the meetings of this number, for a series; without it, the meeting the number currently refers to.
           */
          meetId: z.uuid().optional(),
          /** Confirms that the conference is opened before its start time; without it, the answer is MEETING_EARLY. */
          early: z.boolean().default(false),
          /** The caller has the key of the meeting. A meeting with end-to-end encryption requires it. */
          e2ee: z.boolean().default(false),
          /** Secret part of a guest link, instead of number and password. */
          resource: z.string().max(100).optional(),
          password: z.string().max(64).optional(),
          name: line().max(LIMITS.displayName).optional(),
          /** A mark the browser keeps, so that a person who is banned stays out. */
          deviceId: z.string().max(100).optional(),
          deviceType: z
            .number()
            .int()
            .refine((code) => (DEVICE_TYPE_CODES as number[]).includes(code))
            .default(DEVICE_TYPES.web),
        })
        .refine((body) => body.numericId !== undefined || body.resource !== undefined, { path: ['numericId'] }),
    },
    data: admission,
    errors: [
      'MEETING_NUMBER_UNKNOWN',
      'MEETING_PASSWORD_REQUIRED',
      'MEETING_PASSWORD_WRONG',
      'MEETING_NOT_STARTED',
      'MEETING_EARLY',
      'MEETING_ENDED',
      'MEETING_NOT_APPROVED',
      'MEETING_IS_LOCAL',
      'MEETING_WITHOUT_CONFERENCE',
      'FIXED_NUMBER_NOT_STARTED',
      'MEETING_CANCELLED',
      'MEETING_FULL',
      'NAME_REQUIRED',
      'E2EE_KEY_REQUIRED',
      'MEDIA_UNAVAILABLE',
      'QUOTA_TERMINALS',
      'GUEST_LINK_INVALID',
      'CONFERENCE_LOCKED',
      'TERMINAL_REMOVED',
    ],
    example: { body: { numericId: '482913057', password: '4821', name: 'Carol' }, data: exampleAdmission },
  }),
  ...beforeJoining,
  enter: route({
    method: 'POST',
    path: `${API_BASE}/conferences/:meetId/enter`,
    summary: 'A terminal that was let in from the waiting room, or came back, gets its media token.',
    callers: ['terminal'],
    input: { params: byMeeting },
    data: admission,
    errors: ['CONFERENCE_OVER', 'MEETING_FULL', 'MEDIA_UNAVAILABLE', 'QUOTA_TERMINALS', 'TERMINAL_REMOVED'],
    example: { params: { meetId }, data: exampleAdmission },
  }),
  migrate: route({
    method: 'POST',
    path: `${API_BASE}/conferences/:meetId/migrate`,
    summary:
      'A terminal inside gets a media token for the newest media ' +
      'room of its conference, before it leaves the one it is in.',
    callers: ['terminal'],
    limit: { by: 'caller', max: 60, seconds: 60 },
    input: { params: byMeeting },
    data: admission,
    errors: ['CONFERENCE_OVER', 'MEDIA_UNAVAILABLE'],
    example: { params: { meetId }, data: exampleAdmission },
  }),
  leave: route({
    method: 'POST',
    path: `${API_BASE}/conferences/:meetId/leave`,
    summary: 'The terminal leaves.',
    callers: ['terminal'],
    input: { params: byMeeting },
    data: z.null(),
    errors: [],
    example: { params: { meetId }, data: null },
  }),
  end: route({
    method: 'POST',
    path: `${API_BASE}/conferences/:meetId/end`,
    summary: 'Ends the conference for everybody; the meeting is over.',
    callers: ['user', 'terminal', 'desk'],
    audit: true,
    input: { params: byMeeting },
    data: z.null(),
    errors: ['CONFERENCE_OVER'],
    example: { params: { meetId }, data: null },
  }),
  admit: route({
    method: 'POST',
    path: `${API_BASE}/conferences/:meetId/admit`,
    summary: 'Lets waiting terminals in, or refuses them.',
    callers: ['user', 'terminal', 'desk'],
    audit: true,
    input: {
      params: byMeeting,
      /** `reason`: the message for the refused terminals. */
      body: z.object({
        termIds: z.array(z.string().max(40)).min(1).max(500),
        admit: z.boolean(),
        reason: z.string().trim().max(200).default(''),
      }),
    },
    data: z.null(),
    errors: ['CONFERENCE_OVER', 'MEETING_FULL', 'QUOTA_TERMINALS'],
    example: { params: { meetId }, body: { termIds: ['T4kq81xz0m2c'], admit: true }, data: null },
  }),
  hand: route({
    method: 'POST',
    path: `${API_BASE}/conferences/:meetId/hand`,
    summary: "Raises or lowers the terminal's hand.",
    callers: ['terminal'],
    limit: { by: 'caller', max: 30, seconds: 60 },
    input: { params: byMeeting, body: z.object({ raised: z.boolean() }) },
    data: z.null(),
    errors: ['CONFERENCE_OVER'],
    example: { params: { meetId }, body: { raised: true }, data: null },
  }),
  chat: route({
    method: 'POST',
    path: `${API_BASE}/conferences/:meetId/messages`,
    summary:
      'Says something in the chat, to all or to one terminal (`to`), or sends a file (one per message). `id` is made ' +
      'by the sender, so that a repeated call says it once.',
    callers: ['terminal'],
    limit: { by: 'caller', max: 60, seconds: 60 },
    input: { params: byMeeting, body: chatBody },
    data: chatMessage,
    multipart: {},
    errors: [
      'CONFERENCE_OVER',
      'CHAT_OFF',
      'CHAT_HOSTS_ONLY',
      'REPLY_UNKNOWN',
      'TERMINAL_ABSENT',
      'CHAT_FILES_OFF',
      'CHAT_FILES_BARRED',
      'CHAT_FILES_FULL',
      'FILE_KIND_REFUSED',
      'FILE_EMPTY',
      'FILE_TOO_LARGE',
      'FILES_TOO_MANY',
      'E2EE_KEY_REQUIRED',
    ],
    example: {
      params: { meetId },
      body: { id: '0198f6a2-7e6d-7c40-9a11-5b1f0e3c2d12', text: 'Hello' },
      data: {
        id: '0198f6a2-7e6d-7c40-9a11-5b1f0e3c2d12',
        termId: 'T4kq81xz0m2c',
        name: 'Carol',
        text: 'Hello',
        sentAt: '2026-11-20T09:01:00.000Z',
      },
    },
  }),
  deleteMessage: route({
    method: 'DELETE',
    path: `${API_BASE}/conferences/:meetId/messages/:id`,
    summary: 'Deletes the text of an own message; hosts, chair and co-chairs delete those of others, too.',
    callers: ['terminal'],
    audit: true,
    limit: { by: 'caller', max: 60, seconds: 60 },
    input: { params: byMeeting.extend({ id: z.uuid() }) },
    data: z.null(),
    errors: ['CONFERENCE_OVER'],
    example: { params: { meetId, id: '0198f6a2-7e6d-7c40-9a11-5b1f0e3c2d12' }, data: null },
  }),
  chatFile: route({
    method: 'GET',
    path: `${API_BASE}/conferences/:meetId/files/:id`,
    summary:
      'A file of the chat, for terminals inside that see its message. With `preview` a picture comes to be shown ' +
      'instead of saved. Answers ranges.',
    callers: ['terminal'],
    download: true,
    limit: { by: 'caller', max: 300, seconds: 60 },
    input: {
      params: byMeeting.extend({ id: z.uuid() }),
      query: z.object({ preview: z.stringbool().default(false) }),
    },
    data: z.null(),
    errors: ['CONFERENCE_OVER', 'TICKET_INVALID'],
    example: { params: { meetId, id: '0198f6a2-7e6d-7c40-9a11-5b1f0e3c2d13' }, query: {}, data: null },
  }),
  react: route({
    method: 'POST',
    path: `${API_BASE}/conferences/:meetId/reactions`,
    summary: 'Shows a reaction of the terminal to all for a moment.',
    callers: ['terminal'],
    limit: { by: 'caller', max: 40, seconds: 60 },
    input: { params: byMeeting, body: z.object({ reaction: z.enum(REACTIONS) }) },
    data: z.null(),
    errors: ['CONFERENCE_OVER', 'REACTIONS_OFF'],
    example: { params: { meetId }, body: { reaction: 'applause' }, data: null },
  }),
  renameSelf: route({
    method: 'PUT',
    path: `${API_BASE}/conferences/:meetId/name`,
    summary: 'A guest changes their own name, unless the chair has turned that off.',
    callers: ['terminal'],
    audit: true,
    limit: { by: 'caller', max: 10, seconds: 60 },
    input: { params: byMeeting, body: z.object({ name: line().min(1).max(LIMITS.displayName) }) },
    data: z.null(),
    errors: ['CONFERENCE_OVER', 'RENAME_OFF'],
    example: { params: { meetId }, body: { name: 'Carol' }, data: null },
  }),
  ...conferenceCommands,
};
