/** Fixed numbers and names of the product (product document, sections 3 and 9). Times in ms unless named otherwise. */
export const API_BASE = '/api/api/v1';
export const REQUEST_TIMEOUT = 30_000;
/** Calls with files have a longer timeout. */
export const UPLOAD_TIMEOUT = 600_000;
export const CHUNK_LOAD_TIMEOUT = 120_000;
export const SCAN_LOGON_TIMEOUT = 600_000;
export const ACTIVITY_POLL = 60_000;
export const UNAUTHORIZED_DELAY = 200;
export const TOAST_DURATION = 3_000;
export const ONE_DAY = 86_400_000;
export const USER_LOOKUP_SIZE = 10_000;
export const EMPTY_CONTACT = '--';
export const CLIENT_SHELL_VERSION = 332;
export const DRAWER_WIDTH = 600;
export const TOTAL_COUNT_LIMIT = 10_000;

/**
 * A search by keyword, over all meetings of a tenant or all held ones, returns at most this many matches; of more, the
 * newest ones, or the first in the order of time.
 */
export const SEARCH_COUNT_LIMIT = 1_000;
export const DEFAULT_RESOURCE_PREFIX = 'rz';
/** The tenant of rows that belong to no customer, and of the operators. Fixed, so that code needs no lookup. */
export const PLATFORM_TENANT_ID = '00000000-0000-7000-8000-000000000000';
export const LOCALES = ['zh', 'en'] as const;
export const DEFAULT_LOCALE = 'zh';
export type Locale = (typeof LOCALES)[number];

/**
 * The language of the first tag (BCP 47: `en-GB`) that is supported; Chinese if none is or no language is preferred.
 */
export function localeOfTags(tags: readonly string[]): Locale {
  for (const tag of tags) {
    const [language] = tag.trim().toLowerCase().split(/[-_;]/);
    const known = LOCALES.find((locale) => locale === language);
    if (known) return known;
  }
  return DEFAULT_LOCALE;
}

const ID = '[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}';
/**
 * A push topic: `meeting:<meetId>`, `user` (the caller's own account) or `activity` (the tenant's meetings changed).
 */
export const TOPIC_PATTERN = new RegExp(`^(meeting:${ID}|user|activity)$`);

/** Whether a text can be a meeting's id at all; if not, the push socket accepts no topic for it. */
export function isMeetingId(text: string): boolean {
  return TOPIC_PATTERN.test(`meeting:${text}`);
}

/** A name in the reader's language; without an English name, the Chinese one. */
export function localName({ name, nameEn }: { name: string; nameEn: string }, locale: Locale): string {
  return locale === 'en' && nameEn !== '' ? nameEn : name;
}

/** Keys in the browser's session and local storage. */
export const STORAGE_KEYS = {
  token: 'token',
  loginUser: 'loginUser',
  source: 'source',
  version: 'version',
  ticketToken: 'ticketToken',
  loginUrl: 'loginUrl',
  notice: 'notice',
  isTenantAdmin: 'isTenantAdmin',
  permissions: 'permissions',
  authArr: 'authArr',
  authArrMap: 'authArrMap',
  clientInfoUrl: 'clientInfoUrl',
  isSingleLogin: 'isSingleLogin',
  platform: 'platform',
} as const;

/** The cookie that remembers the sidebar: 1 open, 0 closed. */
export const SIDEBAR_COOKIE = 'sidebarStatus';

export const MEETING_TYPES = [
  'VIDEO_MEETING',
  'NETWORK_MEETING',
  'LIVE_MEETING',
  'PHONE_MEETING',
  'LOCAL_MEETING',
] as const;
export const MEETING_STATUSES = ['ONLINE', 'SCHEDULE', 'PENDING', 'OFFLINE', 'ABNORMAL'] as const;

/** The codecs that cameras and shares can send first. Recordings, broadcasts and room systems need H.264. */
export const CAMERA_CODECS = ['vp8', 'h264'] as const;
export type CameraCodec = (typeof CAMERA_CODECS)[number];

/** Reactions that people can send in a conference. */
export const REACTIONS = ['thumbsUp', 'heart', 'laugh', 'applause', 'surprise', 'party'] as const;
export type Reaction = (typeof REACTIONS)[number];

/** Device type codes of terminals. */
export const DEVICE_TYPES = {
  pstn: 0,
  pc: 1,
  mac: 2,
  android: 3,
  ios: 4,
  web: 5,
  ipad: 6,
  androidPad: 7,
  miniProgram: 8,
  mraDevice: 9,
  linux: 10,
  roomsWindows: 20,
  roomsMac: 21,
  roomsAndroid: 22,
  controllerWindows: 30,
  controllerAndroid: 32,
  controllerIos: 33,
} as const;
export const DEVICE_TYPE_CODES = Object.values(DEVICE_TYPES);

export const LIMITS = {
  subject: 120,
  agenda: 4_000,
  participants: 500,
  displayName: 60,
  roomName: 60,
  /** Rooms per meeting. */
  rooms: 20,
  /** Room terminals per meeting. */
  terminals: 100,
  /** Meetings per series. */
  occurrences: 400,
  chatText: 2_000,
  /** Minutes. */
  durationMin: 5,
  durationMax: 24 * 60,
  meetingPassword: { min: 4, max: 16 },
  bodyBytes: 256 * 1024,
  /** Files per meeting, and bytes per file. */
  files: 20,
  fileBytes: 50 * 1024 * 1024,
  /** Participant groups per account, and people per group. */
  groups: 50,
  groupPeople: 500,
  /** Entries of each kind on a meeting's white list. */
  whiteList: 500,
} as const;

/** How long a series may last after its first meeting. */
export const SERIES_YEARS = 2;
/** How long before its start a member may open a meeting. */
export const EARLY_JOIN_MINUTES = 15;
/** How long after its end an empty meeting can still be opened. */
export const LATE_JOIN_MINUTES = 60;
