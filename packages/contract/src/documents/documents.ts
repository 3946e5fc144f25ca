import { z } from 'zod';
import { API_BASE } from '../constants.ts';
import { MEGABYTE } from '../conferences/chat-files.ts';
import { page, pageQuery } from '../http/envelope.ts';
import { route } from '../http/route.ts';
import { line } from '../line.ts';
import { storedFile } from '../platform/files.ts';

/** The WebSocket on which documents are edited (docs/features/documents.md). */
export const DOCUMENTS_PATH = '/api/documents';

export const DOCUMENT_KINDS = ['minutes', 'notice'] as const;
export type DocumentKind = (typeof DOCUMENT_KINDS)[number];
/** `manage`: also share, bind, rename and delete. */
export const DOCUMENT_RIGHTS = ['read', 'write', 'manage'] as const;
export type DocumentRight = (typeof DOCUMENT_RIGHTS)[number];
export const DOCUMENT_FORMATS = ['docx', 'pdf'] as const;
export type DocumentFormat = (typeof DOCUMENT_FORMATS)[number];

export const DOCUMENT_PEOPLE_MAX = 200;
export const DOCUMENT_RECIPIENTS_MAX = 100;
/** Pictures of a document: each, and how many. */
export const DOCUMENT_PICTURES = { bytes: 10 * MEGABYTE, most: 200 } as const;

const member = z.object({
  userId: z.uuid(),
  name: z.string(),
  right: z.enum(['read', 'write']),
});

/** A document, or a template of documents, without its content. */
export const documentRow = z.object({
  id: z.uuid(),
  kind: z.enum(DOCUMENT_KINDS),
  title: z.string(),
  isTemplate: z.boolean(),
  owner: z.object({ userId: z.uuid(), name: z.string() }),
  /** The meeting whose minutes or notice it is. */
  meeting: z.object({ meetId: z.uuid(), subject: z.string() }).nullable(),
  right: z.enum(DOCUMENT_RIGHTS),
  createdAt: z.iso.datetime(),
  updatedAt: z.iso.datetime(),
  updatedBy: z.string(),
  /** Counts changes of the title, kind and meeting. */
  version: z.number().int(),
});
export type DocumentRow = z.infer<typeof documentRow>;

const documentDetail = documentRow.extend({
  /** People who may read or write it beside its owner, those of its meeting and the administrators. */
  members: z.array(member),
});
export type DocumentDetail = z.infer<typeof documentDetail>;

const documentVersion = z.object({
  id: z.uuid(),
  name: z.string(),
  /** `auto`: kept while it was edited; `restore`: what it was before an earlier version was restored. */
  kind: z.enum(['auto', 'named', 'restore']),
  createdAt: z.iso.datetime(),
  createdBy: z.string(),
});
export type DocumentVersion = z.infer<typeof documentVersion>;

const differenceLine = z.object({
  kind: z.enum(['same', 'added', 'removed']),
  /** Kind of block. */
  type: z.string(),
  text: z.string(),
});

const DOCUMENT = `${API_BASE}/documents`;
const params = z.object({ id: z.uuid() });
const versionParams = z.object({ id: z.uuid(), versionId: z.uuid() });
const title = line().min(1).max(120);

const exampleId = '0198f6a2-7e6d-7c40-9a11-5b1f0e3c2f31';
const at = '2026-11-20T08:00:00.000Z';
const exampleRow: DocumentRow = {
  id: exampleId,
  kind: 'minutes',
  title: 'Ward round',
  isTemplate: false,
  owner: { userId: exampleId, name: 'Alice' },
  meeting: { meetId: exampleId, subject: 'Ward round' },
  right: 'manage',
  createdAt: at,
  updatedAt: at,
  updatedBy: 'Alice',
  version: 1,
};
const exampleDetail: DocumentDetail = {
  ...exampleRow,
  members: [{ userId: exampleId, name: 'Bob', right: 'write' }],
};
const exampleVersion: DocumentVersion = {
  id: exampleId,
  name: 'Draft',
  kind: 'named',
  createdAt: at,
  createdBy: 'Alice',
};
const byUser = { callers: ['user'] } as const;

