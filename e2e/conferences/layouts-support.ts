import type { ConferenceControl, ScreenLayout } from '@rmeet/conference';
import { COLOURS, type Colour } from '@rmeet/participant';
import {
  joinAsTerminal,
  showsColour,
  until,
  type RunningServer,
  type Terminal,
  type TilePicture,
} from '@rmeet/testkit';
import type { Page } from '@playwright/test';
import type { Attendee, Gathering } from './support.ts';

const rz = { res: 'rz' };

/**
 * What a picture shows: one of the prepared colours (alice is also red in her own page, bob green, carol blue), `black`
 * before its first frame.
 */
export type Shown = Colour | 'black' | null;

const hex = (rgb: readonly number[]): string => `#${rgb.map((value) => value.toString(16).padStart(2, '0')).join('')}`;
const KNOWN: readonly (readonly [Exclude<Shown, null>, string])[] = [
  ...(Object.keys(COLOURS) as Colour[]).map((colour) => [colour, hex(COLOURS[colour])] as const),
  ['black', '#000000'],
];

/** The colour closest to a picture's. */
function shownIn(picture: Pick<TilePicture, 'r' | 'g' | 'b'> | null): Shown {
  if (picture === null) return null;
  const far = ([, colour]: (typeof KNOWN)[number]): number =>
    [1, 3, 5].reduce(
      (sum, at, index) =>
        sum + (Number.parseInt(colour.slice(at, at + 2), 16) - ([picture.r, picture.g, picture.b][index] ?? 0)) ** 2,
      0,
    );
  const nearest = KNOWN.toSorted((a, b) => far(a) - far(b))[0];
  return nearest !== undefined && showsColour(picture, nearest[1], 45) ? nearest[0] : null;
}

/**
 * One seat on a page: its terminal (null if empty), the content of its picture, and its position in fractions of the
 * pictures' area.
 */
export interface Seat {
  termId: string | null;
  shown: Shown;
  name: string;
  x: number;
  y: number;
  width: number;
  height: number;
}

type Read = Omit<Seat, 'shown'> & { seat: number; picture: TilePicture | null };

/** All seats on a page, by number. */
export async function seatsOf(page: Page): Promise<Record<number, Seat>> {
  const read = await page.evaluate<Read[]>(`(() => {
    const stage = document.querySelector('.stage').getBoundingClientRect();
    return [...document.querySelectorAll('.stage [data-seat]')].map((tile) => {
      const { left, top, width, height } = tile.getBoundingClientRect();
      const video = tile.querySelector('video');
      const termId = tile.dataset.testid.startsWith('tile-') ? tile.dataset.testid.slice(5) : null;
      return {
        seat: Number(tile.dataset.seat), termId, name: tile.textContent.trim(),
        picture: video ? rmeetTest.read(video) : null,
        x: (left - stage.left) / stage.width, y: (top - stage.top) / stage.height,
        width: width / stage.width, height: height / stage.height,
      };
    });
  })()`);
  return Object.fromEntries(read.map(({ seat, picture, ...rest }) => [seat, { ...rest, shown: shownIn(picture) }]));
}

/** Whether no picture is moving to another seat. */
export function isStill(page: Page): Promise<boolean> {
  return page.evaluate(`document.querySelector('.stage-tiles').getAnimations({ subtree: true }).length === 0`);
}

/** Waits until these seats show these colours; null means an empty seat. */
export async function seesInSeats(
  page: Page,
  wanted: Record<number, Shown>,
  within = 15_000,
): Promise<Record<number, Seat>> {
  return until(
    `seats ${JSON.stringify(wanted)}`,
    async () => {
      const seats = await seatsOf(page);
      const fits = Object.entries(wanted).every(([seat, shown]) => {
        const found = seats[Number(seat)];
        return found !== undefined && found.shown === shown && (shown !== null || found.termId === null);
      });
      if (fits) return seats;
      throw new Error(
        JSON.stringify(
          Object.fromEntries(Object.entries(seats).map(([seat, { termId, shown }]) => [seat, `${termId} ${shown}`])),
        ),
      );
    },
    { within },
  );
}

