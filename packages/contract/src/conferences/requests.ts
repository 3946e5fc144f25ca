import { z } from 'zod';
import {
  bannerInput,
  CHAT_AUDIENCES,
  CHOSEN_MODES,
  MOST_SEATS,
  POLLING_SECONDS,
  RECORD_ACTIONS,
  SCREEN_MODELS,
  SHARE_AUDIENCES,
  VOTE_OPTIONS,
  WINDOW_POSITIONS,
} from '@rmeet/conference';
import { LIMITS } from '../constants.ts';
import { line } from '../line.ts';
import { participantInput } from '../meetings/meeting-types.ts';
import { meet, term, terms, zoneId, places, seats, speakingSeconds } from './command-route.ts';

const pollingSeconds = z.number().int().min(POLLING_SECONDS.min).max(POLLING_SECONDS.max);
/** `places` are the seats of CUSTOM, ignored for every other model. */
const screen = { model: z.enum(SCREEN_MODELS), places };
const hasPlaces = (layout: { model: string; places: readonly unknown[] }): boolean =>
  layout.model !== 'CUSTOM' || layout.places.length > 0;
const atPlaces = { path: ['places'] };

/** Microphones, cameras and volume of terminals. */
const media = [
  z.object({ verb: z.literal('mute'), termIds: terms, muted: z.boolean() }),
  z.object({
    verb: z.literal('muteAll'),
    muted: z.boolean(),
    except: z.array(term).max(1_000).default([]),
    /** Null leaves it unchanged. */
    allowSelfUnmute: z.boolean().nullable().default(null),
  }),
  z.object({ verb: z.literal('askUnmute'), termIds: terms }),
  z.object({ verb: z.literal('camera'), termIds: terms, open: z.boolean() }),
  z.object({ verb: z.literal('volume'), termId: term, volume: z.number().int().min(0).max(100) }),
  z.object({
    verb: z.literal('limitVideo'),
    termIds: terms,
    maxHeight: z.union([z.literal(180), z.literal(360), z.literal(720)]).nullable(),
  }),
] as const;

/** Terminals that are admitted or refused at once; their state is written in one transaction. */
const waitingIds = z.array(term).min(1).max(500);

/** Who is chair, who is on air, who may enter. */
const people = [
  z.object({
    verb: z.literal('entry'),
    muteOnEntry: z.boolean().optional(),
    allowSelfUnmute: z.boolean().optional(),
    waitingRoom: z.boolean().optional(),
  }),
  /** What people may do who are neither host nor chair nor co-chair. */
  z.object({
    verb: z.literal('allow'),
    shareFor: z.enum(SHARE_AUDIENCES).optional(),
    chatFor: z.enum(CHAT_AUDIENCES).optional(),
    reactions: z.boolean().optional(),
    selfRename: z.boolean().optional(),
    chatFiles: z.boolean().optional(),
  }),
  z.object({ verb: z.literal('chairman'), termId: term.nullable() }),
  z.object({ verb: z.literal('coChairs'), termIds: terms, appoint: z.boolean() }),
  z.object({ verb: z.literal('speaker'), termId: term.nullable() }),
  z
    .object({ verb: z.literal('mode'), mode: z.enum(CHOSEN_MODES), termId: term.nullable().default(null) })
    .refine(({ mode, termId }) => mode !== 'SPEAKER' || termId !== null, { path: ['termId'] }),
  z.object({ verb: z.literal('lock'), locked: z.boolean() }),
  z.object({ verb: z.literal('rename'), termId: term, name: line().min(1).max(LIMITS.displayName) }),
  z.object({ verb: z.literal('top'), termId: term, top: z.boolean() }),
  z.object({ verb: z.literal('sort'), termIds: z.array(term).max(1_000) }),
  z.object({ verb: z.literal('admit'), termIds: waitingIds }),
  z.object({ verb: z.literal('refuse'), termIds: waitingIds, reason: line().max(200).default('') }),
  z.object({ verb: z.literal('sendBack'), termIds: terms }),
  z.object({ verb: z.literal('remove'), termIds: terms, canReturn: z.boolean().default(true) }),
  /** Calls the invited people and terminals; without targets, all that are not in the conference. */
  z.object({ verb: z.literal('call'), targets: z.array(z.string().min(1).max(60)).max(1_000).default([]) }),
  /** Stops ringing people. */
  z.object({ verb: z.literal('cancelCall'), targets: z.array(z.string().min(1).max(60)).min(1).max(1_000) }),
  /** Invites more people, who get the same notices as by booking; colleagues are also rung if `ring` is set. */
  z.object({
    verb: z.literal('invite'),
    people: z.array(participantInput).min(1).max(100),
    ring: z.boolean().default(true),
  }),
  z.object({ verb: z.literal('extend'), minutes: z.number().int().min(1).max(LIMITS.durationMax) }),
  z.object({ verb: z.literal('end') }),
  z.object({ verb: z.literal('record'), action: z.enum(RECORD_ACTIONS) }),
] as const;

