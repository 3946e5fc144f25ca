import { z } from 'zod';
import { API_BASE, PLATFORM_TENANT_ID } from '../constants.ts';
import { page, pageQuery } from '../http/envelope.ts';
import { officeLimit, officeLimitByCaller, route } from '../http/route.ts';

/** Types of client packages (product document, section 3: the list of the user app; 9 is Linux for UOS on ARM). */
export const CLIENT_PACKAGE_TYPES = {
  android: 1,
  ios: 2,
  windows: 3,
  mac: 4,
  rooms: 5,
  roomsAndroid: 6,
  uosArm: 9,
  kylinArm: 10,
  kylinX86: 11,
  harmony: 14,
  maxhubAndroid: 21,
  maxhubIos: 22,
} as const;
export type ClientPackageName = keyof typeof CLIENT_PACKAGE_TYPES;
export const CLIENT_PACKAGE_NAMES = Object.keys(CLIENT_PACKAGE_TYPES) as ClientPackageName[];
const TYPE_CODES: readonly number[] = Object.values(CLIENT_PACKAGE_TYPES);

/** The keys of package URLs (product document, section 3), and those of the types that it names no key for. */
export const PACKAGE_URL_KEYS = {
  android: 'androidPackageUrl',
  ios: 'iosPackageUrl',
  windows: 'windowsPackageUrl',
  mac: 'macPackageUrl',
  rooms: 'rmeetRoomPackageUrl',
  roomsAndroid: 'rmeetRoomAndroidPkgUrl',
  uosArm: 'linuxUosArm',
  kylinArm: 'linuxKylinArm',
  kylinX86: 'linuxKylinX86',
  harmony: 'harmonyPackageUrl',
  maxhubAndroid: 'maxhubAndroidPkgUrl',
  maxhubIos: 'maxhubIosPackageUrl',
} as const satisfies Record<ClientPackageName, string>;

/**
 * The parameter `type` of the page /downloads counts differently (product document, section 3, the second reading):
 * 9 is Kylin on ARM and 10 is UOS on ARM.
 */
export const DOWNLOADS_PAGE_TYPES = {
  1: 'android',
  2: 'ios',
  3: 'windows',
  4: 'mac',
  5: 'rooms',
  6: 'roomsAndroid',
  9: 'kylinArm',
  10: 'uosArm',
} as const satisfies Record<number, ClientPackageName>;

/** Types whose packages come from a store: systems install no file of them. */
export const LINK_ONLY_TYPES: readonly number[] = [CLIENT_PACKAGE_TYPES.ios, CLIENT_PACKAGE_TYPES.maxhubIos];

/** The endings of file names by type; the content is checked, too. */
export const PACKAGE_ENDINGS: Record<ClientPackageName, readonly string[]> = {
  android: ['apk'],
  ios: [],
  windows: ['exe', 'msi'],
  mac: ['dmg', 'pkg'],
  rooms: ['exe', 'msi'],
  roomsAndroid: ['apk'],
  uosArm: ['deb'],
  kylinArm: ['deb', 'rpm'],
  kylinX86: ['deb', 'rpm'],
  harmony: ['hap', 'app'],
  maxhubAndroid: ['apk'],
  maxhubIos: [],
};

/** The largest package, bytes, and how long its upload may take, ms. */
export const PACKAGE_BYTES = 2 * 2 ** 30;
export const PACKAGE_UPLOAD_TIMEOUT = 2 * 3_600_000;
/** Tenants of one roll-out. */
export const ROLLOUT_TENANTS = 500;

/** The name of a type by its code; undefined for an unknown one. */
export function packageNameOf(type: number): ClientPackageName | undefined {
  return CLIENT_PACKAGE_NAMES.find((name) => CLIENT_PACKAGE_TYPES[name] === type);
}

/** Orders versions by their numbers: 1.9 before 1.10, and 2 equals 2.0. Negative if `a` is the older one. */
export function compareVersions(a: string, b: string): number {
  const [left, right] = [a, b].map((version) => version.split('.').map(Number));
  for (let at = 0; at < Math.max(left?.length ?? 0, right?.length ?? 0); at += 1) {
    const difference = (left?.[at] ?? 0) - (right?.[at] ?? 0);
    if (difference !== 0) return difference;
  }
  return 0;
}

