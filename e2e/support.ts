import { AxeBuilder } from '@axe-core/playwright';
import type { MeetingBody } from '@rmeet/contract';
import { test as base, expect, type Browser, type Locator, type Page } from '@playwright/test';
import { closePage, hearsTone, launchBrowser, openPage, showsColour, startServer, tilesOf, tonesOf, until, type Api, type PageMedia, type RunningServer } from '@rmeet/testkit';

/** What people in the scenarios send, so that others can tell them apart. */
export const people = {
  chair: { colour: '#b08020', tone: 400 },
  alice: { colour: '#c02020', tone: 700 },
  bob: { colour: '#20a040', tone: 1000 },
  carol: { colour: '#2040c0', tone: 1300 },
} as const satisfies Record<string, Pick<PageMedia, 'colour' | 'tone'>>;
export type Person = keyof typeof people;

export const screenColour = '#20a0a0';

interface Fixtures {
  /** The product, shared by the scenarios of one file, in their order, and where the file is one of `sharesServer` by those of others. */
  server: RunningServer;
  /** Opens a page as a person: its camera shows the person's colour, its microphone gives the person's tone. */
  open: (person: Person, options?: { media?: Partial<PageMedia>; locale?: 'zh-CN' | 'en-US'; still?: boolean }) => Promise<Page>;
}

interface WorkerFixtures {
  /** What the file's server is told by its environment. */
  serverSettings: NodeJS.ProcessEnv;
  /** Whether Chromium's shell will do for the file's pages (those of scenarios with real media come in the whole browser anyway). */
  light: boolean;
  servers: Servers;
  chromium: Browser;
}

/**
 * Files whose scenarios make what they look at, and leave the demo people and what all of a tenant see as they were: those that come to
 * one worker share a server, since one more costs as much as three scenarios. The others begin with nothing but the demo data.
 */
const sharesServer = /\/(auth\/(?!language)|conferences\/|desk\/|meetings\/)/;

interface Servers {
  of: (file: string) => Promise<RunningServer>;
  stop: () => Promise<void>;
}

/** The servers of a worker: one that files share, and one of the file that runs now. */
function serversOf(env: NodeJS.ProcessEnv): Servers {
  let shared: RunningServer | undefined;
  let own: { file: string; server: RunningServer } | undefined;
  const stopOwn = async (): Promise<void> => {
    const before = own?.server;
    own = undefined;
    await before?.stop();
  };
  return {
    of: async (file) => {
      if (own?.file !== file) await stopOwn();
      if (sharesServer.test(file)) return (shared ??= await startServer({ env }));
      own ??= { file, server: await startServer({ env }) };
      return own.server;
    },
    stop: async () => {
      await stopOwn();
      await shared?.stop();
    },
  };
}

export const test = base.extend<Fixtures, WorkerFixtures>({
  serverSettings: [{}, { scope: 'worker', option: true }],
  light: [true, { scope: 'worker', option: true }],
  servers: [
    async ({ serverSettings }, use, { project }) => {
      // Where hardly any media flow, a second process for them would only be started.
      const servers = serversOf({ ...(project.name === 'pages' ? { RMEET_MEDIA_PROCESSES: '1' } : {}), ...serverSettings });
      await use(servers);
      await servers.stop();
    },
    { scope: 'worker', timeout: 90_000 },
  ],
  server: [async ({ servers }, use, { file }) => use(await servers.of(file)), { timeout: 90_000 }],
  chromium: [
    async ({ light }, use, { project }) => {
      const browser = await launchBrowser({ light: light && project.name === 'pages' });
      await use(browser);
      await browser.close();
    },
    { scope: 'worker' },
  ],
  open: async ({ chromium }, use) => {
    const pages: Page[] = [];
    await use(async (person, options = {}) => {
      const page = await openPage(chromium, { ...options, media: { ...people[person], screenColour, ...options.media } });
      pages.push(page);
      return page;
    });
    for (const page of pages) await closePage(page);
  },
});
export { expect } from '@playwright/test';

export interface Booking {
  /** Minutes. */
  duration?: number;
  password?: string;
  minutesFromNow?: number;
  waitingRoom?: boolean;
  template?: MeetingBody['template'];
  participants?: MeetingBody['participants'];
}

