import {
  AUDIT_MONTHS_MIN,
  CHAT_FILE_LIMITS,
  decodeContact,
  encodeContact,
  FEATURE_CODES,
  type FileKind,
  type CameraCodec,
  type PermissionCode,
  type Quotas,
  type RecordingSettings,
  type SignInMode,
  type Tenant,
} from '@rmeet/contract';
import type { useTexts } from '../../lib/i18n/index.ts';
import { isPhoneNumber } from '../../ui/admin/account.ts';
import type { FieldErrors } from '../../ui/admin/useForm.ts';
import { factorBody, factorDraftOf, type SecondFactorDraft } from '../../ui/admin/secondFactor/draft.ts';

/** The settings of a tenant's own administrators, in the form. Numbers are null if their field is empty. */
export interface OwnDraft extends SecondFactorDraft {
  /** `#rrggbb`, or empty for the product's default. */
  colour: string;
  /** The image: its URL, a `data:` URL if just chosen, empty for the product's default. */
  logo: string;
  welcomeZh: string;
  welcomeEn: string;
  meetingAdminName: string;
  meetingAdminPhone: string;
  serviceDeskName: string;
  serviceDeskPhone: string;
  minLength: number | null;
  minClasses: number;
  history: number | null;
  /** Null: no expiry. */
  maxAgeDays: number | null;
  /** The offered ways to sign in, the usual one first. */
  signInModes: readonly SignInMode[];
  /** Files in the chats of meetings. */
  chatFiles: boolean;
  chatFileMegabytes: number | null;
  chatFileKinds: readonly FileKind[];
  /** Recordings of meetings. */
  recordings: boolean;
  recordingStartedBy: RecordingSettings['startedBy'];
  recordingWatchedBy: RecordingSettings['watchedBy'];
  recordingTracks: boolean;
  recordingDownload: boolean;
  recordingWatermark: boolean;
  /** Null: until they are deleted. */
  recordingKeptDays: number | null;
  codec: CameraCodec;
  auditMonths: number | null;
}

/** The additional settings of the platform; null for no limit. */
export interface PlatformDraft {
  name: string;
  users: number | null;
  terminals: number | null;
  recordingBytes: number | null;
  meetingFileBytes: number | null;
  meetingMinutes: number | null;
  deniedFeatures: readonly string[];
}

export type TenantDraft = OwnDraft & PlatformDraft;

/** Number ranges accepted by the server. */
export const RANGES = {
  users: [1, 1_000_000],
  terminals: [2, 100_000],
  meetingMinutes: [5, 1_440],
  minLength: [8, 64],
  history: [0, 24],
  maxAgeDays: [1, 730],
  chatFileMegabytes: [CHAT_FILE_LIMITS.megabytes.min, CHAT_FILE_LIMITS.megabytes.max],
  recordingKeptDays: [1, 3_650],
  auditMonths: [AUDIT_MONTHS_MIN, 120],
} as const satisfies Partial<Record<keyof TenantDraft, readonly [number, number]>>;
/** Bytes of the unit in which space is shown and entered. */
export const GIGABYTE = 2 ** 30;
/** Gigabytes that recordings can be limited to. */
const SPACE = { min: 1, max: 1_000_000 };
/** Fields that may be empty. */
const OPTIONAL: readonly string[] = [
  'users',
  'terminals',
  'meetingMinutes',
  'maxAgeDays',
  'recordingKeptDays',
] satisfies (keyof typeof RANGES)[];

export const newPlatformDraft: PlatformDraft = {
  name: '',
  users: null,
  terminals: null,
  recordingBytes: null,
  meetingFileBytes: null,
  meetingMinutes: null,
  deniedFeatures: [],
};

export function ownDraftOf({
  colour,
  logoUrl,
  welcome,
  meetingAdmin,
  serviceDesk,
  passwordRules,
  signIn,
  secondFactor,
  chatFiles,
  recording,
  auditMonths,
}: Tenant): OwnDraft {
  return {
    colour: colour ?? '',
    logo: logoUrl ?? '',
    welcomeZh: welcome.zh,
    welcomeEn: welcome.en,
    meetingAdminName: meetingAdmin.name,
    meetingAdminPhone: decodeContact(meetingAdmin.phoneNumber),
    serviceDeskName: serviceDesk.name,
    serviceDeskPhone: decodeContact(serviceDesk.phoneNumber),
    ...passwordRules,
    signInModes: signIn.modes,
    ...factorDraftOf(secondFactor),
    chatFiles: chatFiles.enabled,
    chatFileMegabytes: chatFiles.megabytes,
    chatFileKinds: chatFiles.kinds,
    ...recordingDraft(recording),
    auditMonths,
  };
}

/** The recording settings in the form, under the names that the server's fields have. */
function recordingDraft({ enabled, startedBy, watchedBy, tracks, download, watermark, ...rest }: RecordingSettings) {
  return {
    recordings: enabled,
    recordingStartedBy: startedBy,
    recordingWatchedBy: watchedBy,
    recordingTracks: tracks,
    recordingDownload: download,
    recordingWatermark: watermark,
    recordingKeptDays: rest.keptDays,
    codec: rest.codec,
  };
}

