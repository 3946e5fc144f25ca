import {
  closePage,
  hearsTone,
  inboundOf,
  launchFirefox,
  levelsOf,
  openPage,
  showsColour,
  storeFor,
  tilesOf,
  until,
  type Api,
} from '@rmeet/testkit';
import type { Browser, Locator, Page } from '@playwright/test';
import {
  bookMeeting,
  expect,
  join,
  people,
  screenColour,
  test as base,
  type Booking,
  type Person,
} from '../support.ts';

export * from '../support.ts';

/** A participant in a page of their own. */
export interface Attendee {
  page: Page;
  termId: string;
  /** The name others see. */
  name: string;
}

interface EnterOptions {
  locale?: 'zh-CN' | 'en-US';
  size?: { width: number; height: number };
  /** The name others see; for the chair, the account's name. */
  name?: string;
  /** Whether the page belongs to a user who prefers reduced motion (see `openPage`). */
  still?: boolean;
  /** The person enters the waiting room first: `termId` stays empty. */
  waits?: boolean;
  /** Defaults to Chromium. */
  browser?: Browser;
  /** Runs in the page before its own scripts. */
  script?: string;
  /** The key of an end-to-end encrypted meeting, in the link or typed. */
  key?: string;
  typesKey?: boolean;
  /** Called with the page before it loads anything. */
  onPage?: (page: Page) => void;
  /** The camera's picture is upright, as of a phone held so. */
  upright?: boolean;
  /** A camera with a picture large enough for several layers, for tests of the received size. */
  layers?: boolean;
}

/**
 * A meeting of the account `chair`, who runs it: in a page like the others, and by API calls if the page does not
 * matter.
 */
export interface Gathering {
  meetId: string;
  number: string;
  password: string;
  /** API calls as the host, from outside the conference. */
  host: Awaited<ReturnType<Api['as']>>;
  /** `chair` joins as the host, the others as guests by number and password. */
  enter: (person: Person, options?: EnterOptions) => Promise<Attendee>;
}

/** A size that two cores can encode for four pages and decode for as many without delay. It has one layer. */
const SMALL = { width: 320, height: 180, frameRate: 10 } as const;
const UPRIGHT = { ...SMALL, width: SMALL.height, height: SMALL.width };

interface Fixtures {
  gather: (booking?: Booking & { subject?: string }) => Promise<Gathering>;
}

interface WorkerFixtures {
  /** Skipped without one: see `firefoxMissing`. */
  firefox: Browser;
}

/** Names in these scenarios: for the chair the account's name, for others their own in capitals. */
const nameOf = (person: Person): string =>
  person === 'chair' ? 'Chair' : `${person[0]?.toUpperCase()}${person.slice(1)}`;

export const test = base.extend<Fixtures, WorkerFixtures>({
  firefox: [
    async ({}, use) => {
      const browser = await launchFirefox();
      await use(browser);
      await browser.close();
    },
    { scope: 'worker' },
  ],
  gather: async ({ server, chromium }, use) => {
    const pages: Page[] = [];
    await use(async ({ subject = 'Ward round', ...booking } = {}) => {
      const host = await server.api.as('chair');
      const { meetId, numericId: number, password } = await bookMeeting(host, subject, booking);
      const enter: Gathering['enter'] = async (
        person,
        {
          name = nameOf(person),
          waits = false,
          browser = chromium,
          script,
          layers = false,
          key,
          typesKey,
          onPage,
          upright = false,
          ...options
        } = {},
      ) => {
        const page = await openPage(browser, {
          locale: 'en-US',
          ...options,
          media: { ...people[person], screenColour, ...(layers ? {} : { camera: upright ? UPRIGHT : SMALL }) },
        });
        pages.push(page);
        onPage?.(page);
        if (script !== undefined) await page.addInitScript(script);
        if (person === 'chair') {
          // The account's one session is shared with `host`; the login page has its own scenarios.
          await storeFor(page, server.url, { token: host.token, loginUser: JSON.stringify(host.user) });
        }
        await join(page, server, { number, password, key, typesKey, ...(person === 'chair' ? {} : { name }) });
        if (waits) {
          await page.getByTestId('waiting-room').waitFor();
          return { page, termId: '', name };
        }
        return { page, termId: await ownTermId(page), name: person === 'chair' ? host.user.name : name };
      };
      return { meetId, number, password, host, enter };
    });
    for (const page of pages) await closePage(page);
  },
});

