import { z } from 'zod';
import { API_BASE } from '../constants.ts';
import { page, pageQuery } from '../http/envelope.ts';
import { line } from '../line.ts';
import { route } from '../http/route.ts';
import { department } from '../accounts/users.ts';

/** The type of a registered terminal: a SIP or H.323 device, the product's own room client, a telephone, a camera. */
export const TERMINAL_KINDS = ['sip', 'h323', 'rooms', 'phone', 'rtsp'] as const;

/** A device of a meeting room that can be called into meetings. */
export const registeredTerminal = z.object({
  id: z.uuid(),
  name: z.string(),
  /** The address for calls: a SIP URI, an address, a telephone number. Unique in the tenant, case-insensitive. */
  address: z.string(),
  kind: z.enum(TERMINAL_KINDS),
  /** The room it is in. */
  room: z.object({ id: z.uuid(), name: z.string(), building: z.string() }).nullable(),
  /** The media region it is close to; empty for any. */
  zone: z.string(),
  /** Levels separated by `/`. */
  department: z.string(),
  note: z.string(),
  enabled: z.boolean(),
  lastSeenAt: z.iso.datetime().nullable(),
  version: z.number().int(),
});
export type RegisteredTerminal = z.infer<typeof registeredTerminal>;

const terminalBody = z.object({
  name: line().min(1).max(60),
  address: z.string().trim().min(1).max(255).regex(/^\S+$/),
  kind: z.enum(TERMINAL_KINDS),
  roomId: z.uuid().nullable().default(null),
  zone: z.string().trim().max(60).default(''),
  department: department.default(''),
  note: z.string().trim().max(500).default(''),
  enabled: z.boolean().default(true),
});
export type TerminalBody = z.input<typeof terminalBody>;

/** Used instead of a room's id: terminals without a room, or whose room was deleted. */
export const NO_ROOM = 'none';

export const terminalFilter = z.object({
  keyword: z.string().trim().max(100).optional(),
  kind: z.enum(TERMINAL_KINDS).optional(),
  roomId: z.union([z.uuid(), z.literal(NO_ROOM)]).optional(),
  status: z.enum(['enabled', 'disabled']).optional(),
  sort: z.enum(['name', 'address', 'kind', 'lastSeenAt']).default('name'),
  order: z.enum(['ASC', 'DESC']).default('ASC'),
  en: z.string().max(10).optional(),
});

/** What is wrong with a row of an imported sheet. */
export const IMPORT_FAULTS = ['missing', 'tooLong', 'unreadable', 'twice', 'roomUnknown', 'roomAmbiguous'] as const;
/** The columns of the sheet, in order; `room` is written as `building / room`. */
export const TERMINAL_COLUMNS = ['name', 'address', 'kind', 'room', 'zone', 'department', 'note', 'enabled'] as const;

const exampleId = '0198f6a2-7e6d-7c40-9a11-5b1f0e3c2f01';
const exampleTerminal: RegisteredTerminal = {
  id: exampleId,
  name: 'Library TV',
  address: 'library@rooms.example.org',
  kind: 'sip',
  room: { id: exampleId, name: 'Library', building: 'Main building' },
  zone: '',
  department: 'Surgery',
  note: '',
  enabled: true,
  lastSeenAt: null,
  version: 1,
};
const exampleBody = { name: 'Library TV', address: 'library@rooms.example.org', kind: 'sip' as const };
const manages = { callers: ['user'], permission: 'rooms:manage' } as const;
const path = `${API_BASE}/terminal-registry`;

export const terminals = {
  list: route({
    method: 'GET',
    path,
    callers: ['user'],
    scope: 'rooms:read',
    summary: 'The registered terminals, paged; those who may not manage them see the enabled ones alone.',
    input: { query: terminalFilter.extend(pageQuery) },
    data: page(registeredTerminal),
    errors: [],
    example: { query: {}, data: { records: [exampleTerminal], total: 1, current: 1, size: 20 } },
  }),
  create: route({
    method: 'POST',
    path,
    ...manages,
    audit: true,
    summary: 'Registers a terminal.',
    input: { body: terminalBody },
    data: registeredTerminal,
    errors: ['TERMINAL_ADDRESS_TAKEN', 'ROOM_UNKNOWN'],
    example: { body: exampleBody, data: exampleTerminal },
  }),
  update: route({
    method: 'PUT',
    path,
    ...manages,
    audit: true,
    summary: 'Changes a terminal. `version` is the one that was edited.',
    input: { body: terminalBody.extend({ id: z.uuid(), version: z.number().int() }) },
    data: registeredTerminal,
    errors: ['TERMINAL_ADDRESS_TAKEN', 'ROOM_UNKNOWN', 'CHANGED_MEANWHILE'],
    example: { body: { ...exampleBody, id: exampleId, version: 1 }, data: exampleTerminal },
  }),
  remove: route({
    method: 'DELETE',
    path,
    ...manages,
    audit: true,
    summary: 'Deletes terminals, all of those named or none.',
    input: { body: z.object({ ids: z.array(z.uuid()).min(1).max(500) }) },
    data: z.object({ deleted: z.number().int() }),
    errors: [],
    example: { body: { ids: [exampleId] }, data: { deleted: 1 } },
  }),
  export: route({
    method: 'GET',
    path: `${path}/export`,
    ...manages,
    download: true,
    summary: 'The terminals that meet the filter as an Excel workbook, in the columns the import takes.',
    input: { query: terminalFilter },
    data: z.null(),
    errors: ['TICKET_INVALID'],
    example: { query: {}, data: null },
  }),
  import: route({
    method: 'POST',
    path: `${path}/import`,
    ...manages,
    audit: true,
    bodyBytes: 8 * 1024 * 1024,
    summary:
      'Takes terminals over from an Excel workbook (base64), 5,000 rows at most: known addresses are changed, new ' +
      'ones added. Nothing is stored with `dryRun`, nor where any row is wrong.',
    limit: { by: 'caller', max: 20, seconds: 60 },
    input: { body: z.object({ file: z.base64().min(1), dryRun: z.boolean() }) },
    data: z.object({
      rows: z.number().int(),
      added: z.number().int(),
      changed: z.number().int(),
      unchanged: z.number().int(),
      /** `row` counts like the sheet, the header is 1. Every wrong cell is listed, up to 1,000. */
      faults: z.array(
        z.object({
          row: z.number().int(),
          column: z.enum(TERMINAL_COLUMNS),
          fault: z.enum(IMPORT_FAULTS),
          value: z.string(),
        }),
      ),
    }),
    errors: ['SHEET_UNREADABLE', 'SHEET_TOO_LONG'],
    example: {
      body: { file: 'UEsDBA==', dryRun: true },
      data: {
        rows: 2,
        added: 1,
        changed: 0,
        unchanged: 0,
        faults: [{ row: 3, column: 'kind', fault: 'unreadable', value: 'fax' }],
      },
    },
  }),
};