const type = z
  .number()
  .int()
  .refine((code) => TYPE_CODES.includes(code));
/** One to four numbers with points: 3.2.0. */
const version = z
  .string()
  .trim()
  .regex(/^\d{1,6}(\.\d{1,6}){0,3}$/);
const link = z
  .url({ protocol: /^https$/ })
  .max(1_000)
  .refine((url) => !/[\s"'<>\\]/.test(url));

/** Who is offered a package: everyone, a part of the accounts, or the accounts of some tenants. */
const rollout = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('all') }),
  z.object({ kind: z.literal('percent'), percent: z.number().int().min(1).max(99) }),
  z.object({ kind: z.literal('tenants'), tenantIds: z.array(z.uuid()).min(1).max(ROLLOUT_TENANTS) }),
]);
export type Rollout = z.infer<typeof rollout>;

/** A package as it is offered to people and to installed clients. */
export const offeredPackage = z.object({
  id: z.uuid(),
  type,
  /** Its key among the package URLs (PACKAGE_URL_KEYS). */
  key: z.string(),
  version,
  /** Clients older than this must update; null: none must. */
  minimalVersion: version.nullable(),
  /** Absolute: the address of the file on this server, or the link. */
  url: z.string(),
  /** Of an uploaded file; null for a link. Bytes, and SHA-256 in hexadecimal. */
  file: z.object({ name: z.string(), size: z.number().int(), sha256: z.string() }).nullable(),
  notes: z.string(),
  publishedAt: z.iso.datetime(),
});
export type OfferedPackage = z.infer<typeof offeredPackage>;

/** A package as the platform's administrators see it. */
export const clientPackage = offeredPackage.extend({
  rollout,
  /** The names of the tenants of its roll-out. */
  tenants: z.array(z.object({ id: z.uuid(), name: z.string() })),
  /** The newest one of its type that everyone is offered. */
  isCurrent: z.boolean(),
  withdrawnAt: z.iso.datetime().nullable(),
  publishedBy: z.string(),
  /** Counts changes; sent back with the next one. */
  edition: z.number().int(),
});
export type ClientPackage = z.infer<typeof clientPackage>;

const details = {
  minimalVersion: version.nullable().default(null),
  notes: z.string().trim().max(1_000).default(''),
  rollout: rollout.default({ kind: 'all' }),
};
const described = { ...details, type, version };

const PATH = `${API_BASE}/client-packages`;
const manages = { callers: ['operator'], permission: 'client-packages:manage' } as const;
const params = z.object({ id: z.uuid() });
const exampleId = '0198f6a2-7e6d-7c40-9a11-5b1f0e3c2f51';
const exampleOffer: OfferedPackage = {
  id: exampleId,
  type: CLIENT_PACKAGE_TYPES.windows,
  key: PACKAGE_URL_KEYS.windows,
  version: '3.4.0',
  minimalVersion: '3.2',
  url: `https://meet.example.org${PATH}/file/${exampleId}`,
  file: { name: 'Rmeet-3.4.0.exe', size: 98_304_000, sha256: 'a'.repeat(64) },
  notes: '',
  publishedAt: '2026-11-20T08:00:00.000Z',
};
const examplePackage: ClientPackage = {
  ...exampleOffer,
  rollout: { kind: 'percent', percent: 20 },
  tenants: [],
  isCurrent: false,
  withdrawnAt: null,
  publishedBy: 'Root',
  edition: 1,
};