/** Frames of video that a page has decoded. */
export const framesOf = async (page: Page): Promise<number> =>
  (await inboundOf(page))
    .filter((stream) => stream.kind === 'video')
    .reduce((sum, stream) => sum + stream.framesDecoded, 0);

/** The longest time in ms without a newly decoded frame on a page, while `during` runs. */
export async function longestPause(page: Page, during: () => Promise<unknown>): Promise<number> {
  const watching = { on: true };
  let longest = 0;
  const watch = (async () => {
    let frames = await framesOf(page);
    let since = performance.now();
    while (watching.on) {
      const now = await framesOf(page);
      if (now !== frames) [frames, since] = [now, performance.now()];
      longest = Math.max(longest, performance.now() - since);
      await page.evaluate('new Promise((resolve) => setTimeout(resolve, 50))');
    }
  })();
  await during();
  watching.on = false;
  await watch;
  return longest;
}

/** The termId of the page's own tile. */
export async function ownTermId(page: Page): Promise<string> {
  const own = page.locator('[data-own=true]');
  await own.first().waitFor();
  return ((await own.first().getAttribute('data-testid')) ?? '').replace(/^tile-/, '');
}

const rz = { res: 'rz' };

/** Commands of the host by API calls. */
export function commands({ host, meetId }: Gathering) {
  const { conferences } = host;
  return {
    mute: (who: Attendee[], mute = true) =>
      conferences.termMute({ params: rz, body: { meetId, termIds: who.map(({ termId }) => termId), mute } }),
    muteAll: (except: Attendee[] = [], allowSelfUnmute?: boolean) =>
      conferences.muteAll({
        params: rz,
        body: {
          meetId,
          except: except.map(({ termId }) => termId),
          ...(allowSelfUnmute === undefined ? {} : { allowSelfUnmute }),
        },
      }),
    unmuteAll: () => conferences.unMuteAll({ params: rz, body: { meetId } }),
    ask: (who: Attendee) => conferences.askUnmute({ params: { meetId }, body: { termIds: [who.termId] } }),
    camera: (who: Attendee, open: boolean) =>
      conferences.screenVideo({ params: rz, body: { meetId, termId: who.termId, open } }),
    volume: (who: Attendee, volume: number) =>
      conferences.setVolumeTerminal({ params: rz, body: { conferId: meetId, termId: who.termId, volume } }),
    entry: (body: { muteOnEntry?: boolean; allowSelfUnmute?: boolean; waitingRoom?: boolean }) =>
      conferences.entry({ params: { meetId }, body }),
    speaker: (who: Attendee | null) =>
      conferences.setConfSpeaker({ params: rz, query: { meetId, termId: who?.termId ?? '' } }),
    mode: (videoSet: 'AUTO' | 'EQUAL') => conferences.setConfMode({ params: rz, query: { meetId, videoSet } }),
    coChair: (who: Attendee) =>
      conferences.coChairs({ params: { meetId }, body: { termIds: [who.termId], appoint: true } }),
    sort: (who: Attendee[]) =>
      conferences.termSort({ query: { meetId }, body: { termIds: who.map(({ termId }) => termId) } }),
  };
}

/** A row of the people panel, which is opened if necessary. */
export async function personRow(page: Page, name: string): Promise<Locator> {
  if (!(await page.getByTestId('people-panel').isVisible())) await page.getByTestId('toolbar-people').click();
  return page.getByTestId('person').filter({ hasText: name });
}

