import { type BroadcastSetting, BROADCAST_LIMITS, DEFAULT_BROADCAST_SETTING } from '@rmeet/contract';
import type { api } from '../../lib/api/index.ts';

/** A person on the list of viewers. */
export interface Viewer {
  userId: string;
  name: string;
}

/** The settings of a broadcast in a form. */
export interface SettingDraft extends BroadcastSetting {
  /** A new one; empty: none, or the one there is. */
  password: string;
  whiteList: readonly Viewer[];
}

export type SettingBody = NonNullable<Parameters<typeof api.broadcasts.change>[0]['body']>;

/** As the server takes them for a new broadcast. */
export const newSetting = (): SettingDraft => ({
  ...DEFAULT_BROADCAST_SETTING,
  password: '',
  whiteList: [],
});

const PASSWORD_MIN = 4;

/** Whether a password is needed and missing, or too short. */
export function lacksPassword({ access, password }: SettingDraft, hasPassword: boolean): boolean {
  if (access !== 'password') return false;
  return password === '' ? !hasPassword : password.length < PASSWORD_MIN;
}

/** The request body; password and list only where they apply. */
export function settingBody({ password, whiteList, ...setting }: SettingDraft): SettingBody {
  return {
    ...setting,
    announcement: setting.announcement.trim(),
    ...(setting.access === 'password' && password !== '' ? { password } : {}),
    ...(setting.access === 'whiteList' ? { whiteList: whiteList.map(({ userId }) => userId) } : {}),
  };
}

/** Choices of the time between messages, seconds; with the one that is set. */
export function slowChoices(seconds: number): number[] {
  const usual = [0, 5, 10, 30, 60, BROADCAST_LIMITS.slowSeconds];
  return usual.includes(seconds) ? usual : [...usual, seconds].toSorted((one, other) => one - other);
}
