import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Browser, Page } from '@playwright/test';
import { launchBrowser, openPage } from '../src/index.ts';

/**
 * A picture that became smaller after its size was read, as a video does if a smaller layer arrives at that moment: it
 * reports twice the size of what it draws.
 */
const SHRUNK = `const canvas = { className: 'place', width: 320, height: 180, readyState: 4 };
  rmeetTest.shrunk = Object.assign(document.createElement('canvas'), canvas);
  Object.defineProperties(rmeetTest.shrunk, { videoWidth: { value: 640 }, videoHeight: { value: 360 } });
  rmeetTest.shrunk.getContext('2d').fillStyle = '#20a040';
  rmeetTest.shrunk.getContext('2d').fillRect(0, 0, 320, 180);`;

let browser: Browser;
let page: Page;

beforeAll(async () => {
  browser = await launchBrowser({ light: true });
  page = await openPage(browser);
  await page.goto('data:text/html,<body></body>');
  await page.evaluate(SHRUNK);
});

afterAll(() => browser.close());

test('a picture that shrinks while it is read has its colour, and is not black', async () => {
  expect(await page.evaluate('rmeetTest.read(rmeetTest.shrunk)')).toMatchObject({
    r: 0x20,
    g: 0xa0,
    b: 0x40,
    width: 640,
    height: 360,
  });
});

test('a watched place shows its present colour, and not an earlier one', async () => {
  expect(await page.evaluate('rmeetTest.colourOf(rmeetTest.shrunk)')).toEqual([0x20, 0xa0, 0x40]);
});
