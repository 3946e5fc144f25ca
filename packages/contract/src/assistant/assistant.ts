import { CONFERENCE_PARTS, type ConferencePart } from '@rmeet/conference';
import { z } from 'zod';
import { API_BASE, LIMITS, MEETING_TYPES } from '../constants.ts';
import { route } from '../http/route.ts';
import { line } from '../line.ts';
import { contact } from '../meetings/contacts.ts';

/** How questions are answered: from the manual alone, by a language model, or by a page of the organisation's own. */
export const ASSISTANT_ANSWERS = ['manual', 'model', 'page'] as const;
export type AssistantAnswers = (typeof ASSISTANT_ANSWERS)[number];

/** Where the assistant's own page is. */
export const ASSISTANT_PAGE = '/assistant/';
/** The message that closes the drawer (product document, section 1). */
export const ASSISTANT_CLOSE = { type: 'event', text: 'close' } as const;
/** A signed address of an outside page works for this long, ms. */
export const ASSISTANT_PAGE_WITHIN = 300_000;
/** How long a language model may take to answer, ms. */
export const ASSISTANT_MODEL_WITHIN = 45_000;
/** Until a question is answered, ms. */
export const ASSISTANT_ANSWER_WITHIN = 60_000;

export const ASSISTANT_LIMITS = {
  question: 1_000,
  /** Earlier questions of the conversation that are sent along. */
  turns: 6,
  answer: 4_000,
  passages: 4,
  files: 3,
  /** Characters of a file that are read around what fits. */
  excerpt: 1_200,
  proposals: 3,
  tried: 10,
} as const;

/** A passage of the manual that answers a question. */
const passage = z.object({
  page: z.string(),
  passage: z.string(),
  pageTitle: z.string(),
  title: z.string(),
  /** Plain text, one line for each paragraph or step. */
  text: z.string(),
  /** Its address on this server. */
  address: z.string(),
});
export type AssistantPassage = z.infer<typeof passage>;

/** A file of one of the caller's meetings that has words of the question, as far as the caller may open it. */
const file = z.object({
  id: z.uuid(),
  meetId: z.uuid(),
  /** Of the meeting. */
  subject: z.string(),
  /** Names of its folders; empty: in the meeting itself. */
  folder: z.string(),
  name: z.string(),
  /** Of a text: the part that fits. Empty for other kinds. */
  text: z.string(),
});
export type AssistantFile = z.infer<typeof file>;

const parts = Object.keys(CONFERENCE_PARTS) as [ConferencePart, ...ConferencePart[]];
const person = z.object({ name: z.string(), phoneNumber: contact });

/** What holds for the caller, as far as it bears on the question. */
const fact = z.discriminatedUnion('kind', [
  /** The types of meetings that the caller may book, and those it may not. */
  z.object({ kind: z.literal('types'), may: z.array(z.enum(MEETING_TYPES)), mayNot: z.array(z.enum(MEETING_TYPES)) }),
  /** Whether the caller has media resources; `free`: the organisation assigns none, and all may book. */
  z.object({ kind: z.literal('resources'), state: z.enum(['free', 'assigned', 'missing']) }),
  /** The longest meeting of the organisation, in minutes. */
  z.object({ kind: z.literal('longest'), minutes: z.number().int() }),
  /** Meetings that need approval. */
  z.object({
    kind: z.literal('approval'),
    all: z.boolean(),
    types: z.array(z.enum(MEETING_TYPES)),
    vip: z.boolean(),
    longerThan: z.number().int().nullable(),
    morePeopleThan: z.number().int().nullable(),
  }),
  /** Rooms of the organisation that can be booked. */
  z.object({ kind: z.literal('rooms'), count: z.number().int() }),
  /** Who may let people in from the waiting room. */
  z.object({ kind: z.literal('admit'), parts: z.array(z.enum(parts)) }),
  /** Who may record; `off`: the organisation has turned recordings off. */
  z.object({ kind: z.literal('record'), by: z.enum(['chairs', 'hosts', 'off']) }),
  /** Whom to ask. */
  z.object({ kind: z.literal('contacts'), meetingAdmin: person, serviceDesk: person }),
]);
export type AssistantFact = z.infer<typeof fact>;

const minutes = z.number().int().min(LIMITS.durationMin).max(LIMITS.durationMax);

