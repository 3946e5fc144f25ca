import { z } from 'zod';
import { MEGABYTE } from '../conferences/chat-files.ts';
import { API_BASE } from '../constants.ts';
import { page, pageQuery } from '../http/envelope.ts';
import { route } from '../http/route.ts';
import { FILE_KINDS } from '../platform/files.ts';
import { exampleMeetingId } from './meeting-types.ts';

const BASE = `${API_BASE}/meetingFile`;
/** Where the bytes of an upload are sent (tus 1.0): HEAD, PATCH and DELETE of `/{id}`; meetingFiles.startUpload. */
export const UPLOAD_PATH = `${BASE}/upload`;

/** Limits of the files of a meeting; those of a booking (LIMITS.files) are separate. */
export const MEETING_FILE_LIMITS = {
  /** Largest file, bytes. */
  bytes: 10 * 1024 * MEGABYTE,
  /** Files and folders per meeting. */
  files: 20_000,
  folders: 500,
  /** How deep folders may be in folders. */
  depth: 5,
  /** Versions of a file; older ones are deleted. */
  versions: 20,
  /** Requests in which a file may arrive: each keeps the bytes that it brought. */
  pieces: 5_000,
  /** Unfinished uploads of a person. */
  uploads: 200,
  name: 120,
  /** How long an upload that receives nothing can be continued. */
  uploadHours: 48,
  /** Of a text, what pages show; bytes. */
  text: MEGABYTE,
  /** Seconds for which the address of a preview works. */
  previewSeconds: 3_600,
} as const;

/** Who sees a file: all people of the meeting, or those who may manage it. */
export const FILE_AUDIENCES = ['members', 'managers'] as const;
/** The virus scan of a file. `off`: no scanner is set up; `tooLarge`: the scanner does not take files of its size. */
export const FILE_SCANS = ['off', 'pending', 'clean', 'infected', 'tooLarge'] as const;
/** How pages show a file. `office`: as a PDF, where the server has a converter. */
export const FILE_PREVIEWS = ['picture', 'pdf', 'text', 'video', 'audio', 'office'] as const;
/** By what the files of a folder are sorted: name, size, or when their newest version arrived. */
export const FILE_SORTS = ['name', 'at', 'size'] as const;
export type FileSort = (typeof FILE_SORTS)[number];
export type FilePreview = (typeof FILE_PREVIEWS)[number];

const name = z.string().trim().min(1).max(MEETING_FILE_LIMITS.name);
const byId = z.object({ id: z.uuid() });
const can = z.object({ change: z.boolean(), remove: z.boolean() });

const folder = z.object({ id: z.uuid(), name: z.string(), createdAt: z.iso.datetime(), can });
export type MeetingFolder = z.infer<typeof folder>;

const document = z.object({
  id: z.uuid(),
  folderId: z.uuid().nullable(),
  name: z.string(),
  /** Bytes. */
  size: z.number().int(),
  kind: z.enum(FILE_KINDS),
  /** Null if pages cannot show it. */
  preview: z.enum(FILE_PREVIEWS).nullable(),
  scan: z.enum(FILE_SCANS),
  audience: z.enum(FILE_AUDIENCES),
  /** Hidden from members until the meeting starts. */
  secretUntilStart: z.boolean(),
  version: z.number().int(),
  by: z.object({ userId: z.uuid(), name: z.string() }),
  /** When its newest version arrived. */
  at: z.iso.datetime(),
  can,
});
export type MeetingDocument = z.infer<typeof document>;

const version = z.object({
  version: z.number().int(),
  size: z.number().int(),
  scan: z.enum(FILE_SCANS),
  by: z.object({ userId: z.uuid(), name: z.string() }),
  at: z.iso.datetime(),
});
export type MeetingFileVersion = z.infer<typeof version>;

const upload = z.object({
  id: z.uuid(),
  name: z.string(),
  size: z.number().int(),
  /** Bytes that have arrived; the upload continues there. */
  received: z.number().int(),
  folderId: z.uuid().nullable(),
  /** The file of which it is the next version; null: a new file. */
  fileId: z.uuid().nullable(),
  expiresAt: z.iso.datetime(),
});
export type MeetingUpload = z.infer<typeof upload>;

