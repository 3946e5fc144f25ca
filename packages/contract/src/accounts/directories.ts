import { z } from 'zod';
import { API_BASE } from '../constants.ts';
import { page, pageQuery } from '../http/envelope.ts';
import { route } from '../http/route.ts';
import { line } from '../line.ts';

export const DIRECTORY_KINDS = ['activeDirectory', 'ldap'] as const;

/** The attribute that says that a person may not sign in. */
export const DIRECTORY_LOCKS = ['none', 'userAccountControl', 'nsAccountLock', 'pwdAccountLockedTime'] as const;

/** Why a directory cannot be used, or a round ended early. */
export const DIRECTORY_PROBLEMS = [
  'ADDRESS_FORBIDDEN',
  'PLAIN_FORBIDDEN',
  'HOST_UNKNOWN',
  'UNREACHABLE',
  'TIMEOUT',
  'TLS_FAILED',
  'CERTIFICATE_NAME',
  'CERTIFICATE_UNTRUSTED',
  'START_TLS_REFUSED',
  'BIND_REFUSED',
  'BASE_UNKNOWN',
  'REFERRAL',
  'FILTER_WRONG',
  'NOBODY_FOUND',
  'ANSWER_TOO_LONG',
  'TOO_MANY_DISABLED',
  'INTERRUPTED',
  'OTHER',
] as const;
export type DirectoryProblem = (typeof DIRECTORY_PROBLEMS)[number];

export const ROUND_STATES = ['waiting', 'running', 'done', 'failed', 'cancelled', 'stopped'] as const;
export const DIRECTORY_CHANGES = ['created', 'changed', 'disabled', 'restored', 'collision', 'failed'] as const;
export type DirectoryChangeKind = (typeof DIRECTORY_CHANGES)[number];

/** Why a person is not taken over: the name or mail belongs to another account, or cannot be an account name. */
export const DIRECTORY_REASONS = ['accountTaken', 'mailTaken', 'accountWrong', 'quota', 'deletedHere'] as const;

