import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { LOCALES, test } from '../pages.ts';

/** Takes the pictures of the manual again (docs/features/manual.md). */
test.skip(process.env['RMEET_MANUAL_PICTURES'] !== '1', 'the pictures of the manual are taken on request');

const FOLDER = join(import.meta.dirname, '..', '..', 'packages', 'manual', 'pictures');
/** Small enough for a page of text, in pixels of the page. */
const SIZE = { width: 1_000, height: 640 };

const PICTURES: readonly {
  name: string;
  app: string;
  path: string;
  account: string;
  ready: (page: Page) => Promise<void>;
}[] = [
  {
    name: 'my-meetings',
    app: '/',
    path: '/myMeeting',
    account: 'chair',
    ready: (page) => page.getByTestId('agenda').waitFor(),
  },
  {
    name: 'occupancy',
    app: '/',
    path: '/occupyRoom',
    account: 'chair',
    ready: (page) => page.getByRole('heading', { level: 1 }).waitFor(),
  },
  {
    name: 'users',
    app: '/manage/',
    path: '/users',
    account: 'admin',
    ready: (page) => page.getByTestId('users-row').first().waitFor(),
  },
];

for (const locale of LOCALES) {
  const language = locale.slice(0, 2);
  for (const { name, app, path, account, ready } of PICTURES) {
    test(`picture ${name} (${locale})`, async ({ visit }) => {
      const page = await visit(account, app, path, { locale, size: SIZE });
      await ready(page);
      mkdirSync(join(FOLDER, language), { recursive: true });
      await page.screenshot({ path: join(FOLDER, language, `${name}.png`) });
    });
  }
}
