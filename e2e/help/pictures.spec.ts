import { mkdirSync, writeFileSync } from 'node:fs';
import { join as joinPath } from 'node:path';
import { mergeTests, type Browser, type Page } from '@playwright/test';
import { closePage, openPage, type RunningServer } from '@rmeet/testkit';
import { busyConference, MEET_ID, reportOf, termIdOf } from '../desk/busy-conference.ts';
import { openDeskFixture } from '../desk/fixture.ts';
import { publish, publishPhones, clearPackages } from '../client-packages/support.ts';
import { expect, LOCALES, signInByToken, test as pages } from '../pages.ts';
import { bookMeeting, join, people, test as calls } from '../support.ts';
import { pictureWorld, type PictureLocale, type PictureWorld } from './pictures-world.ts';

/** Takes the pictures of the manual again (docs/features/manual.md). */
const test = mergeTests(pages, calls);
test.skip(process.env['RMEET_MANUAL_PICTURES'] !== '1', 'the pictures of the manual are taken on request');
test.describe.configure({ timeout: 300_000 });

const FOLDER = joinPath(import.meta.dirname, '..', '..', 'packages', 'manual', 'pictures');
/** Small enough for a page of text, in pixels of the page. */
const SIZE = { width: 1_000, height: 640 };
/** Text stays sharp; half the size of a PNG. */
const QUALITY = 0.82;

interface Shot {
  server: RunningServer;
  chromium: Browser;
  locale: PictureLocale;
  world: PictureWorld;
  /** A signed-in page of the administrator, or of another account. */
  visit: (app: string, path: string, account?: string) => Promise<Page>;
  /** Pages that are closed after the picture. */
  opened: Page[];
  /** A page without a sign-in. */
  enter: (path: string) => Promise<Page>;
}

/** Stores what a page shows as WebP, which only the browser can write here. */
async function keep(chromium: Browser, page: Page, locale: PictureLocale, name: string): Promise<void> {
  const png = (await page.screenshot({ animations: 'disabled', caret: 'hide' })).toString('base64');
  const empty = await chromium.newPage();
  const url = await empty.evaluate<string>(`(async () => {
    const image = new Image();
    image.src = 'data:image/png;base64,${png}';
    await image.decode();
    const canvas = Object.assign(document.createElement('canvas'), { width: image.width, height: image.height });
    canvas.getContext('2d', { alpha: false }).drawImage(image, 0, 0);
    return canvas.toDataURL('image/webp', ${QUALITY});
  })()`);
  await empty.close();
  const folder = joinPath(FOLDER, locale.slice(0, 2));
  mkdirSync(folder, { recursive: true });
  writeFileSync(joinPath(folder, `${name}.webp`), Buffer.from(url.split(',')[1] ?? '', 'base64'));
}

/** A page of the menu, when its data is there. */
const menuPage =
  (app: string, path: string, ready: string, account?: string) =>
  async ({ visit }: Shot): Promise<Page> => {
    const page = await visit(app, path, account);
    await page.getByTestId(ready).first().waitFor();
    return page;
  };

/** The page of a meeting with three people in it. */
async function room({ server, chromium, locale, world, opened }: Shot): Promise<Page> {
  const { numericId: number, password } = await bookMeeting(world.admin, locale === 'zh-CN' ? '早交班' : 'Handover');
  const open = async (person: 'alice' | 'bob' | 'carol', name?: string): Promise<Page> => {
    const page = await openPage(chromium, { locale, size: SIZE, media: people[person] });
    opened.push(page);
    if (name === undefined) await signInByToken(page, server, world.account);
    await join(page, server, { number, password, ...(name === undefined ? {} : { name }) });
    await page.locator('[data-own=true]').first().waitFor();
    return page;
  };
  const page = await open('alice');
  for (const [at, name] of world.guests.entries()) await open(at === 0 ? 'bob' : 'carol', name);
  await page.locator('[data-testid^="tile-"]').nth(2).waitFor();
  // Names instead of the cameras' made-up pictures.
  for (const one of opened) await one.keyboard.press('v');
  await expect(page.getByText(/正在连接|Connecting/)).toHaveCount(0);
  await expect(page.locator('[data-testid^="tile-"] video:visible')).toHaveCount(0);
  return page;
}

async function desk({ server, chromium, locale, opened }: Shot): Promise<Page> {
  const busy = busyConference(12, { now: Date.now() });
  const { page, push } = await openDeskFixture(chromium, server.url, busy, {
    locale,
    size: { width: 1_280, height: 800 },
  });
  opened.push(page);
  await page.getByTestId('desk').waitFor();
  const reports = busy.state.terminals.map(({ termId }, at) => [termId, reportOf(at, () => 0.5)]);
  push({ topic: `meeting:${MEET_ID}`, reports: Object.fromEntries(reports) });
  await page
    .getByTestId(`desk-streams-${termIdOf(5)}`)
    .filter({ hasText: '9' })
    .waitFor();
  return page;
}

