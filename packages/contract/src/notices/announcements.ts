import { z } from 'zod';
import { department } from '../accounts/users.ts';
import { API_BASE } from '../constants.ts';
import { page, pageQuery } from '../http/envelope.ts';
import { route } from '../http/route.ts';
import { line } from '../line.ts';

/** Longest texts (characters), and how many departments, roles and people an announcement can be aimed at. */
export const ANNOUNCEMENT_LIMITS = {
  title: 120,
  body: 8_000,
  url: 500,
  departments: 200,
  roles: 50,
  accounts: 500,
  /** Current announcements in one answer, the newest. */
  current: 200,
} as const;

/**
 * `draft`: not published yet; `scheduled`: published, its time has not come; `running`: people see it; `over`: its time
 * is over; `withdrawn`: taken back.
 */
export const ANNOUNCEMENT_STATUSES = ['draft', 'scheduled', 'running', 'over', 'withdrawn'] as const;
export type AnnouncementStatus = (typeof ANNOUNCEMENT_STATUSES)[number];

/** On topic `user`: the caller's current announcements may have changed. */
export const announcementsEvent = z.object({ type: z.literal('announcementsChanged') });

/** An announcement as its readers see it. */
export const currentAnnouncement = z.object({
  id: z.uuid(),
  title: z.string(),
  /** Text with light marks (announcementBlocks); never HTML. */
  body: z.string(),
  /** A page about it; empty for none. */
  url: z.string(),
  /** Pages show it in a dialog until it is read. */
  important: z.boolean(),
  /** Whether the platform wrote it, for all organisations. */
  byPlatform: z.boolean(),
  /** Since when it is shown, and until when; null: until it is withdrawn. */
  from: z.iso.datetime(),
  until: z.iso.datetime().nullable(),
  readAt: z.iso.datetime().nullable(),
});
export type CurrentAnnouncement = z.infer<typeof currentAnnouncement>;

const roleName = z.object({ id: z.uuid(), name: z.string(), nameEn: z.string() });

/** An announcement as those who manage it see it. */
export const announcement = z.object({
  id: z.uuid(),
  title: z.string(),
  body: z.string(),
  url: z.string(),
  important: z.boolean(),
  /** The platform's own are for the whole of all organisations. A department includes all departments below it. */
  aimedAt: z.object({
    wholeTenant: z.boolean(),
    departments: z.array(z.string()),
    roles: z.array(roleName),
    accounts: z.array(z.object({ userId: z.uuid(), name: z.string() })),
  }),
  /** When it is to be shown; null: from its publication. */
  from: z.iso.datetime().nullable(),
  until: z.iso.datetime().nullable(),
  status: z.enum(ANNOUNCEMENT_STATUSES),
  publishedAt: z.iso.datetime().nullable(),
  /** Name of the account that wrote it. */
  author: z.string(),
  /** How many people it is aimed at now, and how many of them have read it. */
  aimed: z.number().int(),
  read: z.number().int(),
  createdAt: z.iso.datetime(),
  version: z.number().int(),
});
export type Announcement = z.infer<typeof announcement>;

const aim = z
  .object({
    wholeTenant: z.boolean().default(false),
    departments: z
      .array(department.refine((path) => path !== ''))
      .max(ANNOUNCEMENT_LIMITS.departments)
      .default([]),
    roleIds: z.array(z.uuid()).max(ANNOUNCEMENT_LIMITS.roles).default([]),
    userIds: z.array(z.uuid()).max(ANNOUNCEMENT_LIMITS.accounts).default([]),
  })
  .refine(
    ({ wholeTenant, departments, roleIds, userIds }) =>
      wholeTenant || departments.length + roleIds.length + userIds.length > 0,
  );
const time = z.iso.datetime({ offset: true }).nullable().default(null);

