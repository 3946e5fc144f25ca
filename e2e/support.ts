import { AxeBuilder } from '@axe-core/playwright';
import type { MeetingBody } from '@rmeet/contract';
import { test as base, expect, type Browser, type Locator, type Page } from '@playwright/test';
import {
  closePage,
  createApi,
  hearsTone,
  launchBrowser,
  openPage,
  rememberSessions,
  showsColour,
  startServer,
  tilesOf,
  tonesOf,
  until,
  type Api,
  type PageMedia,
  type RunningServer,
} from '@rmeet/testkit';

/** What the participants in the scenarios send, so that others can distinguish them. */
export const people = {
  chair: { colour: '#b08020', tone: 400 },
  alice: { colour: '#c02020', tone: 700 },
  bob: { colour: '#20a040', tone: 1000 },
  carol: { colour: '#2040c0', tone: 1300 },
} as const satisfies Record<string, Pick<PageMedia, 'colour' | 'tone'>>;
export type Person = keyof typeof people;

export const screenColour = '#20a0a0';

interface Fixtures {
  /**
   * The product. Scenarios of pages and calls share one server with all that run in the same worker: they create the
   * data they check, and leave unchanged the demo people and everything visible to a whole tenant or the platform. In
   * the project `media` each file has its own server.
   */
  server: RunningServer;
  /** Environment of the file's server. */
  serverSettings: NodeJS.ProcessEnv;
  /** Whether Chromium's headless shell is sufficient for the file's pages. */
  light: boolean;
  chromium: Browser;
  /** Opens a page as a person: its camera shows the person's colour, its microphone plays the person's tone. */
  open: (
    person: Person,
    options?: { media?: Partial<PageMedia>; locale?: 'zh-CN' | 'en-US'; still?: boolean },
  ) => Promise<Page>;
}

interface WorkerFixtures {
  servers: Servers;
  browsers: Browsers;
}

interface Servers {
  of: (file: string, settings: NodeJS.ProcessEnv) => Promise<RunningServer>;
  stop: () => Promise<void>;
}

/**
 * The servers of a worker: shared ones until it ends, one for each kind of settings; otherwise one at a time, for the
 * current file.
 */
function serversOf(project: string): Servers {
  const isShared = project !== 'media';
  const started = new Map<string, RunningServer>();
  const stop = async (): Promise<void> => {
    for (const [key, server] of started) {
      started.delete(key);
      await server.stop();
    }
  };
  const start = async (settings: NodeJS.ProcessEnv): Promise<RunningServer> => {
    if (project !== 'pages') return startServer({ env: settings });
    // With hardly any media, a second media process would be started for nothing.
    const server = await startServer({ env: { RMEET_MEDIA_PROCESSES: '1', ...settings } });
    return { ...server, api: rememberSessions(server.api) };
  };
  return {
    of: async (file, settings) => {
      const key = isShared ? JSON.stringify(settings) : file;
      if (!isShared && !started.has(key)) await stop();
      const server = started.get(key) ?? (await start(settings));
      started.set(key, server);
      return server;
    },
    stop,
  };
}

/** Chromium's headless shell with shared contexts, the shell alone, or the full browser. */
type BrowserKind = 'light' | 'shell' | 'whole';

interface Browsers {
  of: (kind: BrowserKind) => Promise<Browser>;
  stop: () => Promise<void>;
}

/** The browsers of a worker, each started on first use. */
function browsersOf(): Browsers {
  const started = new Map<BrowserKind, Promise<Browser>>();
  return {
    of: (kind) => {
      const browser = started.get(kind) ?? launchBrowser({ light: kind === 'light', shell: kind !== 'whole' });
      started.set(kind, browser);
      return browser;
    },
    stop: async () => {
      for (const browser of started.values()) await (await browser).close();
    },
  };
}

