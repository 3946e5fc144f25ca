import type { Locale } from '@rmeet/contract';
import { offsetName, ownZone } from './zone.ts';

/** A time zone option. */
export interface ZoneOption {
  /** IANA name. */
  value: string;
  label: string;
  /** Its usual name, and its offset. */
  words: string;
  /** Searchable text. */
  found: string;
}

const known = new Map<Locale, readonly ZoneOption[]>();

/**
 * All time zones, the browser's first. Computed once per language: it takes a considerable part of a second on a slow
 * machine.
 */
export function zoneOptions(language: Locale, own = ownZone()): readonly ZoneOption[] {
  const made = known.get(language) ?? allZones().map((zone) => optionOf(zone, language));
  known.set(language, made);
  return [...made.filter(({ value }) => value === own), ...made.filter(({ value }) => value !== own)];
}

/** The browser's time zone, or none if the server does not know it. */
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