/** Documents: minutes, notices and their templates. */
export const documents = {
  query: route({
    method: 'GET',
    path: `${DOCUMENT}/query`,
    ...byUser,
    summary:
      "The caller's documents: own ones, shared ones and those of meetings the caller takes part in; with `meetId` " +
      'those of a meeting, with `of=tenant` those of the organisation, for its administrators. Templates are listed ' +
      'apart. Paged.',
    input: {
      query: z.object({
        ...pageQuery,
        of: z.enum(['own', 'tenant']).default('own'),
        templates: z.stringbool().default(false),
        meetId: z.uuid().optional(),
        /** Part of the title. */
        keyword: z.string().trim().max(100).optional(),
        kind: z.enum(DOCUMENT_KINDS).optional(),
        sort: z.enum(['title', 'createdAt', 'updatedAt']).default('updatedAt'),
        order: z.enum(['ASC', 'DESC']).default('DESC'),
      }),
    },
    data: page(documentRow),
    errors: [],
    example: { query: {}, data: { records: [exampleRow], total: 1, current: 1, size: 20 } },
  }),
  show: route({
    method: 'GET',
    path: `${DOCUMENT}/:id`,
    ...byUser,
    summary: 'One document without its content, which comes over the socket /api/documents.',
    input: { params },
    data: documentDetail,
    errors: [],
    example: { params: { id: exampleId }, data: exampleDetail },
  }),
  create: route({
    method: 'POST',
    path: `${DOCUMENT}/new`,
    ...byUser,
    audit: true,
    limit: { by: 'caller', max: 60, seconds: 60 },
    summary:
      'Makes a document, empty or with the content of a template. Of a meeting, its host and stand-ins may; ' +
      "templates are made by the organisation's administrators.",
    input: {
      body: z.object({
        kind: z.enum(DOCUMENT_KINDS),
        title,
        isTemplate: z.boolean().default(false),
        templateId: z.uuid().optional(),
        meetId: z.uuid().optional(),
      }),
    },
    data: documentDetail,
    errors: [],
    example: { body: { kind: 'minutes', title: 'Ward round' }, data: exampleDetail },
  }),
  update: route({
    method: 'POST',
    path: `${DOCUMENT}/:id/update`,
    ...byUser,
    audit: true,
    summary: 'Changes title, kind and meeting of a document. `version` is the one that was edited.',
    input: {
      params,
      body: z.object({
        title,
        kind: z.enum(DOCUMENT_KINDS),
        meetId: z.uuid().nullable(),
        version: z.number().int(),
      }),
    },
    data: documentDetail,
    errors: ['CHANGED_MEANWHILE'],
    example: {
      params: { id: exampleId },
      body: { title: 'Ward round', kind: 'minutes', meetId: null, version: 1 },
      data: exampleDetail,
    },
  }),
  remove: route({
    method: 'DELETE',
    path: `${DOCUMENT}/:id`,
    ...byUser,
    audit: true,
    summary: 'Deletes a document with its versions and pictures. Those who edit it learn so at once.',
    input: { params },
    data: z.null(),
    errors: [],
    example: { params: { id: exampleId }, data: null },
  }),
  share: route({
    method: 'POST',
    path: `${DOCUMENT}/:id/members`,
    ...byUser,
    audit: true,
    summary: 'Replaces the people who may read or write a document. It holds at once, also for open editors.',
    input: {
      params,
      body: z.object({
        members: z.array(z.object({ userId: z.uuid(), right: z.enum(['read', 'write']) })).max(DOCUMENT_PEOPLE_MAX),
      }),
    },
    data: documentDetail,
    errors: ['DOCUMENT_PERSON_UNKNOWN'],
    example: {
      params: { id: exampleId },
      body: { members: [{ userId: exampleId, right: 'write' }] },
      data: exampleDetail,
    },
  }),
  addPicture: route({
    method: 'POST',
    path: `${DOCUMENT}/:id/pictures`,
    ...byUser,
    summary: 'Stores a picture for a document.',
    limit: { by: 'caller', max: 60, seconds: 60 },
    multipart: {},
    input: { params, body: z.object({}) },
    data: storedFile,
    errors: ['DOCUMENT_READ_ONLY', 'DOCUMENT_PICTURES_FULL', 'FILE_KIND_REFUSED', 'FILE_TOO_LARGE', 'FILES_TOO_MANY'],
    example: {
      params: { id: exampleId },
      body: {},
      data: { id: exampleId, name: 'plan.png', size: 20_480, kind: 'picture', picture: { width: 640, height: 480 } },
    },
  }),
  picture: route({
    method: 'GET',
    path: `${DOCUMENT}/:id/pictures/:fileId`,
    ...byUser,
    download: true,
    summary: 'A picture of a document. With `preview` it comes to be shown instead of saved.',
    limit: { by: 'caller', max: 600, seconds: 60 },
    input: {
      params: z.object({ id: z.uuid(), fileId: z.uuid() }),
      query: z.object({ preview: z.stringbool().default(false) }),
    },
    data: z.null(),
    errors: ['TICKET_INVALID'],
    example: { params: { id: exampleId, fileId: exampleId }, query: {}, data: null },
  }),
  versions: route({
    method: 'GET',
    path: `${DOCUMENT}/:id/versions`,
    ...byUser,
    summary: 'The kept versions of a document, newest first, paged.',
    input: { params, query: z.object(pageQuery) },
    data: page(documentVersion),
    errors: [],
    example: {
      params: { id: exampleId },
      query: {},
      data: { records: [exampleVersion], total: 1, current: 1, size: 20 },
    },
  }),
  keep: route({
    method: 'POST',
    path: `${DOCUMENT}/:id/versions`,
    ...byUser,
    summary: 'Keeps the content of a document as a version with a name.',
    limit: { by: 'caller', max: 30, seconds: 60 },
    input: { params, body: z.object({ name: line().min(1).max(60) }) },
    data: documentVersion,
    errors: ['DOCUMENT_READ_ONLY'],
    example: { params: { id: exampleId }, body: { name: 'Draft' }, data: exampleVersion },
  }),
  difference: route({
    method: 'GET',
    path: `${DOCUMENT}/:id/versions/:versionId`,
    ...byUser,
    summary: 'What has changed since a version: its blocks and those of the document now, in order.',
    input: { params: versionParams },
    data: z.object({ version: documentVersion, lines: z.array(differenceLine) }),
    errors: [],
    example: {
      params: { id: exampleId, versionId: exampleId },
      data: { version: exampleVersion, lines: [{ kind: 'added', type: 'paragraph', text: 'Hello' }] },
    },
  }),
  restore: route({
    method: 'POST',
    path: `${DOCUMENT}/:id/versions/:versionId/restore`,
    ...byUser,
    audit: true,
    summary: 'Restores the content of a version. What the document was before is kept as a version.',
    input: { params: versionParams },
    data: z.null(),
    errors: ['DOCUMENT_READ_ONLY', 'DOCUMENT_FULL'],
    example: { params: { id: exampleId, versionId: exampleId }, data: null },
  }),
  export: route({
    method: 'GET',
    path: `${DOCUMENT}/:id/export`,
    ...byUser,
    download: true,
    limit: { by: 'caller', max: 30, seconds: 60 },
    summary: 'A document as a file: Word (docx) or PDF.',
    input: { params, query: z.object({ format: z.enum(DOCUMENT_FORMATS) }) },
    data: z.null(),
    errors: ['TICKET_INVALID'],
    example: { params: { id: exampleId }, query: { format: 'pdf' }, data: null },
  }),
  mail: route({
    method: 'POST',
    path: `${DOCUMENT}/:id/mail`,
    ...byUser,
    audit: true,
    limit: { by: 'caller', max: 10, seconds: 60 },
    summary:
      'Sends a document as PDF by mail to people of the organisation. Answers how many mails were put into the ' +
      'queue, and who has no address.',
    input: {
      params,
      body: z.object({
        userIds: z.array(z.uuid()).min(1).max(DOCUMENT_RECIPIENTS_MAX),
        message: z.string().trim().max(1_000).default(''),
      }),
    },
    data: z.object({ sent: z.number().int(), withoutAddress: z.array(z.string()) }),
    errors: ['DOCUMENT_READ_ONLY', 'DOCUMENT_PERSON_UNKNOWN', 'DOCUMENT_MAIL_OFF', 'DOCUMENT_NO_ADDRESS'],
    example: {
      params: { id: exampleId },
      body: { userIds: [exampleId], message: 'The minutes.' },
      data: { sent: 1, withoutAddress: [] },
    },
  }),
};
