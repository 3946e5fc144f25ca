import type { OwnDraft, PlatformDraft } from './draft.ts';

/** Which field of the form a refusal is about, where the call names it otherwise. */
export const OWN_FIELDS = {
  PICTURE_UNREADABLE: 'logo',
  'meetingAdmin.name': 'meetingAdminName',
  'meetingAdmin.phoneNumber': 'meetingAdminPhone',
  'serviceDesk.name': 'serviceDeskName',
  'serviceDesk.phoneNumber': 'serviceDeskPhone',
} as const satisfies Record<string, keyof OwnDraft>;

export const PLATFORM_FIELDS = {
  TENANT_NAME_TAKEN: 'name',
  'quotas.recordingBytes': 'recordingGb',
} as const satisfies Record<string, keyof PlatformDraft>;