const details = {
  title: line().min(1).max(ANNOUNCEMENT_LIMITS.title),
  body: z.string().max(ANNOUNCEMENT_LIMITS.body),
  url: z.string().trim().max(ANNOUNCEMENT_LIMITS.url).default(''),
  important: z.boolean().default(false),
  aimedAt: aim,
  from: time,
  until: time,
};
export type AnnouncementBody = z.input<z.ZodObject<typeof details>>;

/** One of the people an announcement is aimed at. */
export const announcementReader = z.object({
  userId: z.uuid(),
  name: z.string(),
  department: z.string(),
  /** Name of the organisation; empty for announcements of an organisation. */
  tenantName: z.string(),
  /** Null: not read yet. */
  readAt: z.iso.datetime().nullable(),
});
export type AnnouncementReader = z.infer<typeof announcementReader>;

const byId = z.object({ id: z.uuid() });
const versioned = z.object({ version: z.number().int() });
const manages = { callers: ['user', 'operator'], permission: 'announcements:manage' } as const;

const exampleId = '0198f6a2-7e6d-7c40-9a11-5b1f0e3c2f21';
const exampleCurrent: CurrentAnnouncement = {
  id: exampleId,
  title: 'Maintenance on Saturday',
  body: 'The service is **not available** from 22:00 to 23:00.',
  url: 'https://status.example.org/',
  important: false,
  byPlatform: false,
  from: '2026-11-20T08:00:00.000Z',
  until: null,
  readAt: null,
};
const exampleAnnouncement: Announcement = {
  id: exampleId,
  title: exampleCurrent.title,
  body: exampleCurrent.body,
  url: exampleCurrent.url,
  important: false,
  aimedAt: { wholeTenant: true, departments: [], roles: [], accounts: [] },
  from: null,
  until: null,
  status: 'running',
  publishedAt: '2026-11-20T08:00:00.000Z',
  author: 'Admin',
  aimed: 1_200,
  read: 340,
  createdAt: '2026-11-20T07:50:00.000Z',
  version: 2,
};
const exampleBody: AnnouncementBody = {
  title: exampleCurrent.title,
  body: exampleCurrent.body,
  url: exampleCurrent.url,
  aimedAt: { wholeTenant: true },
};