export const test = base.extend<Fixtures, WorkerFixtures>({
  serverSettings: [{}, { option: true }],
  light: [true, { option: true }],
  servers: [
    // oxlint-disable-next-line no-empty-pattern -- Playwright reads from it that nothing else is needed.
    async ({}, use, { project }) => {
      const servers = serversOf(project.name);
      await use(servers);
      await servers.stop();
    },
    { scope: 'worker', timeout: 90_000 },
  ],
  server: [
    async ({ servers, serverSettings }, use, { file }) => use(await servers.of(file, serverSettings)),
    { timeout: 90_000 },
  ],
  browsers: [
    // oxlint-disable-next-line no-empty-pattern -- Playwright reads from it that nothing else is needed.
    async ({}, use) => {
      const browsers = browsersOf();
      await use(browsers);
      await browsers.stop();
    },
    { scope: 'worker' },
  ],
  chromium: async ({ browsers, light }, use, { project }) =>
    use(await browsers.of(!light ? 'whole' : project.name === 'pages' ? 'light' : 'shell')),
  open: async ({ chromium }, use) => {
    const pages: Page[] = [];
    await use(async (person, options = {}) => {
      const page = await openPage(chromium, {
        ...options,
        media: { ...people[person], screenColour, ...options.media },
      });
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
  e2ee?: boolean;
  participants?: MeetingBody['participants'];
  autoRecord?: boolean;
  /** It is a live meeting, whose broadcast has these settings. */
  live?: NonNullable<Parameters<Api['meetings']['createLive']>[0]['body']>['live'];
}

/** Books a meeting that starts now, in a person's name. */
export async function bookMeeting(
  api: Api,
  subject: string,
  {
    password = '4821',
    minutesFromNow = 1,
    duration = 60,
    waitingRoom = false,
    template,
    e2ee = false,
    participants = [],
    autoRecord = false,
    live,
  }: Booking = {},
) {
  const body = {
    subject,
    startTime: new Date(Date.now() + minutesFromNow * 60_000).toISOString(),
    duration,
    password,
    waitingRoom,
    e2ee,
    participants,
    autoRecord,
    ...(template === undefined ? {} : { template }),
  };
  return live ? api.meetings.createLive({ body: { ...body, live } }) : api.meetings.createNetwork({ body });
}

/** Signs a page in through the login page. */
export async function signIn(
  page: Page,
  server: RunningServer,
  account: string,
  password = 'Rmeet-demo-1',
): Promise<void> {
  await page.goto(`${server.url}/#/login`);
  await page.getByTestId('login-account').fill(account);
  await page.getByTestId('login-password').fill(password);
  await page.getByTestId('login-submit').click();
  await page.getByTestId('meeting-new').waitFor();
}

/** Signs an account in on another device, which ends its sessions on all others. */
export const signInElsewhere = (server: RunningServer, account: string) => createApi(server.url).as(account);

/**
 * The entries with this text in the list of an open select that no longer moves. Entries move while the list unfolds,
 * and a press that begins on one and ends on the next chooses nothing.
 */
export function optionOf(page: Page, words: string | RegExp): Locator {
  return page
    .locator('.ant-select-dropdown:visible:not(.ant-slide-up) .ant-select-item-option')
    .filter({ hasText: words });
}

/**
 * Waits until the submitted form has closed. Until then its fields exist, and input for the next form may be typed into
 * them.
 */
export async function formGone(page: Page): Promise<void> {
  await expect(page.locator('.side-drawer')).toHaveCount(0);
}

interface JoinWith {
  number: string;
  password?: string;
  name?: string;
  /** The key of an end-to-end encrypted meeting; in the link, or typed. */
  key?: string | undefined;
  typesKey?: boolean | undefined;
}

/** Fills the join page and presses join. */
export async function join(
  page: Page,
  server: RunningServer,
  { number, password = '', name, key, typesKey = false }: JoinWith,
): Promise<void> {
  const query = new URLSearchParams({ number, ...(password ? { pwd: password } : {}), ...(name ? { name } : {}) });
  const inLink = key === undefined || typesKey ? '' : `&key=${key}`;
  await page.goto(`${server.url}/#/join?${query.toString()}${inLink}`);
  if (key !== undefined && typesKey) await page.getByTestId('join-key').fill(key);
  await page.getByTestId('join-submit').click();
}

/** Waits until a page shows the cameras of these people, by colour, with moving pictures. */
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
  await until(
    `hears ${persons.join(', ')}`,
    async () => {
      const tones = await tonesOf(page);
      if (persons.every((person) => hearsTone(tones, people[person].tone)) && tones.length === persons.length)
        return true;
      throw new Error(`tones ${tones.map(Math.round).join(', ')}`);
    },
    { within },
  );
}

/** The findings of axe, one per line, so that a failure is readable. */
export async function violations(page: Page): Promise<string[]> {
  const found = await violationsOnceStill(page);
  // An element may have started to fade in during the check; only findings that remain afterwards count.
  return found.length === 0 ? found : violationsOnceStill(page);
}

async function violationsOnceStill(page: Page): Promise<string[]> {
  // An element that is fading in, or about to (antd first sets a class), does not have its final colours yet.
  await page.evaluate(`(async () => {
    const isMoving = () =>
      document.querySelector('[class*="-enter-"], [class*="-appear-"], [class*="-leave-"]') !== null
      || document.getAnimations().some(
        (one) => one.playState !== 'finished' && one.effect.getComputedTiming().endTime < 2_000);
    while (isMoving()) await new Promise((resolve) => requestAnimationFrame(resolve));
  })()`);
  // Checks only the page itself: in a sandbox without scripts, such as the mail preview, axe cannot run, and would wait
  // forever.
  const { violations: found } = await new AxeBuilder({ page }).setLegacyMode().analyze();
  return found.flatMap((rule) => rule.nodes.map((node) => `${rule.id}: ${node.target.join(' ')}`));
}