/** `ldap://` or `ldaps://` with a host and, if unusual, a port. */
const address = z
  .string()
  .trim()
  .max(300)
  .regex(/^ldaps?:\/\/[^\s/@?#]+\/?$/i)
  .refine((text) => URL.canParse(text));
const attribute = z
  .string()
  .trim()
  .max(100)
  .regex(/^[A-Za-z][A-Za-z0-9;-]*$/);
const optionalAttribute = z.union([z.literal(''), attribute]);
const filter = z.string().trim().max(1_000);
const dn = z.string().trim().max(1_000);

/** Where a directory is, whom it knows, and what is taken from it. */
const directorySettings = z.object({
  name: line().min(1).max(60),
  kind: z.enum(DIRECTORY_KINDS),
  enabled: z.boolean(),
  address,
  /** On `ldap://`: TLS begins on the same port (RFC 4511, section 4.14). Without it, nothing is encrypted. */
  startTls: z.boolean(),
  /** PEM certificates that are trusted; empty: those that the server trusts anyway. */
  certificates: z.string().trim().max(40_000),
  /** The account that searches: its DN, or in Active Directory `name@domain`. */
  bindDn: z
    .string()
    .trim()
    .min(1)
    .max(1_000)
    .regex(/[=@\\]/),
  /** Where people are. */
  bases: z.array(dn.min(1)).min(1).max(10),
  /** RFC 4515. */
  filter: filter.min(1),
  attributes: z.object({
    account: attribute,
    name: attribute,
    email: optionalAttribute,
    phone: optionalAttribute,
    department: optionalAttribute,
    /** Does not change when a person is renamed or moved. */
    uniqueId: attribute,
  }),
  /** Departments come from the attribute, or from the organisational units above the person. */
  departmentFrom: z.enum(['none', 'attribute', 'tree']),
  lockedBy: z.enum(DIRECTORY_LOCKS),
  /** People of a group get the role. Groups inside it count if `nested`. */
  groups: z.array(z.object({ dn: dn.min(1), roleId: z.uuid() })).max(50),
  nested: z.boolean(),
  /** An unknown person who signs in gets an account at once. */
  makesAccounts: z.boolean(),
  /** People may change their password in the directory from here. */
  changesPasswords: z.boolean(),
  /** Minutes from one synchronisation to the next; 0: only when started by hand. */
  everyMinutes: z.union([z.literal(0), z.number().int().min(15).max(10_080)]),
  /** A synchronisation that would disable more than this share of the people, in percent, stops before it does. */
  disableLimit: z.number().int().min(1).max(100),
});
export type DirectorySettings = z.infer<typeof directorySettings>;

const round = z.object({
  id: z.uuid(),
  directoryId: z.uuid(),
  dryRun: z.boolean(),
  state: z.enum(ROUND_STATES),
  startedAt: z.iso.datetime(),
  endedAt: z.iso.datetime().nullable(),
  /** Read from the directory so far. */
  people: z.number().int(),
  counts: z.object(
    Object.fromEntries(DIRECTORY_CHANGES.map((kind) => [kind, z.number().int()])) as Record<
      DirectoryChangeKind,
      z.ZodNumber
    >,
  ),
  problem: z.enum(DIRECTORY_PROBLEMS).nullable(),
  /** What the directory said, if it said something. */
  detail: z.string(),
});
export type DirectoryRound = z.infer<typeof round>;

const directory = directorySettings.extend({
  id: z.uuid(),
  version: z.number().int(),
  /** How many accounts belong to it. */
  accounts: z.number().int(),
  lastRound: round.nullable(),
});
export type Directory = z.infer<typeof directory>;

const change = z.object({
  id: z.uuid(),
  kind: z.enum(DIRECTORY_CHANGES),
  account: z.string(),
  name: z.string(),
  dn: z.string(),
  reason: z.enum(DIRECTORY_REASONS).nullable(),
  /** The fields that change: before and after. */
  fields: z.record(z.string(), z.tuple([z.string(), z.string()])),
  /** Whether the account that is in the way can be linked with the person. */
  canLink: z.boolean(),
});
export type DirectoryChange = z.infer<typeof change>;

const found = z.object({
  account: z.string(),
  name: z.string(),
  email: z.string(),
  phone: z.string(),
  department: z.string(),
  enabled: z.boolean(),
  dn: z.string(),
});

const input = directorySettings.extend({
  /** Of `bindDn`; undefined: the stored one. */
  password: z.string().min(1).max(500).optional(),
});

const DIRECTORIES = `${API_BASE}/directories`;
/** Takes a tenant administrator: directories decide who signs in. */
const administers = { callers: ['user'], permission: 'tenants:settings' } as const;
const exampleId = '0198f6a2-0000-7c40-9a11-5b1f0e3c2d10';
const exampleSettings = {
  name: 'Head office',
  kind: 'ldap',
  enabled: true,
  address: 'ldaps://ldap.example.org',
  startTls: false,
  certificates: '',
  bindDn: 'cn=rmeet,dc=example,dc=org',
  bases: ['ou=people,dc=example,dc=org'],
  filter: '(objectClass=inetOrgPerson)',
  attributes: {
    account: 'uid',
    name: 'cn',
    email: 'mail',
    phone: 'mobile',
    department: 'ou',
    uniqueId: 'entryUUID',
  },
  departmentFrom: 'attribute',
  lockedBy: 'none',
  groups: [],
  nested: true,
  makesAccounts: true,
  changesPasswords: true,
  everyMinutes: 60,
  disableLimit: 20,
} satisfies DirectorySettings;
const exampleRound = {
  id: exampleId,
  directoryId: exampleId,
  dryRun: true,
  state: 'done',
  startedAt: '2026-11-20T08:00:00.000Z',
  endedAt: '2026-11-20T08:00:04.000Z',
  people: 120,
  counts: { created: 3, changed: 1, disabled: 0, restored: 0, collision: 0, failed: 0 },
  problem: null,
  detail: '',
} satisfies DirectoryRound;
const exampleDirectory = { ...exampleSettings, id: exampleId, version: 1, accounts: 117, lastRound: exampleRound };
const byId = z.object({ id: z.uuid() });
const byRound = z.object({ id: z.uuid(), roundId: z.uuid() });

export const directories = {
  list: route({
    method: 'GET',
    path: DIRECTORIES,
    ...administers,
    summary: "The directories of the caller's tenant. Only its administrators may call this domain.",
    input: {},
    data: z.array(directory),
    errors: [],
    example: { data: [exampleDirectory] },
  }),
  create: route({
    method: 'POST',
    path: DIRECTORIES,
    ...administers,
    stepUp: true,
    audit: true,
    summary: 'Adds a directory. Groups with roles take `users:grant`.',
    input: { body: input },
    data: directory,
    errors: ['DIRECTORY_ADDRESS', 'ROLE_UNKNOWN'],
    example: { body: { ...exampleSettings, password: 'b1nd-Secret' }, data: exampleDirectory },
  }),
  update: route({
    method: 'PUT',
    path: `${DIRECTORIES}/:id`,
    ...administers,
    stepUp: true,
    audit: true,
    summary: 'Changes a directory. A new address takes the password again. `version` is the one that was edited.',
    input: { params: byId, body: input.extend({ version: z.number().int() }) },
    data: directory,
    errors: ['DIRECTORY_ADDRESS', 'ROLE_UNKNOWN', 'CHANGED_MEANWHILE'],
    example: { params: { id: exampleId }, body: { ...exampleSettings, version: 1 }, data: exampleDirectory },
  }),
  remove: route({
    method: 'DELETE',
    path: `${DIRECTORIES}/:id`,
    ...administers,
    audit: true,
    summary: 'Removes a directory. Its accounts stay, and sign in by password again when one is set.',
    input: { params: byId },
    data: z.null(),
    errors: [],
    example: { params: { id: exampleId }, data: null },
  }),
  test: route({
    method: 'POST',
    path: `${DIRECTORIES}/test`,
    ...administers,
    limit: { by: 'caller', max: 20, seconds: 60 },
    timeout: 30_000,
    summary:
      'Connects, signs in and finds the first five people, without storing anything. Without a password, that of the ' +
      'directory `id` at the same address.',
    input: { body: input.extend({ id: z.uuid().optional() }) },
    data: z.object({
      problem: z.enum(DIRECTORY_PROBLEMS).nullable(),
      detail: z.string(),
      people: z.array(found),
      /** Groups of the settings that the directory does not know. */
      unknownGroups: z.array(z.string()),
    }),
    errors: [],
    example: {
      body: { ...exampleSettings, password: 'b1nd-Secret' },
      data: {
        problem: null,
        detail: '',
        people: [
          {
            account: 'alice',
            name: 'Alice',
            email: 'alice@example.org',
            phone: '',
            department: 'Surgery',
            enabled: true,
            dn: 'uid=alice,ou=people,dc=example,dc=org',
          },
        ],
        unknownGroups: [],
      },
    },
  }),
  start: route({
    method: 'POST',
    path: `${DIRECTORIES}/:id/rounds`,
    ...administers,
    audit: true,
    summary:
      'Starts a synchronisation, or with `dryRun` lists what one would change. `force`: people are disabled even ' +
      'above the limit of the settings.',
    input: { params: byId, body: z.object({ dryRun: z.boolean(), force: z.boolean().default(false) }) },
    data: round,
    errors: ['DIRECTORY_BUSY'],
    example: { params: { id: exampleId }, body: { dryRun: true }, data: exampleRound },
  }),
  rounds: route({
    method: 'GET',
    path: `${DIRECTORIES}/:id/rounds`,
    ...administers,
    summary: 'The last synchronisations and dry runs, the newest first, paged; 30 are kept.',
    input: { params: byId, query: z.object(pageQuery) },
    data: page(round),
    errors: [],
    example: {
      params: { id: exampleId },
      query: {},
      data: { records: [exampleRound], total: 1, current: 1, size: 20 },
    },
  }),
  cancel: route({
    method: 'POST',
    path: `${DIRECTORIES}/:id/rounds/:roundId/cancel`,
    ...administers,
    audit: true,
    summary: 'Ends a running synchronisation after the page that it is working on. What was changed stays.',
    input: { params: byRound },
    data: round,
    errors: [],
    example: { params: { id: exampleId, roundId: exampleId }, data: { ...exampleRound, state: 'cancelled' } },
  }),
  changes: route({
    method: 'GET',
    path: `${DIRECTORIES}/:id/rounds/:roundId/changes`,
    ...administers,
    summary: 'What a synchronisation changed, or a dry run would change, paged.',
    input: {
      params: byRound,
      query: z.object({ ...pageQuery, kind: z.enum(DIRECTORY_CHANGES).optional() }),
    },
    data: page(change),
    errors: [],
    example: {
      params: { id: exampleId, roundId: exampleId },
      query: {},
      data: {
        records: [
          {
            id: exampleId,
            kind: 'changed',
            account: 'alice',
            name: 'Alice',
            dn: 'uid=alice,ou=people,dc=example,dc=org',
            reason: null,
            fields: { department: ['Surgery', 'Surgery/General'] },
            canLink: false,
          },
        ],
        total: 1,
        current: 1,
        size: 20,
      },
    },
  }),
  link: route({
    method: 'POST',
    path: `${DIRECTORIES}/:id/links`,
    ...administers,
    audit: true,
    summary:
      'Links accounts with the people of collisions (ids of `changes`). From then on their passwords are checked by ' +
      'the directory. Administrators and accounts of another directory are not linked.',
    input: { params: byId, body: z.object({ changeIds: z.array(z.uuid()).min(1).max(200) }) },
    data: z.object({ linked: z.number().int() }),
    errors: ['DIRECTORY_LINK'],
    example: { params: { id: exampleId }, body: { changeIds: [exampleId] }, data: { linked: 1 } },
  }),
};
