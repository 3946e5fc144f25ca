import type { MediaPreferences } from '../../../call/index.ts';

/** In larger meetings people come and go too often for sounds. */
export const MOST_WITH_SOUNDS = 10;
const KEY = 'conferencePreferences';

export interface Preferences {
  name: string;
  media: MediaPreferences;
  /** Whether the meeting room handles single-key shortcuts. */
  shortcuts: boolean;
  /** Whether a sound tells when somebody joins or leaves a small meeting. */
  sounds: boolean;
}

const DEFAULTS: Preferences = {
  name: '',
  shortcuts: true,
  sounds: true,
  media: { camera: { on: true, deviceId: null }, microphone: { on: true, deviceId: null }, speakerId: null },
};

/** The user's last choices in this browser. Devices that no longer exist are replaced by the defaults when used. */
export function readPreferences(storage: Pick<Storage, 'getItem'> = localStorage): Preferences {
  const json = storage.getItem(KEY);
  if (json === null) return DEFAULTS;
  const stored = JSON.parse(json) as Partial<Preferences>;
  return { ...DEFAULTS, ...stored, media: { ...DEFAULTS.media, ...stored.media } };
}

export function rememberPreferences(preferences: Preferences, storage: Pick<Storage, 'setItem'> = localStorage): void {
  storage.setItem(KEY, JSON.stringify(preferences));
}