/** What screens show, and where. */
const screens = [
  z
    .object({
      verb: z.literal('layout'),
      ...screen,
      /** The seat that shows polling; null for none, unchanged if omitted. */
      pollingSeat: z.number().int().min(1).max(MOST_SEATS).nullable().optional(),
      allowOwnLayout: z.boolean().optional(),
    })
    .refine(hasPlaces, atPlaces),
  z.object({ verb: z.literal('seats'), termId: term.nullable(), seats }),
  z.object({
    verb: z.literal('terminalLayout'),
    termId: term,
    layout: z
      .object({ ...screen, seats: seats.default([]) })
      .refine(hasPlaces, atPlaces)
      .nullable(),
  }),
  z.object({ verb: z.literal('window'), position: z.enum(WINDOW_POSITIONS).nullable() }),
  z.object({ verb: z.literal('contentLock'), termId: term.nullable() }),
  z.object({ verb: z.literal('dualStream'), termId: term, open: z.boolean() }),
  /** Captions for all, or for one terminal; empty text clears them. */
  z.object({ verb: z.literal('banner'), termId: term.nullable(), banner: bannerInput }),
] as const;

/** Turns, the floor, roll calls, votes and scenes. */
const proceedings = [
  /** Starts polling, or continues it with other settings; null ends it. */
  z.object({
    verb: z.literal('polling'),
    settings: z
      .object({
        termIds: z.array(term).max(1_000).optional(),
        seconds: pollingSeconds.optional(),
        onlyVideo: z.boolean().optional(),
        roomsOnly: z.boolean().optional(),
        isPaused: z.boolean().optional(),
      })
      .nullable(),
    lectureId: term.nullable().default(null),
  }),
  z.object({ verb: z.literal('broadcastPolling'), on: z.boolean() }),
  z.object({ verb: z.literal('pollingTime'), seconds: pollingSeconds }),
  z.object({
    verb: z.literal('pollingTurn'),
    to: z.union([z.object({ step: z.enum(['next', 'previous']) }), z.object({ termId: term })]),
  }),
  z.object({ verb: z.literal('giveFloor'), termId: term, seconds: speakingSeconds.nullable().default(null) }),
  z.object({ verb: z.literal('lowerHands'), termIds: terms }),
  z.object({ verb: z.literal('timer'), termId: term.nullable().default(null), seconds: speakingSeconds }),
  z.object({
    verb: z.literal('timerChange'),
    action: z.enum(['pause', 'resume', 'add']),
    seconds: z.number().int().min(-3_600).max(3_600).default(0),
  }),
  z.object({ verb: z.literal('timerStop') }),
  z.object({ verb: z.literal('rollCall'), termIds: z.array(term).max(1_000).default([]) }),
  z.object({ verb: z.literal('rollMark'), termId: term, mark: z.enum(['present', 'absent']).nullable() }),
  z.object({ verb: z.literal('callUp'), termId: term }),
  z.object({ verb: z.literal('rollCallEnd') }),
  z
    .object({
      verb: z.literal('vote'),
      question: line().min(1).max(200),
      options: z.array(line().min(1).max(60)).min(VOTE_OPTIONS.min).max(VOTE_OPTIONS.max),
      isSecret: z.boolean().default(true),
    })
    .refine(({ options }) => new Set(options).size === options.length, { path: ['options'] }),
  z.object({ verb: z.literal('voteClose') }),
  z.object({ verb: z.literal('voteDismiss') }),
  z.object({ verb: z.literal('scene'), sceneId: z.uuid() }),
] as const;

/** Where the conference runs, and undo. */
const rest = [
  z
    .object({ verb: z.literal('moveZone'), fromZoneId: zoneId, zoneId })
    .refine((request) => request.fromZoneId !== request.zoneId, { path: ['zoneId'] }),
  z.object({ verb: z.literal('reset'), mcuIds: z.array(term).max(100).default([]) }),
  z.object({ verb: z.literal('undo'), commandId: meet }),
] as const;

/**
 * What a caller requests of a running conference: a verb of `ConferenceCommand` with the fields only the caller can
 * know. The server adds times, counts and ids, and stores the command. The calls of the product document are adapters
 * to it.
 */
export const commandRequest = z.discriminatedUnion('verb', [...media, ...people, ...screens, ...proceedings, ...rest]);
export type CommandRequest = z.infer<typeof commandRequest>;
/** A request as a caller writes it: fields with defaults may be omitted. */
export type CommandRequestInput = z.input<typeof commandRequest>;
export type RequestVerb = CommandRequest['verb'];