/** Announcements of an organisation to its people, and of the platform to all people. */
export const announcements = {
  current: route({
    method: 'GET',
    path: `${API_BASE}/rmeetadv/searchAdvForPersion`,
    callers: ['user'],
    summary: "The caller's current announcements, the newest first, and how many of them are unread.",
    input: {},
    data: z.object({ records: z.array(currentAnnouncement), total: z.number().int(), unread: z.number().int() }),
    errors: [],
    example: { data: { records: [exampleCurrent], total: 1, unread: 1 } },
  }),
  markAllRead: route({
    method: 'PUT',
    path: `${API_BASE}/announcements/read`,
    callers: ['user'],
    summary: "Marks all of the caller's current announcements as read.",
    input: {},
    data: z.object({ unread: z.number().int() }),
    errors: [],
    example: { data: { unread: 0 } },
  }),
  markRead: route({
    method: 'PUT',
    path: `${API_BASE}/announcements/:id/read`,
    callers: ['user'],
    summary: "Marks one of the caller's current announcements as read.",
    input: { params: byId },
    data: z.object({ unread: z.number().int() }),
    errors: [],
    example: { params: { id: exampleId }, data: { unread: 3 } },
  }),
  list: route({
    method: 'GET',
    path: `${API_BASE}/announcements`,
    ...manages,
    summary:
      "The organisation's announcements, or for operators the platform's own, the newest first, paged; " +
      'how many people each is aimed at, and how many of them have read it.',
    input: {
      query: z.object({
        ...pageQuery,
        keyword: z.string().trim().max(60).optional(),
        status: z.enum(ANNOUNCEMENT_STATUSES).optional(),
      }),
    },
    data: page(announcement),
    errors: [],
    example: { query: {}, data: { records: [exampleAnnouncement], total: 1, current: 1, size: 20 } },
  }),
  roles: route({
    method: 'GET',
    path: `${API_BASE}/announcements/roles`,
    ...manages,
    summary: 'The roles of people, at which announcements can be aimed.',
    input: {},
    data: z.array(roleName),
    errors: [],
    example: { data: [{ id: exampleId, name: '员工', nameEn: 'Staff' }] },
  }),
  create: route({
    method: 'POST',
    path: `${API_BASE}/announcements`,
    ...manages,
    audit: true,
    summary: 'Writes an announcement as a draft. HTML is removed from its text.',
    input: { body: z.object(details) },
    data: announcement,
    errors: ['ANNOUNCEMENT_EMPTY', 'ANNOUNCEMENT_LINK_REFUSED', 'ANNOUNCEMENT_TIMES', 'ANNOUNCEMENT_AUDIENCE_UNKNOWN'],
    example: { body: exampleBody, data: { ...exampleAnnouncement, status: 'draft', publishedAt: null, version: 1 } },
  }),
  update: route({
    method: 'PUT',
    path: `${API_BASE}/announcements/:id`,
    ...manages,
    audit: true,
    summary: 'Changes an announcement; of a published one, readers see the change at once.',
    input: { params: byId, body: z.object(details).extend(versioned.shape) },
    data: announcement,
    errors: [
      'ANNOUNCEMENT_EMPTY',
      'ANNOUNCEMENT_LINK_REFUSED',
      'ANNOUNCEMENT_TIMES',
      'ANNOUNCEMENT_AUDIENCE_UNKNOWN',
      'CHANGED_MEANWHILE',
    ],
    example: { params: { id: exampleId }, body: { ...exampleBody, version: 1 }, data: exampleAnnouncement },
  }),
  publish: route({
    method: 'POST',
    path: `${API_BASE}/announcements/:id/publish`,
    ...manages,
    audit: true,
    summary: 'Publishes a draft or withdrawn announcement: people see it at once, or from its time on.',
    input: { params: byId, body: versioned },
    data: announcement,
    errors: ['ANNOUNCEMENT_TIMES', 'ANNOUNCEMENT_PUBLISHED', 'CHANGED_MEANWHILE'],
    example: { params: { id: exampleId }, body: { version: 1 }, data: exampleAnnouncement },
  }),
  withdraw: route({
    method: 'POST',
    path: `${API_BASE}/announcements/:id/withdraw`,
    ...manages,
    audit: true,
    summary: 'Takes a published announcement back: it disappears from all pages.',
    input: { params: byId, body: versioned },
    data: announcement,
    errors: ['ANNOUNCEMENT_NOT_PUBLISHED', 'CHANGED_MEANWHILE'],
    example: {
      params: { id: exampleId },
      body: { version: 2 },
      data: { ...exampleAnnouncement, status: 'withdrawn', version: 3 },
    },
  }),
  remove: route({
    method: 'DELETE',
    path: `${API_BASE}/announcements/:id`,
    ...manages,
    audit: true,
    summary: 'Deletes an announcement that people do not see, and the record of who read it.',
    input: { params: byId },
    data: z.null(),
    errors: ['ANNOUNCEMENT_PUBLISHED'],
    example: { params: { id: exampleId }, data: null },
  }),
  readers: route({
    method: 'GET',
    path: `${API_BASE}/announcements/:id/readers`,
    ...manages,
    summary: 'Who of the people an announcement is aimed at has read it, the latest first; or who has not, by name.',
    input: { params: byId, query: z.object({ ...pageQuery, read: z.stringbool().default(true) }) },
    data: page(announcementReader),
    errors: [],
    example: {
      params: { id: exampleId },
      query: {},
      data: {
        records: [
          {
            userId: exampleId,
            name: 'Alice',
            department: 'Cardiology',
            tenantName: '',
            readAt: '2026-11-20T09:00:00.000Z',
          },
        ],
        total: 1,
        current: 1,
        size: 20,
      },
    },
  }),
};