const listing = z.object({
  meetId: z.uuid(),
  subject: z.string(),
  /** From the outermost folder to the one that is listed; empty for the files of the meeting itself. */
  path: z.array(z.object({ id: z.uuid(), name: z.string() })),
  folders: z.array(folder),
  files: page(document),
  /** Files that were sent with the booking; in the outermost folder only. */
  booked: z.array(z.object({ id: z.uuid(), name: z.string(), size: z.number().int() })),
  /** The caller's own uploads that are not complete. */
  uploads: z.array(upload),
  /** `add`: files and folders; `manage`: who may see a file, and when. */
  can: z.object({ add: z.boolean(), manage: z.boolean() }),
  /** Bytes that the organisation uses, and its limit; null: none. */
  space: z.object({ used: z.number().int(), limit: z.number().int().nullable() }),
});
export type MeetingFileList = z.infer<typeof listing>;

const exampleId = '0198f6a2-0000-7c40-9a11-5b1f0e3c2d44';
const exampleBy = { userId: '0198f6a2-0000-7c40-9a11-5b1f0e3c2d10', name: 'Alice' };
const exampleCan = { change: true, remove: true };
const exampleFolder = { id: exampleId, name: 'Slides', createdAt: '2026-11-01T08:00:00.000Z', can: exampleCan };
const exampleDocument = {
  id: exampleId,
  folderId: null,
  name: 'plan.pdf',
  size: 20_480,
  kind: 'document' as const,
  preview: 'pdf' as const,
  scan: 'off' as const,
  audience: 'members' as const,
  secretUntilStart: false,
  version: 1,
  by: exampleBy,
  at: '2026-11-01T08:00:00.000Z',
  can: exampleCan,
};
const exampleUpload = {
  id: exampleId,
  name: 'plan.pdf',
  size: 20_480,
  received: 0,
  folderId: null,
  fileId: null,
  expiresAt: '2026-11-03T08:00:00.000Z',
};
const exampleList = {
  meetId: exampleMeetingId,
  subject: 'Ward round',
  path: [],
  folders: [exampleFolder],
  files: { records: [exampleDocument], total: 1, current: 1, size: 50 },
  booked: [],
  uploads: [],
  can: { add: true, manage: true },
  space: { used: 20_480, limit: null },
};

const callers = ['user'] as const;
const ofFiles = { callers, permission: 'sys:uploadMeetingFile' } as const;
const audience = z.enum(FILE_AUDIENCES);

/**
 * Files of meetings, before, during and after them. Those of a booking are sent with it: meetings.createLocal,
 * meetings.updateWithFile. All others are uploaded by tus 1.0: startUpload creates the upload, UPLOAD_PATH takes it.
 */
