import type { MediaPreferences } from '../../../call/index.ts';

const KEY = 'conferencePreferences';

export interface Preferences {
  name: string;
  media: MediaPreferences;
  /** Whether the meeting room listens to single keys. */
  shortcuts: boolean;
}

const DEFAULTS: Preferences = {
  name: '',
  shortcuts: true,
  media: { camera: { on: true, deviceId: null }, microphone: { on: true, deviceId: null }, speakerId: null },
};

/** What the person chose the last time on this browser. Devices that are gone give way to the defaults when used. */
export function readPreferences(storage: Pick<Storage, 'getItem'> = localStorage): Preferences {
  const json = storage.getItem(KEY);
  if (json === null) return DEFAULTS;
  const stored = JSON.parse(json) as Partial<Preferences>;
  return { ...DEFAULTS, ...stored, media: { ...DEFAULTS.media, ...stored.media } };
}

export function rememberPreferences(preferences: Preferences, storage: Pick<Storage, 'setItem'> = localStorage): void {
  storage.setItem(KEY, JSON.stringify(preferences));
}