/** Gives a command to one person from the chair's page. */
export async function commandPerson(chair: Page, who: Attendee, item: string): Promise<void> {
  await personRow(chair, who.name);
  await chair.getByTestId(`person-menu-${who.termId}`).click();
  await chair.getByTestId(item).click();
}

/** Chooses an item of the host menu in the toolbar. */
export async function chooseInHostMenu(page: Page, item: string): Promise<void> {
  await page.getByTestId('host-menu').click();
  await page.getByTestId(item).click();
}

/** Names in the people panel, in order. */
export async function namesOf(page: Page): Promise<string[]> {
  const names = await (
    await personRow(page, '')
  )
    .locator('.person-name')
    .evaluateAll((all) => all.map((each) => each.firstChild?.textContent ?? ''));
  return names;
}

interface Seen {
  testId: string;
  colour: Person | null;
  /** Area on the page in square pixels. */
  area: number;
}

/** Content and size of every tile. */
async function pictures(page: Page): Promise<Seen[]> {
  const shown = await tilesOf(page);
  const areas = await page.evaluate<Record<string, number>>(
    `Object.fromEntries([...document.querySelectorAll('[data-testid^="tile-"]')].map((tile) => ` +
      '[tile.dataset.testid, tile.offsetWidth * tile.offsetHeight]))',
  );
  return Object.entries(shown).map(([testId, picture]) => ({
    testId,
    colour: (Object.keys(people) as Person[]).find((person) => showsColour(picture, people[person].colour)) ?? null,
    area: areas[testId] ?? 0,
  }));
}

/** Waits until a person's picture is large on a page: at least three times as large as any other. */
export async function seesLarge(page: Page, person: Person, within = 20_000): Promise<void> {
  await until(
    `${person} is seen large`,
    async () => {
      const all = await pictures(page);
      const large = all.find(({ colour }) => colour === person);
      if (large !== undefined && all.every((each) => each === large || each.area * 3 <= large.area)) return true;
      throw new Error(
        JSON.stringify({
          all,
          speaking: await page
            .locator('[data-speaking=true]')
            .evaluateAll((tiles) => tiles.map((tile) => tile.dataset['testid'])),
        }),
      );
    },
    { within },
  );
}

/** Waits until all pictures of a page have the same size. */
export async function seesAlike(page: Page, persons: readonly Person[], within = 20_000): Promise<void> {
  await until(
    'all are seen alike',
    async () => {
      const all = await pictures(page);
      const areas = all.map(({ area }) => area);
      const are =
        persons.every((person) => all.some(({ colour }) => colour === person)) &&
        Math.max(...areas) <= Math.min(...areas) * 1.05;
      if (are) return true;
      throw new Error(JSON.stringify(all));
    },
    { within },
  );
}

/** Waits until no picture of a page shows a person's colour. */
export async function seesNothingOf(page: Page, person: Person, within = 10_000): Promise<void> {
  await until(`${person} is not seen`, async () => (await pictures(page)).every(({ colour }) => colour !== person), {
    within,
  });
}

/** The volume at which a person is played on a page, in dB of full scale, once it is stable. */
export async function levelOf(page: Page, person: Person): Promise<number> {
  const last: number[] = [];
  await until(
    `${person} is heard at one level`,
    async () => {
      const sound = (await levelsOf(page)).find(({ tone }) => hearsTone([tone], people[person].tone));
      if (sound === undefined) return false;
      last.push(sound.level);
      const newest = last.slice(-4);
      if (newest.length === 4 && Math.max(...newest) - Math.min(...newest) < 1) return true;
      throw new Error(JSON.stringify(newest));
    },
    { every: 100 },
  );
  return last.at(-1) ?? -Infinity;
}

/** Waits until the page shows a message. */
export async function isTold(page: Page, sentence: string | RegExp): Promise<void> {
  await expect(
    page.locator('[data-testid=call-messages], [data-testid=toast-warning]').filter({ hasText: sentence }).first(),
  ).toBeVisible();
}
