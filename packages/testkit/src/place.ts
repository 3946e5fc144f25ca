import { COLOURS, type Colour } from '@rmeet/participant';
import type { Page } from '@playwright/test';

/** Whose picture was in a place of a page from a moment on. */
export interface PlaceSeen {
  /** Milliseconds since 1970. */
  at: number;
  /** It may have been there this much earlier, ms: the time since the page's previous check. */
  unsure: number;
  /** By its test id; null while the place is empty. */
  key: string | null;
  /** Red, green and blue in its middle; null while it shows no picture. */
  colour: [number, number, number] | null;
}

export interface PlaceLog {
  seen: PlaceSeen[];
  /** How often the page checked, and the longest time between two checks, ms. */
  looks: number;
  longest: number;
}

/** The large picture. */
export const STAGE = '[data-area=stage]';

/** Follows a place of the room, checking with every frame of the page. */
export async function watchPlace(
  page: Page,
  selector: string,
): Promise<{ log(): Promise<PlaceLog>; end(): Promise<PlaceLog> }> {
  const number = await page.evaluate<number>(`rmeetTest.watch(${JSON.stringify(selector)})`);
  const log = (): Promise<PlaceLog> => page.evaluate(`rmeetTest.watched(${number})`);
  return {
    log,
    end: async () => {
      await page.evaluate(`rmeetTest.unwatch(${number})`);
      return log();
    },
  };
}

/** Whether a picture of a headless terminal's colour was seen, with tolerance for video codecs. */
export function isOfColour({ colour }: Pick<PlaceSeen, 'colour'>, name: Colour): boolean {
  return colour !== null && COLOURS[name].every((wanted, at) => Math.abs(wanted - (colour[at] ?? 0)) <= 40);
}

/** Whether nothing was visible: no tile, no picture, or an almost black one. */
export function isDark({ colour }: Pick<PlaceSeen, 'colour'>): boolean {
  return colour === null || Math.max(...colour) < 48;
}

/** When a participant was first seen in the own colour, between two moments, and the uncertainty; null if never. */
export function seenFrom(
  { seen }: PlaceLog,
  who: { key: string; colour: Colour },
  from: number,
  until = Infinity,
): Pick<PlaceSeen, 'at' | 'unsure'> | null {
  const moments = seen.map((one, at) => ({ ...one, until: seen[at + 1]?.at ?? Infinity }));
  const found = moments.find(
    (one) => one.until > from && one.at < until && one.key === who.key && isOfColour(one, who.colour),
  );
  if (found === undefined) return null;
  return found.at > from ? { at: found.at, unsure: found.unsure } : { at: from, unsure: 0 };
}

/** Dark intervals within a period, ms each. */
export function darkness({ seen }: PlaceLog, from: number, until: number): number[] {
  return seen.flatMap((one, at) => {
    const begin = Math.max(from, one.at);
    const end = Math.min(until, seen[at + 1]?.at ?? Infinity);
    return isDark(one) && end > begin ? [end - begin] : [];
  });
}