async function files({ visit, world }: Shot): Promise<Page> {
  const page = await visit('/', `/myMeeting?open=${world.meetId}`);
  await page.getByTestId('meeting-files-open').click();
  await page.getByTestId('file-row').nth(2).waitFor();
  return page;
}

async function booking({ visit, locale }: Shot): Promise<Page> {
  const page = await visit('/', '/myMeeting');
  await page.getByTestId('meeting-new').click();
  await page.getByTestId('meeting-subject').fill(locale === 'zh-CN' ? '病例讨论' : 'Case discussion');
  return page;
}

async function downloads({ server, enter }: Shot): Promise<Page> {
  const root = await clearPackages(server);
  await publishPhones(root);
  for (const type of [3, 4, 10, 11])
    await publish(root, { type, version: '3.4', link: `https://downloads.example.org/${type}` });
  const page = await enter('/clientDownload');
  await page.locator('[data-testid^="package-"]').nth(2).waitFor();
  return page;
}

async function news({ visit }: Shot): Promise<Page> {
  const page = await visit('/', '/myMeeting');
  await page.getByTestId('announcements-button').click();
  await page.getByTestId('announcement-row').first().waitFor();
  return page;
}

async function notices({ visit, world }: Shot): Promise<Page> {
  const page = await visit('/', '/myMeeting', world.colleague);
  await page.getByTestId('notice-bell').click();
  await page.getByTestId('notice-row').first().waitFor();
  return page;
}

async function entered({ enter }: Shot, path: string, ready: string): Promise<Page> {
  const page = await enter(path);
  await page.getByTestId(ready).waitFor();
  return page;
}

const ROOT = 'root';
/** Pictures by name: how their page is opened. */
const PICTURES: Record<string, (shot: Shot) => Promise<Page>> = {
  'sign-in': async (shot) => {
    const page = await entered(shot, '/login', 'login-account');
    // The whole card.
    await page.setViewportSize({ width: SIZE.width, height: 800 });
    return page;
  },
  join: async (shot) => {
    const page = await entered(shot, '/join', 'join-submit');
    await page.getByTestId('preview-camera').click();
    await expect(page.getByTestId('preview-camera')).toHaveAttribute('aria-pressed', 'false');
    return page;
  },
  'my-meetings': menuPage('/', '/myMeeting', 'agenda-day'),
  book: booking,
  room,
  desk,
  'meeting-files': files,
  documents: menuPage('/', '/editor', 'documents-row'),
  document: async ({ visit, world }) => {
    const page = await visit('/', `/editor/${world.documentId}`);
    await page.getByTestId('document-text').locator('h1').waitFor();
    return page;
  },
  history: menuPage('/', '/meetingHistory', 'history-row'),
  recordings: menuPage('/', '/record-meeting', 'recordings-row'),
  recording: async ({ visit, world }) => {
    const page = await visit('/', `/record-details/${world.recordingId}`);
    await page.getByTestId('player-time').waitFor();
    return page;
  },
  occupancy: menuPage('/', '/occupyRoom', 'account-menu'),
  'start-page': news,
  notices,
  profile: menuPage('/', '/userInfo', 'account-menu'),
  users: menuPage('/manage/', '/users', 'users-row'),
  rooms: menuPage('/manage/', '/rooms', 'account-menu'),
  'notice-templates': menuPage('/manage/', '/noticeTexts', 'notice-text-edit'),
  announcements: menuPage('/manage/', '/announcements', 'announcements-row'),
  'start-apps': menuPage('/manage/', '/startApps', 'account-menu'),
  statistics: menuPage('/manage/', '/statistics', 'statistics-chart'),
  audit: menuPage('/manage/', '/audit', 'account-menu'),
  tenants: menuPage('/admin/', '/tenants', 'tenants-row', ROOT),
  roles: menuPage('/admin/', '/roles', 'role-row', ROOT),
  downloads,
  'client-packages': async (shot) => {
    await downloads(shot);
    return menuPage('/admin/', '/client-packages', 'account-menu', ROOT)(shot);
  },
};

for (const locale of LOCALES) {
  for (const [name, open] of Object.entries(PICTURES)) {
    test(`picture ${name} (${locale})`, async ({ visit, server, chromium }) => {
      const world = await pictureWorld(server, locale);
      const opened: Page[] = [];
      const page = await open({
        server,
        chromium,
        locale,
        world,
        opened,
        visit: (app, path, account = world.account) => visit(account, app, path, { locale, size: SIZE }),
        enter: async (path) => {
          const one = await openPage(chromium, { locale, size: SIZE });
          opened.push(one);
          await one.goto(`${server.url}/#${path}`);
          return one;
        },
      });
      await page.waitForLoadState('networkidle');
      await page.mouse.move(1, 1);
      await keep(chromium, page, locale, name);
      for (const one of opened) await closePage(one);
    });
  }
}
