import { readFile } from 'node:fs/promises';
import { describe, expect, test } from 'vitest';
import { MANUAL_PAGES } from '@rmeet/manual';
import { MENU_PAGES } from '../src/lib/menuComponents.ts';
import { isManualShown, MANUAL_OF_MENU, MANUAL_OF_ROUTE, manualPageOf } from '../src/lib/manual.ts';
import * as paths from '../src/lib/paths.ts';
import { sourcePath } from './support.ts';

/** The paths of all routes in the source of the app, constants replaced by their values. */
async function routesOfApp(): Promise<string[]> {
  const source = await readFile(sourcePath('entries/routes.tsx'), 'utf8');
  const texts = Object.entries(paths).flatMap(([name, value]) => (typeof value === 'string' ? [[name, value]] : []));
  const constants = new Map([
    ...(texts as [string, string][]),
    ['MY_MEETING', '/myMeeting'],
    ['FIXED_NUMBER', '/fixedMeetingNumber'],
  ]);
  const valueOf = (name: string): string => constants.get(name) ?? expect.fail(`What is ${name}?`);
  return [...source.matchAll(/<Route path=(?:"([^"]+)"|\{([A-Z_]+)\}|\{`\$\{([A-Z_]+)\}([^`]*)`\})/g)].map(
    ([, text, name, start, rest]) => text ?? (name === undefined ? `${valueOf(start ?? '')}${rest}` : valueOf(name)),
  );
}

describe('the manual', () => {
  test('has a page for every menu page and every route of the app', async () => {
    const routes = (await routesOfApp()).filter((path) => path !== '/' && path !== '*');
    expect(routes.length).toBeGreaterThan(20);
    const isKnown = (path: string): boolean =>
      path === '/users/:id/access' || MANUAL_OF_ROUTE.some(([start]) => path === start || path.startsWith(`${start}/`));
    expect(routes.filter((path) => !isKnown(path))).toEqual([]);
    expect(Object.keys(MANUAL_OF_MENU).toSorted()).toEqual([...MENU_PAGES].toSorted());
  });

  test('has no page that nothing leads to, but those that others are about', () => {
    const linked = new Set([...Object.values(MANUAL_OF_MENU), ...MANUAL_OF_ROUTE.map(([, page]) => page), 'access']);
    // Found by its contents and its search: they belong to no page of their own.
    const others = 'book room trouble notices start-page assistant host meeting-files guests setup'.split(' ');
    expect(MANUAL_PAGES.filter((page) => !linked.has(page)).toSorted()).toEqual(others.toSorted());
  });

  test.each([
    ['/record-details/1', null, 'recordings'],
    ['/meeting-record-details/1', null, 'history'],
    ['/users/1/access', null, 'access'],
    ['/live/1', null, 'live'],
    ['/live-meeting', 'LiveMeeting', 'live'],
    ['/an/own/menu', 'Users', 'users'],
    ['/unknown', null, 'start'],
  ] as const)('answers %s (%s) by %s', (path, menuPage, page) => {
    expect(manualPageOf(path, menuPage)).toBe(page);
  });

  test.each([
    ['a browser', 'Mozilla/5.0 (Windows NT 10.0) Chrome/150', null, true],
    ['the client for Windows', 'Mozilla/5.0 (Windows NT 10.0) Chrome/150 RmeetClient/3.1', null, false],
    ['the client on a Mac, by its user agent', 'Mozilla/5.0 (Macintosh) Chrome/150 RmeetClient/3.1', null, true],
    ['the client on a Mac, by what it stored', 'Mozilla/5.0 Chrome/150 RmeetClient/3.1', 'Mac', true],
  ])('in %s', (_what, userAgent, platform, isShown) => {
    expect(isManualShown(userAgent, platform)).toBe(isShown);
  });
});
