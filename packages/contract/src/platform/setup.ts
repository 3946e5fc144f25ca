import { z } from 'zod';
import { API_BASE, LIMITS, LOCALES } from '../constants.ts';
import { line } from '../line.ts';
import { route, type RateLimit } from '../http/route.ts';
import { tenantName } from '../accounts/tenants.ts';
import { accountName, encryptedPassword } from '../accounts/users.ts';

/** The secret of a setup link has 256 bits; the limit prevents floods, not guesses. */
const limit: RateLimit = { by: 'address', max: 120, seconds: 60, failures: { max: 30, seconds: 10 } };

const secret = z.string().min(1).max(100);
const person = z.object({
  account: accountName,
  name: line().min(1).max(LIMITS.displayName),
  password: encryptedPassword,
});

/** A web address without path, account, query or fragment, as the browser writes it: `https://meet.example.org`. */
const origin = z
  .string()
  .max(300)
  .refine(
    (text) => URL.canParse(text) && /^https?:$/.test(new URL(text).protocol) && new URL(text).origin === text,
    'must be an http:// or https:// address without a path',
  );

/** The platform's administrators test the settings. */
const looksAfter = { callers: ['operator'], permission: 'tenants:manage' } as const;

/** Why a test mail was not accepted: what to check, in the order of a conversation with a mail server. */
export const MAIL_FAILURES = [
  'host',
  'connection',
  'timeout',
  'tls',
  'account',
  'sender',
  'recipient',
  'message',
  'other',
] as const;
export type MailFailure = (typeof MAIL_FAILURES)[number];

/**
 * The first start: one link, printed in the terminal where Rmeet was started, creates the first operator and the first
 * organisation.
 */
export const setup = {
  state: route({
    method: 'GET',
    path: `${API_BASE}/setup/state`,
    callers: ['anyone'],
    limit,
    summary: 'Whether this installation waits for its setup, which it does until the first account exists.',
    input: {},
    data: z.object({ isOpen: z.boolean() }),
    errors: [],
    example: { data: { isOpen: false } },
  }),
  begin: route({
    method: 'POST',
    path: `${API_BASE}/setup/begin`,
    callers: ['anyone'],
    limit,
    summary: 'Looks whether the secret of a setup link is valid, and answers what the setup page has to know.',
    input: { body: z.object({ secret }) },
    data: z.object({
      /** The key for encrypting passwords, as of loginMode. */
      publicKey: z.string(),
      /** RMEET_PUBLIC_URL; empty if it is not set, and then the setup page asks for it. */
      publicUrls: z.array(z.string()),
      /**
       * The address of this call as the server saw it. It differs from the browser's address behind a proxy that is not
       * trusted.
       */
      seenAs: z.string(),
      passwordRules: z.object({ minLength: z.number().int(), minClasses: z.number().int() }),
    }),
    errors: ['SETUP_DONE', 'SETUP_LINK_INVALID'],
    example: {
      body: { secret: 'q1YzP0c' },
      data: {
        publicKey: '-----BEGIN PUBLIC KEY-----\n...',
        publicUrls: [],
        seenAs: 'https://meet.example.org',
        passwordRules: { minLength: 8, minClasses: 3 },
      },
    },
  }),
  complete: route({
    method: 'POST',
    path: `${API_BASE}/setup/complete`,
    callers: ['anyone'],
    limit,
    audit: true,
    summary:
      'Makes the first operator, the organisation and its administrator, ' +
      'and stores the address people use. All of it or nothing, once.',
    input: {
      body: z.object({
        secret,
        operator: person,
        organisation: z.object({ name: tenantName }),
        administrator: person,
        /** The address people use; ignored if RMEET_PUBLIC_URL is set. Null leaves it unknown. */
        publicUrl: origin.nullable(),
        locale: z.enum(LOCALES).default('zh'),
      }),
    },
    data: z.null(),
    errors: [
      'SETUP_DONE',
      'SETUP_LINK_INVALID',
      'ACCOUNT_TAKEN',
      'TENANT_NAME_TAKEN',
      'PASSWORD_UNREADABLE',
      'PASSWORD_TOO_WEAK',
    ],
    example: {
      body: {
        secret: 'q1YzP0c',
        operator: { account: 'root', name: 'Root', password: 'bWFkZSBieSBSU0EtT0FFUA==' },
        organisation: { name: 'City hospital' },
        administrator: { account: 'admin', name: 'Admin', password: 'bWFkZSBieSBSU0EtT0FFUA==' },
        publicUrl: 'https://meet.example.org',
      },
      data: null,
    },
  }),
  checks: route({
    method: 'GET',
    path: `${API_BASE}/setup/checks`,
    ...looksAfter,
    summary:
      'What the environment sets of this installation, as far as the end of the setup tells of it, and passkeys that ' +
      'a changed address has stopped; no secrets.',
    input: {},
    data: z.object({
      mail: z.object({
        isConfigured: z.boolean(),
        /** Host and port, and the sender; empty if no mail is sent. */
        server: z.string(),
        sender: z.string(),
      }),
      media: z.object({
        /** UDP ports of the embedded engine, one per media process, and whether they are the same after a restart. */
        ports: z.array(z.number().int()),
        isFixed: z.boolean(),
        /** LIVEKIT_URL; null for the embedded engine. */
        livekit: z.string().nullable(),
      }),
      /** Whether browsers show a certificate warning. */
      isSelfSigned: z.boolean(),
      hasBackups: z.boolean(),
      /** Passkeys that do not work, because they belong to host names that this server no longer has. */
      lostPasskeys: z.array(z.object({ name: z.string(), count: z.number().int() })),
    }),
    errors: [],
    example: {
      data: {
        mail: { isConfigured: true, server: 'mail.example.org:587', sender: 'meet@example.org' },
        media: { ports: [7882, 7883], isFixed: true, livekit: null },
        isSelfSigned: false,
        hasBackups: true,
        lostPasskeys: [],
      },
    },
  }),
  sendTestMail: route({
    method: 'POST',
    path: `${API_BASE}/setup/test-mail`,
    ...looksAfter,
    audit: true,
    limit: { by: 'caller', max: 6, seconds: 60 },
    summary: 'Hands a test mail to the mail server and answers within 15 seconds what became of it.',
    input: { body: z.object({ to: z.email().max(254) }) },
    data: z.object({
      /** Null: the mail server has accepted the mail. */
      failure: z.enum(MAIL_FAILURES).nullable(),
      /** The mail server's reply, or the network error; one line, without secrets. */
      detail: z.string(),
    }),
    errors: ['MAIL_NOT_CONFIGURED'],
    example: { body: { to: 'root@example.org' }, data: { failure: 'recipient', detail: '550 5.1.1 No such user' } },
  }),
  checkMedia: route({
    method: 'POST',
    path: `${API_BASE}/setup/media-check`,
    ...looksAfter,
    limit: { by: 'caller', max: 10, seconds: 60 },
    summary:
      'Makes an empty room on every media server, for two minutes, and ' +
      'answers the tokens to connect with as a trial; nothing can be sent.',
    input: {},
    data: z.object({
      places: z.array(
        z.object({
          /** Name of the media zone; empty for this server's own. */
          zone: z.string(),
          url: z.string(),
          token: z.string(),
          /** The UDP port that must be reachable; null if it is not known here. */
          port: z.number().int().nullable(),
        }),
      ),
    }),
    errors: ['MEDIA_UNAVAILABLE'],
    example: {
      data: { places: [{ zone: '', url: 'wss://meet.example.org', token: 'eyJhbGciOiJIUzI1NiJ9', port: 7882 }] },
    },
  }),
};