export function draftOf(tenant: Tenant): TenantDraft {
  const { name, quotas, deniedFeatures } = tenant;
  const { users, terminals, recordingBytes, meetingFileBytes, meetingMinutes } = quotas;
  return {
    ...ownDraftOf(tenant),
    name,
    users,
    terminals,
    recordingBytes,
    meetingFileBytes,
    meetingMinutes,
    deniedFeatures: [...deniedFeatures].sort(),
  };
}

/** The part of the request body that the tenant's own administrators send; for a draft without faults. */
export function ownBody(draft: OwnDraft) {
  return {
    colour: draft.colour === '' ? null : draft.colour,
    ...logoBody(draft.logo),
    welcome: { zh: draft.welcomeZh.trim(), en: draft.welcomeEn.trim() },
    meetingAdmin: { name: draft.meetingAdminName.trim(), phoneNumber: encodeContact(draft.meetingAdminPhone.trim()) },
    serviceDesk: { name: draft.serviceDeskName.trim(), phoneNumber: encodeContact(draft.serviceDeskPhone.trim()) },
    passwordRules: {
      minLength: draft.minLength ?? 0,
      minClasses: draft.minClasses,
      history: draft.history ?? 0,
      maxAgeDays: draft.maxAgeDays,
    },
    signIn: { modes: [...draft.signInModes] },
    secondFactor: factorBody(draft),
    chatFiles: {
      enabled: draft.chatFiles,
      megabytes: draft.chatFileMegabytes ?? 0,
      kinds: [...draft.chatFileKinds],
    },
    recording: {
      enabled: draft.recordings,
      startedBy: draft.recordingStartedBy,
      watchedBy: draft.recordingWatchedBy,
      tracks: draft.recordingTracks,
      download: draft.recordingDownload,
      watermark: draft.recordingWatermark,
      keptDays: draft.recordingKeptDays,
      codec: draft.codec,
    },
    auditMonths: draft.auditMonths ?? 0,
  };
}

/** An unchanged logo is not sent again. */
function logoBody(logo: string): { logo?: string | null } {
  if (logo === '') return { logo: null };
  return logo.startsWith('data:') ? { logo: logo.slice(logo.indexOf(',') + 1) } : {};
}

/** The part of the request body that only the platform sends. */
export function platformBody({
  name,
  users,
  terminals,
  recordingBytes,
  meetingFileBytes,
  meetingMinutes,
  deniedFeatures,
}: PlatformDraft) {
  const quotas: Quotas = { users, terminals, recordingBytes, meetingFileBytes, meetingMinutes };
  // Features that the product no longer has cannot be denied.
  return {
    name: name.trim(),
    quotas,
    deniedFeatures: deniedFeatures.filter((code): code is PermissionCode => (FEATURE_CODES as string[]).includes(code)),
  };
}

type AdminTexts = ReturnType<typeof useTexts<'admin'>>;
type TenantTexts = ReturnType<typeof useTexts<'tenants'>>;

/** The errors of a draft, or of a part of one, found before anything is sent. */
export function faultsOf(draft: Partial<TenantDraft>, t: TenantTexts, admin: AdminTexts): FieldErrors<TenantDraft> {
  const faults: FieldErrors<TenantDraft> = {};
  if (draft.name?.trim() === '') faults.name = admin('invalid.required');
  if (draft.colour !== undefined && draft.colour !== '' && !isColour(draft.colour))
    faults.colour = t('look.colourInvalid');
  if (draft.signInModes?.length === 0) faults.signInModes = t('signIn.none');
  if (draft.chatFileKinds?.length === 0) faults.chatFileKinds = t('chatFiles.noKind');
  for (const field of ['meetingAdminPhone', 'serviceDeskPhone'] as const) {
    if (!isPhoneNumber(draft[field] ?? '')) faults[field] = admin('invalid.phone');
  }
  return { ...faults, ...rangeFaultsOf(draft, admin) };
}

/** The numbers of a draft that are out of range. */
function rangeFaultsOf(draft: Partial<TenantDraft>, admin: AdminTexts): FieldErrors<TenantDraft> {
  const faults: FieldErrors<TenantDraft> = {};
  for (const [field, [min, max]] of Object.entries(RANGES) as [keyof typeof RANGES, readonly [number, number]][]) {
    if (!isInRange(draft[field], min, max, OPTIONAL.includes(field)))
      faults[field] = admin('invalid.range', { min, max });
  }
  if (!isSpaceInRange(draft.recordingBytes)) faults.recordingBytes = admin('invalid.range', SPACE);
  if (!isSpaceInRange(draft.meetingFileBytes)) faults.meetingFileBytes = admin('invalid.range', SPACE);
  return faults;
}

/** Whether a limit of space, in bytes, is in range; no limit is. */
function isSpaceInRange(space: number | null | undefined): boolean {
  return space === undefined || space === null || isInRange(space / GIGABYTE, SPACE.min, SPACE.max, true);
}

/** Whether a number is in range; a number that is not part of the draft is. */
function isInRange(value: number | null | undefined, min: number, max: number, isOptional: boolean): boolean {
  if (value === undefined) return true;
  return value === null ? isOptional : value >= min && value <= max;
}

export function isColour(text: string): boolean {
  return /^#[0-9a-f]{6}$/i.test(text);
}