/** Books a meeting that runs now, in somebody's name. */
export async function bookMeeting(api: Api, subject: string, { password = '4821', minutesFromNow = 1, duration = 60, waitingRoom = false, template, participants = [] }: Booking = {}) {
  return api.meetings.createNetwork({
    body: { subject, startTime: new Date(Date.now() + minutesFromNow * 60_000).toISOString(), duration, password, waitingRoom, participants, ...(template === undefined ? {} : { template }) },
  });
}

/** Signs a page in through the login page. */
export async function signIn(page: Page, server: RunningServer, account: string, password = 'Rmeet-demo-1'): Promise<void> {
  await page.goto(`${server.url}/#/login`);
  await page.getByTestId('login-account').fill(account);
  await page.getByTestId('login-password').fill(password);
  await page.getByTestId('login-submit').click();
  await page.getByTestId('meeting-new').waitFor();
}

/**
 * The entries with these words in the list of a select that is open and at rest. While it unfolds its entries move, and a
 * press that begins on one of them and ends on the next chooses nothing.
 */
export function optionOf(page: Page, words: string): Locator {
  return page.locator('.ant-select-dropdown:visible:not(.ant-slide-up) .ant-select-item-option').filter({ hasText: words });
}

/** The form that was sent has slid out. Until then its fields are there, and what is meant for the next form may be typed into them. */
export async function formGone(page: Page): Promise<void> {
  await expect(page.locator('.side-drawer')).toHaveCount(0);
}

/** Fills the join page and presses join. */
export async function join(
  page: Page, server: RunningServer, { number, password = '', name }: { number: string; password?: string; name?: string },
): Promise<void> {
  const query = new URLSearchParams({ number, ...(password ? { pwd: password } : {}), ...(name ? { name } : {}) });
  await page.goto(`${server.url}/#/join?${query.toString()}`);
  await page.getByTestId('join-submit').click();
}

/** Waits until a page shows the cameras of these people, by colour, with a picture that moves. */
export async function seesPeople(page: Page, persons: readonly Person[], within = 20_000): Promise<void> {
  for (const person of persons) {
    const { colour } = people[person];
    const shown = async (): Promise<number | undefined> =>
      Object.values(await tilesOf(page)).find((picture) => showsColour(picture, colour))?.counter;
    const before = await until(`${person} is seen`, async () => ({ counter: await required(shown()) }), { within });
    await until(`the picture of ${person} moves`, async () => (await required(shown())) !== before.counter, { within });
  }
}

async function required<T>(value: Promise<T | undefined>): Promise<T> {
  const resolved = await value;
  if (resolved === undefined) throw new Error('not there yet');
  return resolved;
}

/** Waits until a page hears exactly these people. */
export async function hearsPeople(page: Page, persons: readonly Person[], within = 20_000): Promise<void> {
  await until(`hears ${persons.join(', ')}`, async () => {
    const tones = await tonesOf(page);
    if (persons.every((person) => hearsTone(tones, people[person].tone)) && tones.length === persons.length) return true;
    throw new Error(`tones ${tones.map(Math.round).join(', ')}`);
  }, { within });
}

/** What axe finds wrong, one line each, so that a failure can be read. */
export async function violations(page: Page): Promise<string[]> {
  const found = await violationsOnceStill(page);
  // Something may have begun to fade in while axe was looking; what is wrong still is when that is over.
  return found.length === 0 ? found : violationsOnceStill(page);
}

async function violationsOnceStill(page: Page): Promise<string[]> {
  // What is still fading in, or about to (antd says so by a class first), has not its colours yet.
  await page.evaluate(`(async () => {
    const isMoving = () => document.querySelector('[class*="-enter-"], [class*="-appear-"], [class*="-leave-"]') !== null
      || document.getAnimations().some((one) => one.playState !== 'finished' && one.effect.getComputedTiming().endTime < 2_000);
    while (isMoving()) await new Promise((resolve) => requestAnimationFrame(resolve));
  })()`);
  // The page itself alone: in a sandbox without scripts, as a mail is previewed in, axe cannot run, and waits for it without end.
  const { violations: found } = await new AxeBuilder({ page }).setLegacyMode().analyze();
  return found.flatMap((rule) => rule.nodes.map((node) => `${rule.id}: ${node.target.join(' ')}`));
}