export const meetingFiles = {
  list: route({
    method: 'GET',
    path: `${BASE}/list`,
    callers,
    summary: 'The folders and files of a meeting that the caller may see, in one folder; `keyword` searches it.',
    input: {
      query: z.object({
        meetId: z.uuid(),
        folderId: z.uuid().optional(),
        /** Part of the names of files and folders. */
        keyword: z.string().trim().max(100).optional(),
        sort: z.enum(FILE_SORTS).default('name'),
        order: z.enum(['ASC', 'DESC']).default('ASC'),
        ...pageQuery,
        size: pageQuery.size.default(50),
      }),
    },
    data: listing,
    errors: [],
    example: { query: { meetId: exampleMeetingId }, data: exampleList },
  }),
  createFolder: route({
    method: 'POST',
    path: `${BASE}/folder`,
    ...ofFiles,
    audit: true,
    summary: 'A new folder in a meeting, or in one of its folders.',
    input: { body: z.object({ meetId: z.uuid(), parentId: z.uuid().nullable().default(null), name }) },
    data: folder,
    errors: ['FOLDER_EXISTS', 'FOLDERS_TOO_MANY', 'FOLDER_TOO_DEEP'],
    example: { body: { meetId: exampleMeetingId, name: 'Slides' }, data: exampleFolder },
  }),
  renameFolder: route({
    method: 'PUT',
    path: `${BASE}/folder/:id`,
    ...ofFiles,
    audit: true,
    summary: 'Renames a folder, for those who made it and those who manage the meeting.',
    input: { params: byId, body: z.object({ name }) },
    data: folder,
    errors: ['FOLDER_EXISTS'],
    example: { params: { id: exampleId }, body: { name: 'Slides' }, data: exampleFolder },
  }),
  removeFolder: route({
    method: 'DELETE',
    path: `${BASE}/folder/:id`,
    ...ofFiles,
    audit: true,
    summary: 'Deletes a folder with all in it, for those who manage the meeting; an empty one also for its maker.',
    input: { params: byId },
    data: z.null(),
    errors: [],
    example: { params: { id: exampleId }, data: null },
  }),
  startUpload: route({
    method: 'POST',
    path: UPLOAD_PATH,
    ...ofFiles,
    audit: true,
    summary: 'Begins the upload of a file, or of the next version of one. Its bytes follow by tus 1.0.',
    input: {
      body: z.object({
        meetId: z.uuid(),
        folderId: z.uuid().nullable().default(null),
        /** The next version of this file; its name, folder and audience stay. */
        fileId: z.uuid().nullable().default(null),
        name: z.string().trim().min(1).max(255),
        size: z.number().int().min(0).max(Number.MAX_SAFE_INTEGER),
        audience: audience.default('members'),
        secretUntilStart: z.boolean().default(false),
      }),
    },
    data: upload,
    errors: [
      'FILE_TOO_LARGE',
      'FILE_EMPTY',
      'FILE_KIND_REFUSED',
      'MEETING_FILES_FULL',
      'MEETING_FILE_SPACE_FULL',
      'UPLOADS_TOO_MANY',
    ],
    example: { body: { meetId: exampleMeetingId, name: 'plan.pdf', size: 20_480 }, data: exampleUpload },
  }),
  change: route({
    method: 'PUT',
    path: `${BASE}/file/:id`,
    ...ofFiles,
    audit: true,
    summary: 'Renames or moves a file, or changes who sees it and when; the latter for managers of the meeting only.',
    input: {
      params: byId,
      body: z.object({
        name: name.optional(),
        folderId: z.uuid().nullable().optional(),
        audience: audience.optional(),
        secretUntilStart: z.boolean().optional(),
      }),
    },
    data: document,
    errors: ['FILE_KIND_REFUSED'],
    example: { params: { id: exampleId }, body: { name: 'plan.pdf' }, data: exampleDocument },
  }),
  remove: route({
    method: 'DELETE',
    path: `${BASE}/file/:id`,
    ...ofFiles,
    audit: true,
    summary: 'Deletes a file with all its versions, for those who sent it and those who manage the meeting.',
    input: { params: byId },
    data: z.null(),
    errors: [],
    example: { params: { id: exampleId }, data: null },
  }),
  versions: route({
    method: 'GET',
    path: `${BASE}/file/:id/versions`,
    callers,
    summary: 'The versions of a file, the newest first.',
    input: { params: byId },
    data: z.array(version),
    errors: [],
    example: {
      params: { id: exampleId },
      data: [{ version: 1, size: 20_480, scan: 'off', by: exampleBy, at: '2026-11-01T08:00:00.000Z' }],
    },
  }),
  preview: route({
    method: 'POST',
    path: `${BASE}/file/:id/preview`,
    callers,
    summary: 'An address at which pages can show a file for an hour; `converting`: ask again in two seconds.',
    input: { params: byId },
    data: z.object({
      state: z.enum(['ready', 'converting']),
      as: z.enum(['picture', 'pdf', 'text', 'video', 'audio']),
      /** Empty while it is being converted. */
      url: z.string(),
    }),
    errors: ['FILE_NOT_SHOWN', 'FILE_BEING_SCANNED', 'FILE_INFECTED', 'FILE_NOT_SCANNED'],
    example: {
      params: { id: exampleId },
      data: { state: 'ready', as: 'pdf', url: `${BASE}/file/shown/abc` },
    },
  }),
  shown: route({
    method: 'GET',
    path: `${BASE}/file/shown/:sign`,
    callers: ['anyone'],
    download: true,
    summary: 'The content of a preview, by its signed address. It runs nothing, wherever it is opened.',
    input: { params: z.object({ sign: z.string().max(200) }) },
    data: z.null(),
    errors: ['PREVIEW_EXPIRED'],
    example: { params: { sign: 'abc' }, data: null },
  }),
  download: route({
    method: 'GET',
    path: `${BASE}/file/download/:id`,
    callers,
    download: true,
    summary: 'A file of a meeting, for those who may see it; without `version`, the newest one.',
    input: { params: byId, query: z.object({ version: z.coerce.number().int().min(1).optional() }) },
    data: z.null(),
    errors: ['TICKET_INVALID', 'FILE_BEING_SCANNED', 'FILE_INFECTED', 'FILE_NOT_SCANNED'],
    example: { params: { id: exampleMeetingId }, data: null },
  }),
  downloadDic: route({
    method: 'GET',
    path: `${BASE}/file/downloadDic/:id`,
    callers,
    download: true,
    summary:
      'All files of a folder with the folders in it, zipped; by the id of a meeting, all its files. Files that are ' +
      'infected or not scanned yet are left out.',
    input: { params: byId },
    data: z.null(),
    errors: ['TICKET_INVALID', 'FOLDER_EMPTY'],
    example: { params: { id: exampleMeetingId }, data: null },
  }),
};