/**
 * An act that a language model proposes. The server carries out none: the page does, by the calls of the product as the
 * caller, after the person has confirmed it.
 */
export const assistantProposal = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('book'),
    subject: line().min(1).max(LIMITS.subject),
    startTime: z.iso.datetime({ offset: true }),
    duration: minutes,
  }),
  z.object({ kind: z.literal('find'), keyword: line().min(1).max(100) }),
  z.object({ kind: z.literal('joinLink'), keyword: line().min(1).max(100) }),
  z.object({ kind: z.literal('askRights'), reason: line().min(1).max(300) }),
]);
export type AssistantProposal = z.infer<typeof assistantProposal>;

const answer = z.object({
  by: z.enum(['manual', 'model']),
  /** Of the model: plain text. Empty if the passages are the answer. */
  text: z.string(),
  passages: z.array(passage),
  files: z.array(file),
  facts: z.array(fact),
  proposals: z.array(assistantProposal),
  /** The model was asked and gave no answer; this one is from the manual. */
  modelFailed: z.boolean(),
});
export type AssistantAnswer = z.infer<typeof answer>;

/** The settings of an organisation. Key and secret are never shown. */
const settings = z.object({
  answers: z.enum(ASSISTANT_ANSWERS),
  /** Where questions are handed over to; empty: nowhere. */
  deskMail: z.string(),
  modelUrl: z.string(),
  modelName: z.string(),
  hasModelKey: z.boolean(),
  pageUrl: z.string(),
  hasPageSecret: z.boolean(),
  /** Whether this server can send mail. */
  hasMail: z.boolean(),
  version: z.number().int(),
});
export type AssistantSettings = z.infer<typeof settings>;

const address = z.union([z.literal(''), z.url({ protocol: /^https?$/ }).max(1_000)]);
const secret = z
  .string()
  .max(500)
  .regex(/^[\x21-\x7e]*$/);
const settingsBody = z.object({
  answers: z.enum(ASSISTANT_ANSWERS),
  deskMail: z.union([z.literal(''), z.email().max(254)]),
  /** The part of the address before `/chat/completions`: `https://models.example.org/v1`. */
  modelUrl: address,
  modelName: line().max(100),
  /** Undefined: unchanged; empty: none. */
  modelKey: secret.optional(),
  pageUrl: address,
  /** Undefined: unchanged. At least 16 characters where a page is used. */
  pageSecret: secret.optional(),
  version: z.number().int(),
});

const ASSISTANT = `${API_BASE}/assistant`;
const enters = { callers: ['user'], permission: 'sys:itbotEntrance' } as const;
const manages = { callers: ['user'], permission: 'tenants:settings' } as const;
const exampleSettings: AssistantSettings = {
  answers: 'model',
  deskMail: 'desk@example.org',
  modelUrl: 'https://models.example.org/v1',
  modelName: 'small',
  hasModelKey: true,
  pageUrl: '',
  hasPageSecret: false,
  hasMail: true,
  version: 1,
};

