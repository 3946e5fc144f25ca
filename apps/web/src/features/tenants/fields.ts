import type { OwnDraft, PlatformDraft } from './draft.ts';

/** The form field that a rejection concerns, if the call uses a different name. */
export const OWN_FIELDS = {
  PICTURE_UNREADABLE: 'logo',
  'signIn.modes': 'signInModes',
  'secondFactor.networks': 'factorNetworks',
  'secondFactor.places': 'factorPlaces',
  'chatFiles.megabytes': 'chatFileMegabytes',
  'recording.keptDays': 'recordingKeptDays',
  'chatFiles.kinds': 'chatFileKinds',
  'welcome.zh': 'welcomeZh',
  'welcome.en': 'welcomeEn',
  'meetingAdmin.name': 'meetingAdminName',
  'meetingAdmin.phoneNumber': 'meetingAdminPhone',
  'serviceDesk.name': 'serviceDeskName',
  'serviceDesk.phoneNumber': 'serviceDeskPhone',
} as const satisfies Record<string, keyof OwnDraft>;

export const PLATFORM_FIELDS = {
  TENANT_NAME_TAKEN: 'name',
  'quotas.recordingBytes': 'recordingBytes',
  'quotas.meetingFileBytes': 'meetingFileBytes',
} as const satisfies Record<string, keyof PlatformDraft>;
