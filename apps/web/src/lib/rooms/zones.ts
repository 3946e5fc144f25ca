import type { Locale } from '@rmeet/contract';
import { offsetName, ownZone } from './zone.ts';

/** A time zone to choose. */
export interface ZoneOption {
  /** IANA name. */
  value: string;
  label: string;
  /** What people call it, and how far it is ahead. */
  words: string;
  /** What a search looks through. */
  found: string;
}

const known = new Map<Locale, readonly ZoneOption[]>();

/**
 * Every time zone, this browser's first. Made once for a language: it takes a good part of a second on a slow machine.
 */
export function zoneOptions(language: Locale, own = ownZone()): readonly ZoneOption[] {
  const made = known.get(language) ?? allZones().map((zone) => optionOf(zone, language));
  known.set(language, made);
  return [...made.filter(({ value }) => value === own), ...made.filter(({ value }) => value !== own)];
}

/** This browser's time zone, or none where the server would not know it. */
export function firstZone(): string {
  return allZones().find((zone) => zone === ownZone()) ?? '';
}

function allZones(): string[] {
  return [...Intl.supportedValuesOf('timeZone').filter((zone) => zone !== 'UTC'), 'UTC'];
}

function optionOf(zone: string, language: Locale): ZoneOption {
  const now = Date.now();
  const name =
    new Intl.DateTimeFormat(language, { timeZone: zone, timeZoneName: 'longGeneric' })
      .formatToParts(now)
      .find(({ type }) => type === 'timeZoneName')?.value ?? '';
  const words = `${name} · ${offsetName(now, zone)}`;
  return { value: zone, label: zone, words, found: `${zone} ${zone.replaceAll('_', ' ')} ${words}` };
}