/** Joins terminals without a page, each sending one colour. */
export async function joinColours(
  server: RunningServer,
  { number, password }: Gathering,
  colours: readonly Colour[],
): Promise<Record<string, Terminal>> {
  const terminals: Record<string, Terminal> = {};
  for (const colour of colours) {
    const terminal = await joinAsTerminal(server.api, server.url, { numericId: number, password, name: colour });
    await terminal.media.publishVideo({ colour, simulcast: true });
    terminals[colour] = terminal;
  }
  return terminals;
}

/** The chair's calls for layouts and content. */
export function screen({ host, meetId }: Pick<Gathering, 'host' | 'meetId'>) {
  const { conferences } = host;
  return {
    layout: (
      screenModel: ScreenLayout['model'],
      more: { polling?: number; places?: ScreenLayout['places']; allowOwnLayout?: boolean } = {},
    ) => conferences.setLayout({ params: rz, body: { meetId, screenModel, ...more } }),
    seats: (seats: Record<number, string>, target = 'ALL') =>
      conferences.setScreen({
        params: rz,
        body: {
          meetId,
          target,
          seats: Object.entries(seats).map(([seat, source]) => ({ seat: Number(seat), source })),
        },
      }),
    own: (who: Pick<Attendee, 'termId'>, screenModel: ScreenLayout['model'], seats: Record<number, string> = {}) =>
      conferences.setTerminalLayoutConfig({
        params: rz,
        body: {
          meetId,
          termId: who.termId,
          screenModel,
          seats: Object.entries(seats).map(([seat, source]) => ({ seat: Number(seat), source })),
        },
      }),
    common: (who: Pick<Attendee, 'termId'>) =>
      conferences.stopTerminalLayoutConfig({ params: rz, body: { meetId, termId: who.termId } }),
    window: (position: ConferenceControl['window']) =>
      conferences.setChatLayout({ params: rz, body: { meetId, position } }),
    lockContent: (termId: string | null) =>
      conferences.lockConfContent({
        params: rz,
        query: { meetId, action: termId === null ? 'UNLOCK' : 'LOCK', ...(termId === null ? {} : { termId }) },
      }),
    dualStream: (termId: string, open: boolean) =>
      conferences.setDualStream({ query: { meetId, termId, open: open ? 'true' : 'false' } }),
    polling: (
      on: boolean,
      body: { termIds?: string[]; seconds?: number; onlyVideo?: boolean } = {},
      lectureId?: string,
    ) =>
      conferences.setPollingState({
        params: rz,
        query: { meetId, polling: on ? '1' : '0', ...(lectureId === undefined ? {} : { lectureId }) },
        body,
      }),
    turn: (step: 'next' | 'previous') => conferences.turnPolling({ params: { meetId }, body: { step } }),
    caption: (
      body: { text: string } & Partial<Omit<NonNullable<ConferenceControl['banner']>, 'text' | 'since' | 'until'>> & {
          seconds?: number;
        },
    ) => conferences.setConfCaptions({ params: rz, query: { meetId }, body }),
    captionFor: (termId: string, body: { text: string; seconds?: number }) =>
      conferences.setTermCaptions({ params: rz, query: { meetId, termId }, body }),
  };
}

/**
 * Samples the large picture of a page (its stage, or seat 1) repeatedly until `stop`, which returns the sequence of
 * contents without consecutive duplicates.
 */
export async function watchLarge(
  page: Page,
): Promise<{ sees: (shown: Shown) => Promise<unknown>; stop: () => Promise<Shown[]> }> {
  await page.evaluate(`(() => {
    window.largeSeen = [];
    window.largeTimer = setInterval(() => {
      const tile = document.querySelector('.stage [data-area=stage]') ??
        document.querySelector('.stage [data-seat="1"]');
      const video = tile?.querySelector('video');
      const picture = video ? rmeetTest.read(video) : null;
      window.largeSeen.push(picture && { r: picture.r, g: picture.g, b: picture.b });
    }, 30);
  })()`);
  type Looked = Pick<TilePicture, 'r' | 'g' | 'b'> | null;
  return {
    sees: (shown) =>
      until(`${shown} was seen large`, async () => {
        const last = shownIn(await page.evaluate<Looked>('window.largeSeen.at(-1) ?? null'));
        if (last === shown) return true;
        throw new Error(String(last));
      }),
    stop: async () => {
      const seen = await page.evaluate<Looked[]>('(clearInterval(window.largeTimer), window.largeSeen)');
      return seen.map((picture) => shownIn(picture)).filter((shown, at, all) => at === 0 || shown !== all[at - 1]);
    },
  };
}
