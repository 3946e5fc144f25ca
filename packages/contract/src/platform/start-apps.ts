import { z } from 'zod';
import { API_BASE } from '../constants.ts';
import { route } from '../http/route.ts';
import { line } from '../line.ts';

/** How many apps an organisation may have, and the longest texts in characters. */
export const START_APP_LIMITS = { apps: 60, name: 30, url: 500, roles: 50 } as const;

/** An app of the start page, as people see it. */
export const app = z.object({
  id: z.uuid(),
  name: z.string(),
  /** Empty: the name is the same in English. */
  nameEn: z.string(),
  /** A name from the icon gallery. */
  icon: z.string(),
  /** https, or a path of this server. */
  url: z.string(),
  /** Position on the start page, from 0. */
  order: z.number().int(),
});
export type App = z.infer<typeof app>;

const roleName = z.object({ id: z.uuid(), name: z.string(), nameEn: z.string() });
/** The same for those who manage it. */
export const startApp = app.extend({
  /** Who sees it; without roles, the whole organisation. */
  roles: z.array(roleName),
  version: z.number().int(),
});
export type StartApp = z.infer<typeof startApp>;

const details = {
  name: line().min(1).max(START_APP_LIMITS.name),
  nameEn: line().max(START_APP_LIMITS.name).default(''),
  icon: z
    .string()
    .max(60)
    .regex(/^[A-Za-z][A-Za-z0-9]*$/),
  url: z.string().trim().min(1).max(START_APP_LIMITS.url),
  roleIds: z.array(z.uuid()).max(START_APP_LIMITS.roles).default([]),
};
export type StartAppBody = z.input<z.ZodObject<typeof details>>;

const byId = z.object({ id: z.uuid() });
const manages = { callers: ['user'], permission: 'start-apps:manage' } as const;
const exampleId = '0198f6a2-7e6d-7c40-9a11-5b1f0e3c2f31';
const exampleApp: App = {
  id: exampleId,
  name: '办公门户',
  nameEn: 'Portal',
  icon: 'building',
  url: 'https://portal.example.org/',
  order: 0,
};
const exampleManaged: StartApp = { ...exampleApp, roles: [], version: 1 };
const exampleBody: StartAppBody = { name: '办公门户', nameEn: 'Portal', icon: 'building', url: exampleApp.url };

/** Apps of the start page: links of an organisation to its other systems. */
export const startApps = {
  apps: route({
    method: 'GET',
    path: `${API_BASE}/apps`,
    callers: ['user'],
    summary: 'The apps of the start page that the caller may open, in their order.',
    input: {},
    data: z.array(app),
    errors: [],
    example: { data: [exampleApp] },
  }),
  list: route({
    method: 'GET',
    path: `${API_BASE}/start-apps`,
    ...manages,
    summary: 'All apps of the start page in their order, and the roles they can be limited to.',
    input: {},
    data: z.object({ records: z.array(startApp), total: z.number().int(), roles: z.array(roleName) }),
    errors: [],
    example: { data: { records: [exampleManaged], total: 1, roles: [] } },
  }),
  create: route({
    method: 'POST',
    path: `${API_BASE}/start-apps`,
    ...manages,
    audit: true,
    summary: 'Adds an app at the end.',
    input: { body: z.object(details) },
    data: startApp,
    errors: ['START_APP_ADDRESS_REFUSED', 'START_APPS_FULL', 'START_APP_ROLE_UNKNOWN'],
    example: { body: exampleBody, data: exampleManaged },
  }),
  sort: route({
    method: 'PUT',
    path: `${API_BASE}/start-apps/order`,
    ...manages,
    audit: true,
    summary: 'Puts the apps in another order. Every app of the organisation is named once.',
    input: { body: z.object({ ids: z.array(z.uuid()).min(1).max(START_APP_LIMITS.apps) }) },
    data: z.null(),
    errors: ['CHANGED_MEANWHILE'],
    example: { body: { ids: [exampleId] }, data: null },
  }),
  update: route({
    method: 'PUT',
    path: `${API_BASE}/start-apps/:id`,
    ...manages,
    audit: true,
    summary: 'Changes an app.',
    input: { params: byId, body: z.object({ ...details, version: z.number().int() }) },
    data: startApp,
    errors: ['START_APP_ADDRESS_REFUSED', 'START_APP_ROLE_UNKNOWN', 'CHANGED_MEANWHILE'],
    example: {
      params: { id: exampleId },
      body: { ...exampleBody, version: 1 },
      data: { ...exampleManaged, version: 2 },
    },
  }),
  remove: route({
    method: 'DELETE',
    path: `${API_BASE}/start-apps/:id`,
    ...manages,
    audit: true,
    summary: 'Removes an app.',
    input: { params: byId },
    data: z.null(),
    errors: [],
    example: { params: { id: exampleId }, data: null },
  }),
};