/** Packages of the clients (docs/features/client-packages.md). The rows belong to the platform. */
export const clientPackages = {
  list: route({
    method: 'GET',
    path: PATH,
    callers: ['anyone', 'user', 'operator'],
    limit: officeLimitByCaller,
    summary:
      'The newest package of each type that the caller is offered; without an account those for everyone. With `url` ' +
      'the package with this address replaces the one of its type, if it is published.',
    input: { query: z.object({ url: z.string().max(1_200).optional() }) },
    data: z.array(offeredPackage),
    errors: [],
    example: { query: {}, data: [exampleOffer] },
  }),
  file: route({
    method: 'GET',
    path: `${PATH}/file/:id`,
    callers: ['anyone'],
    download: true,
    limit: officeLimit,
    summary: 'An uploaded package, always to be saved. Answers ranges.',
    input: { params },
    data: z.null(),
    errors: ['PACKAGE_WITHDRAWN'],
    example: { params: { id: exampleId }, data: null },
  }),
  query: route({
    method: 'GET',
    path: `${PATH}/query`,
    ...manages,
    summary: 'All packages, paged; by type, and of each type the newest version first.',
    input: {
      query: z.object({
        ...pageQuery,
        /** Part of the version, the file name, the link or the notes. */
        keyword: z.string().trim().max(100).optional(),
        type: z.coerce.number().pipe(type).optional(),
        state: z.enum(['published', 'withdrawn']).optional(),
      }),
    },
    data: page(clientPackage),
    errors: [],
    example: { query: {}, data: { records: [examplePackage], total: 1, current: 1, size: 20 } },
  }),
  check: route({
    method: 'POST',
    path: `${PATH}/check`,
    ...manages,
    stepUp: true,
    summary: 'Checks what a new package says before its file is sent, which may take long. Changes nothing.',
    input: { body: z.object(described) },
    data: z.null(),
    errors: ['PACKAGE_VERSION_TAKEN', 'PACKAGE_MINIMUM_ABOVE', 'ROLLOUT_TENANT_UNKNOWN'],
    example: { body: { type: CLIENT_PACKAGE_TYPES.windows, version: '3.4.0' }, data: null },
  }),
  create: route({
    method: 'POST',
    path: PATH,
    ...manages,
    stepUp: true,
    audit: true,
    multipart: {},
    timeout: PACKAGE_UPLOAD_TIMEOUT,
    summary:
      'Publishes a package: a file of at most 2 GiB, which is checked against its type, or an https link. iOS takes ' +
      'links only.',
    input: { body: z.object({ ...described, link: link.nullable().default(null) }) },
    data: clientPackage,
    errors: [
      'FILE_TOO_LARGE',
      'FILES_TOO_MANY',
      'PACKAGE_SOURCE_REQUIRED',
      'PACKAGE_LINK_ONLY',
      'PACKAGE_KIND_WRONG',
      'PACKAGE_VERSION_TAKEN',
      'PACKAGE_MINIMUM_ABOVE',
      'ROLLOUT_TENANT_UNKNOWN',
    ],
    example: {
      body: {
        type: CLIENT_PACKAGE_TYPES.windows,
        version: '3.4.0',
        link: 'https://downloads.example.org/Rmeet-3.4.0.exe',
      },
      data: examplePackage,
    },
  }),
  update: route({
    method: 'PUT',
    path: `${PATH}/:id`,
    ...manages,
    audit: true,
    summary: 'Changes roll-out, minimal version and notes of a package. `edition` is the one that was edited.',
    input: { params, body: z.object({ ...details, edition: z.number().int() }) },
    data: clientPackage,
    errors: ['CHANGED_MEANWHILE', 'PACKAGE_MINIMUM_ABOVE', 'ROLLOUT_TENANT_UNKNOWN'],
    example: {
      params: { id: exampleId },
      body: { rollout: { kind: 'tenants', tenantIds: [PLATFORM_TENANT_ID] }, edition: 1 },
      data: examplePackage,
    },
  }),
  withdraw: route({
    method: 'POST',
    path: `${PATH}/:id/withdraw`,
    ...manages,
    audit: true,
    summary: 'Withdraws a package, which is offered and downloaded no more, or publishes it again.',
    input: { params, body: z.object({ withdrawn: z.boolean() }) },
    data: clientPackage,
    errors: ['PACKAGE_VERSION_TAKEN'],
    example: { params: { id: exampleId }, body: { withdrawn: true }, data: examplePackage },
  }),
  remove: route({
    method: 'DELETE',
    path: `${PATH}/:id`,
    ...manages,
    audit: true,
    summary: 'Deletes a withdrawn package with its file.',
    input: { params },
    data: z.null(),
    errors: ['PACKAGE_PUBLISHED'],
    example: { params: { id: exampleId }, data: null },
  }),
};
