import {
  API_BASE,
  encodeContact,
  type Branding,
  type EntryLook,
  type PasswordRules,
  type Tenant,
  type TenantInfo,
} from '@rmeet/contract';
import type { TenantRow } from './tables.ts';

function logoUrlOf({ tenantId, logoVersion }: Pick<TenantRow, 'tenantId' | 'logoVersion'>): string | null {
  return logoVersion === 0 ? null : `${API_BASE}/tenant/${tenantId}/logo?v=${logoVersion}`;
}

/** The tenant's branding. */
export function brandingOf(tenant: Pick<TenantRow, 'tenantId' | 'name' | 'colour' | 'logoVersion'>): Branding {
  return { name: tenant.name, logoUrl: logoUrlOf(tenant), colour: tenant.colour };
}

/** What people see who are about to join a meeting of the tenant. */
export function entryLookOf(tenant: TenantRow): EntryLook {
  return { ...brandingOf(tenant), welcome: welcomeOf(tenant) };
}

function welcomeOf({ welcomeZh: zh, welcomeEn: en }: TenantRow): EntryLook['welcome'] {
  return { zh, en };
}

/** The password rules of the tenant's accounts. */
export function passwordRulesOf(
  tenant: Pick<TenantRow, 'passwordMinLength' | 'passwordMinClasses' | 'passwordHistory' | 'passwordMaxAgeDays'>,
): PasswordRules {
  return {
    minLength: tenant.passwordMinLength,
    minClasses: tenant.passwordMinClasses,
    history: tenant.passwordHistory,
    maxAgeDays: tenant.passwordMaxAgeDays,
  };
}

function contactsOf(tenant: TenantRow): Pick<TenantInfo, 'meetingAdmin' | 'serviceDesk'> {
  return {
    meetingAdmin: { name: tenant.meetingAdminName, phoneNumber: encodeContact(tenant.meetingAdminPhone) },
    serviceDesk: { name: tenant.serviceDeskName, phoneNumber: encodeContact(tenant.serviceDeskPhone) },
  };
}

/** The contacts of the tenant. */
export function presentTenantInfo(tenant: TenantRow): TenantInfo {
  return { tenantId: tenant.tenantId, name: tenant.name, ...contactsOf(tenant) };
}

/** A tenant for its administrators. */
export function presentTenant(tenant: TenantRow, usage: Tenant['usage']): Tenant {
  return {
    id: tenant.tenantId,
    name: tenant.name,
    enabled: tenant.enabled,
    createdAt: tenant.createdAt.toISOString(),
    quotas: {
      users: tenant.maxUsers,
      terminals: tenant.maxTerminals,
      recordingBytes: tenant.maxRecordingBytes,
      meetingFileBytes: tenant.maxMeetingFileBytes,
      meetingMinutes: tenant.maxMeetingMinutes,
    },
    usage,
    deniedFeatures: tenant.deniedFeatures,
    colour: tenant.colour,
    logoUrl: logoUrlOf(tenant),
    welcome: welcomeOf(tenant),
    ...contactsOf(tenant),
    passwordRules: passwordRulesOf(tenant),
    signIn: { modes: tenant.signInModes },
    secondFactor: tenant.secondFactor,
    chatFiles: {
      enabled: tenant.chatFiles,
      megabytes: tenant.chatFileMegabytes,
      kinds: tenant.chatFileKinds,
    },
    recording: {
      enabled: tenant.recordings,
      startedBy: tenant.recordingStartedBy,
      watchedBy: tenant.recordingWatchedBy,
      tracks: tenant.recordingTracks,
      download: tenant.recordingDownload,
      watermark: tenant.recordingWatermark,
      keptDays: tenant.recordingKeptDays,
      codec: tenant.codec,
    },
    auditMonths: tenant.auditMonths,
    version: tenant.version,
  };
}
