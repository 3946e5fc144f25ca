import { useSyncExternalStore } from 'react';
import type { DataMode, MediaPreferences } from '../../../call/index.ts';

/** In larger meetings people come and go too often for sounds. */
export const MOST_WITH_SOUNDS = 10;
const KEY = 'conferencePreferences';

export interface Preferences {
  name: string;
  media: MediaPreferences;
  /** Whether the meeting room handles single-key shortcuts. */
  shortcuts: boolean;
  /** How much data a meeting may use. */
  dataMode: DataMode;
  /** The size of captions for this user. */
  captions: CaptionsSize;
  /** Whether a sound tells when a person joins or leaves a small meeting. */
  sounds: boolean;
}

export const CAPTIONS_SIZES = ['small', 'normal', 'large'] as const;
export type CaptionsSize = (typeof CAPTIONS_SIZES)[number];

const DEFAULTS: Preferences = {
  name: '',
  shortcuts: true,
  dataMode: 'full',
  captions: 'normal',
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
  for (const listener of listeners) listener();
}

const listeners = new Set<() => void>();
let current: { json: string | null; preferences: Preferences } = { json: null, preferences: DEFAULTS };

function snapshot(): Preferences {
  const json = localStorage.getItem(KEY);
  if (json !== current.json) current = { json, preferences: readPreferences() };
  return current.preferences;
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** The choices in this browser, also after a change elsewhere on the page. */
export function usePreferences(): Preferences {
  return useSyncExternalStore(subscribe, snapshot);
}

/** Changes some choices. */
export function changePreferences(change: Partial<Preferences>): void {
  rememberPreferences({ ...readPreferences(), ...change });
}

/** Remembers the choice of devices, whether they are on, and effects. */
export function rememberMedia(media: MediaPreferences): void {
  const before = readPreferences();
  if (JSON.stringify(before.media) !== JSON.stringify(media)) rememberPreferences({ ...before, media });
}
