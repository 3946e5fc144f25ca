import {
  closePage,
  openPage,
  showsColour,
  storeFor,
  until,
  type RunningServer,
  type TilePicture,
} from '@rmeet/testkit';
import type { Browser, Page } from '@playwright/test';
import { expect, people, screenColour, test as base, type Gathering, type Person } from '../conferences/support.ts';

export {
  expect,
  hearsPeople,
  seesLarge,
  seesNothingOf,
  seesPeople,
  type Attendee,
  type Gathering,
} from '../conferences/support.ts';

interface OpenDeskOptions {
  part?: 'chair' | 'viewer';
  locale?: 'zh-CN' | 'en-US';
  /** Defaults to Chromium. */
  browser?: Browser;
}

interface Fixtures {
  /** Opens the desk of a meeting by a link of its host, in a browser without an account. */
  openDesk: (meeting: Pick<Gathering, 'host' | 'meetId'>, options?: OpenDeskOptions) => Promise<Page>;
  /** A page signed in as the meeting's host, using the session of `host`. */
  openAs: (meeting: Gathering) => Promise<Page>;
}

export const test = base.extend<Fixtures>({
  openDesk: async ({ server, chromium }, use) => {
    const pages: Page[] = [];
    await use(async (meeting, options) => {
      const page = await deskPage(options?.browser ?? chromium, server, meeting, options);
      pages.push(page);
      return page;
    });
    for (const page of pages) await closePage(page);
  },
  openAs: async ({ server, chromium }, use) => {
    const pages: Page[] = [];
    await use(async ({ host }) => {
      const page = await openPage(chromium, { locale: 'en-US' });
      pages.push(page);
      await storeFor(page, server.url, { token: host.token, loginUser: JSON.stringify(host.user) });
      return page;
    });
    for (const page of pages) await closePage(page);
  },
});

async function deskPage(
  chromium: Browser,
  server: RunningServer,
  { host, meetId }: Pick<Gathering, 'host' | 'meetId'>,
  { part = 'chair', locale = 'en-US' }: OpenDeskOptions = {},
): Promise<Page> {
  const { url } = await host.conferences.manageUrl({ params: { a: meetId, b: part }, query: {} });
  const page = await openPage(chromium, { locale });
  await page.addInitScript(
    'window.clicks = 0; addEventListener("click", ({ isTrusted }) => { if (isTrusted) window.clicks += 1; }, true);',
  );
  await page.goto(`${server.url}/${url.slice(url.indexOf('#'))}`);
  await page.getByTestId('desk').waitFor();
  return page;
}

/** Presses an action of the desk: in its bar or, if it does not fit there, in the menu. */
export async function pressAction(desk: Page, testId: string): Promise<void> {
  const action = desk.getByTestId(testId);
  // A bar that changes its width may move the action at the same moment.
  await expect(async () => {
    if (await action.isHidden()) await desk.getByTestId('desk-more-acts').click({ timeout: 2_000 });
    await action.click({ timeout: 2_000 });
  }).toPass();
}

/** The number of clicks on a page since the last call. */
export async function clicksOn(page: Page): Promise<number> {
  return page.evaluate<number>('(() => { const { clicks } = window; window.clicks = 0; return clicks; })()');
}

/** The on-air preview: the picture of each cell by test id, null for a cell without video. */
function previewOf(desk: Page): Promise<Record<string, TilePicture | null>> {
  return desk.evaluate(`Object.fromEntries([
    ...document.querySelectorAll('[data-testid^="desk-preview-T"]'),
  ].map((cell) => {
    const video = cell.querySelector('video');
    return [cell.dataset.testid, video && rmeetTest.read(video)];
  }))`);
}

/**
 * Waits until the on-air preview has exactly these cells: the cameras of these people with moving pictures, a shared
 * screen if `screen` is set, and `without` cells without a picture.
 */
export async function previews(
  desk: Page,
  persons: readonly Person[],
  { screen = false, without = 0 } = {},
): Promise<void> {
  const colours = [...persons.map((person) => people[person].colour), ...(screen ? [screenColour] : [])];
  const before = new Map<string, number>();
  await until(
    `the preview shows ${[...persons, ...(screen ? ['a screen'] : [])].join(', ')} and ${without} without a picture`,
    async () => {
      const cells = Object.values(await previewOf(desk));
      const moving = colours.filter((colour) => {
        const counter = cells.find((picture) => showsColour(picture, colour))?.counter;
        if (counter === undefined) return false;
        before.set(colour, before.get(colour) ?? counter);
        return before.get(colour) !== counter;
      });
      if (
        moving.length === colours.length &&
        cells.length === colours.length + without &&
        cells.filter((picture) => picture === null).length === without
      )
        return true;
      throw new Error(JSON.stringify(cells));
    },
    { within: 20_000 },
  );
}
