import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { until, type Watched, type WebKitPage } from '@rmeet/testkit';
import { mayBook } from '../meetings/support.ts';
import { LOCALES } from '../pages.ts';
import { has, looksRight, PHONE, signIn, switchTo, test, WIDE } from './support.ts';

// Each test opens dozens of pages.
test.describe.configure({ timeout: 300_000 });

/** The app's fixed routes; those of the menu come from the server, and each page shows its menu. */
const routes = (() => {
  const source = readFileSync(
    join(import.meta.dirname, '..', '..', 'apps', 'web', 'src', 'entries', 'routes.tsx'),
    'utf8',
  );
  return [...source.matchAll(/<Route path="([^"]+)"/g)].map(([, path]) => path ?? '');
})();
/** Routes that need no account. */
const standalone = routes.filter((path) => !path.includes(':') && !['/', '*', '/userInfo'].includes(path));
const menu = (page: WebKitPage): Promise<string[]> =>
  page.evaluate(
    `[...document.querySelectorAll('aside nav a')].map(({ hash }) => hash.slice(1)).filter((path) => path !== '/join')`,
  );

/** Goes to another page of the same app, and waits until the previous one has gone. */
async function goTo(page: WebKitPage, path: string): Promise<void> {
  const at = `location.hash.split('?')[0] !== ${JSON.stringify(`#${path.split('?')[0]}`)}`;
  await page.evaluate(`${at} && document.querySelector('h1')?.setAttribute('data-before', '')`);
  await page.evaluate(`location.hash = ${JSON.stringify(path)}`);
  await page.waitFor(has('h1:not([data-before])'));
}

/** Checks a page of the shell; pages for users also on a phone. */
async function visit(page: WebKitPage, watched: Watched, app: string, path: string): Promise<void> {
  await goTo(page, path);
  for (const size of app === '/' ? [PHONE, WIDE] : [WIDE]) {
    await page.resize(size);
    await looksRight(page, watched, `${app}#${path}`);
  }
  // Every create button opens a form or a dialog; minutes of a meeting are begun at once.
  const create = 'main button[data-testid$="-new"]:not(:disabled, [data-testid="meeting-document-new"])';
  if (!(await page.evaluate<boolean>(has(create)))) return;
  await page.click(create);
  const dialog = 'dialog[open], [role="dialog"]';
  await page.waitFor(has(dialog));
  await looksRight(page, watched, `${app}#${path} new`);
  await until(
    'Escape closes it',
    async () => {
      await page.escape();
      return page.evaluate<boolean>(`!(${has(dialog)})`);
    },
    { every: 500 },
  );
}

for (const locale of LOCALES) {
  test(`pages for users look right in ${locale}`, async ({ server, tab, watched }) => {
    await mayBook(server, 'alice', ['sys:approve', 'sys:pmicode']);
    const alice = await server.api.as('alice');
    const {
      records: [held],
    } = await alice.history.list({ query: {} });
    await signIn(tab, `${watched.url}/`, 'alice');
    await switchTo(tab, locale);
    const paths = [...(await menu(tab)), `/meeting-record-details/${held?.id}`, '/fixedMeetingNumber', '/userInfo'];
    for (const path of paths) await visit(tab, watched, '/', path);
    for (const view of ['day', 'week', 'month']) await visit(tab, watched, '/', `/myMeeting?view=${view}`);
  });

  test(`pages for administrators of a tenant look right in ${locale}`, async ({ server, tab, watched }) => {
    const { user } = await server.api.as('admin');
    await signIn(tab, `${watched.url}/manage/`, 'admin');
    await switchTo(tab, locale);
    for (const path of [...(await menu(tab)), `/users/${user.id}/access`]) await visit(tab, watched, '/manage/', path);
  });

  test(`pages for the staff of the platform look right in ${locale}`, async ({ tab, watched }) => {
    await signIn(tab, `${watched.url}/admin/`, 'root');
    await switchTo(tab, locale);
    for (const path of await menu(tab)) await visit(tab, watched, '/admin/', path);
  });

  test(`pages without the shell look right in ${locale}`, async ({ tab, watched }) => {
    await tab.goto(watched.url);
    await switchTo(tab, locale);
    for (const path of [...standalone, '/nowhere']) {
      for (const size of [PHONE, WIDE]) {
        await tab.resize(size);
        // A full page load, as for a user who opens a link.
        await tab.goto(`${watched.url}/?${size.width}${path}#${path}`);
        await looksRight(tab, watched, path);
      }
    }
  });
}