/** The assistant: answers questions about the product (docs/features/assistant.md). */
export const assistant = {
  session: route({
    method: 'POST',
    path: `${ASSISTANT}/session`,
    ...enters,
    summary:
      'The address of the page for the drawer: this server’s own, or the outside page of the organisation, signed ' +
      'for five minutes with the account.',
    limit: { by: 'caller', max: 30, seconds: 60 },
    input: { body: z.object({ type: z.literal(1), channelResource: z.literal('itbot') }) },
    data: z.string(),
    errors: ['ASSISTANT_ADDRESS_REFUSED'],
    example: {
      body: { type: 1, channelResource: 'itbot' },
      data: 'https://meet.example.org/assistant/',
    },
  }),
  about: route({
    method: 'GET',
    path: `${ASSISTANT}/about`,
    ...enters,
    summary: 'What the page of the assistant can offer: a language model, and a service desk.',
    input: {},
    data: z.object({ hasModel: z.boolean(), hasDesk: z.boolean(), serviceDesk: person }),
    errors: [],
    example: { data: { hasModel: false, hasDesk: true, serviceDesk: { name: 'IT', phoneNumber: 'MTIzNDU=' } } },
  }),
  ask: route({
    method: 'POST',
    path: `${ASSISTANT}/ask`,
    ...enters,
    summary:
      'Answers a question from the manual, files of the caller’s meetings and what holds for the caller, or lets the ' +
      'language model of the organisation write the answer. Nothing is changed: acts are proposals that the person ' +
      'confirms.',
    limit: { by: 'caller', max: 20, seconds: 60 },
    timeout: ASSISTANT_ANSWER_WITHIN,
    input: {
      body: z.object({
        question: z.string().trim().min(1).max(ASSISTANT_LIMITS.question),
        /** What was asked and answered before, the oldest first. */
        turns: z
          .array(
            z.object({
              question: z.string().max(ASSISTANT_LIMITS.question),
              answer: z.string().max(ASSISTANT_LIMITS.answer),
            }),
          )
          .max(ASSISTANT_LIMITS.turns)
          .default([]),
        /** The caller's time zone (IANA), for times that the model proposes. */
        timeZone: line().max(60).default('UTC'),
      }),
    },
    data: answer,
    errors: [],
    example: {
      body: { question: 'Who may let people in from the waiting room?' },
      data: {
        by: 'manual',
        text: '',
        passages: [
          {
            page: 'host',
            passage: 'admit',
            pageTitle: 'Host a meeting',
            title: 'Admit people',
            text: 'Hosts, the chair and co-chairs may admit.',
            address: '/help/en/host.html#admit',
          },
        ],
        files: [],
        facts: [{ kind: 'admit', parts: ['host', 'tenantAdmin', 'chair', 'deskChair', 'coChair'] }],
        proposals: [],
        modelFailed: false,
      },
    },
  }),
  handOver: route({
    method: 'POST',
    path: `${ASSISTANT}/hand-over`,
    ...enters,
    audit: true,
    summary: 'Sends a question, or a request for rights, to the service desk by mail, with what was tried.',
    limit: { by: 'caller', max: 5, seconds: 600 },
    input: {
      body: z.object({
        kind: z.enum(['question', 'rights']).default('question'),
        question: z.string().trim().min(1).max(2_000),
        /** Titles of passages that were shown, and acts that failed. */
        tried: z.array(line().max(300)).max(ASSISTANT_LIMITS.tried).default([]),
      }),
    },
    data: z.null(),
    errors: ['ASSISTANT_DESK_MISSING', 'MAIL_NOT_CONFIGURED', 'ASSISTANT_MAIL_FAILED'],
    example: { body: { question: 'I hear an echo.', tried: ['You hear nothing'] }, data: null },
  }),
  settings: route({
    method: 'GET',
    path: `${ASSISTANT}/settings`,
    ...manages,
    summary: 'How the assistant of the organisation answers.',
    input: {},
    data: settings,
    errors: [],
    example: { data: exampleSettings },
  }),
  saveSettings: route({
    method: 'PUT',
    path: `${ASSISTANT}/settings`,
    ...manages,
    stepUp: true,
    audit: true,
    summary:
      'Changes how the assistant answers. `version` is the one that was edited. Key and secret are dropped when ' +
      'their address changes to another server, unless they are sent again.',
    input: { body: settingsBody },
    data: settings,
    errors: ['CHANGED_MEANWHILE', 'ASSISTANT_ADDRESS_REFUSED', 'ASSISTANT_MODEL_MISSING', 'ASSISTANT_PAGE_MISSING'],
    example: {
      body: {
        answers: 'model',
        deskMail: 'desk@example.org',
        modelUrl: 'https://models.example.org/v1',
        modelName: 'small',
        modelKey: 'sk-1',
        pageUrl: '',
        version: 0,
      },
      data: exampleSettings,
    },
  }),
  testModel: route({
    method: 'POST',
    path: `${ASSISTANT}/settings/test`,
    ...manages,
    audit: true,
    summary: 'Asks the stored language model for one word, and says how that went.',
    limit: { by: 'caller', max: 10, seconds: 60 },
    timeout: ASSISTANT_ANSWER_WITHIN,
    input: {},
    data: z.object({
      /** `refused`: the address leads inside the network. `answer`: it is no chat completion. */
      fault: z.enum(['refused', 'unreachable', 'key', 'status', 'answer']).nullable(),
      /** HTTP status; null without an answer. */
      status: z.number().int().nullable(),
      /** Milliseconds. */
      ms: z.number().int(),
    }),
    errors: ['ASSISTANT_MODEL_MISSING'],
    example: { data: { fault: null, status: 200, ms: 412 } },
  }),
};
