import { readdir, readFile } from 'node:fs/promises';
import { describe, expect, test } from 'vitest';
import { MANUAL_PAGES, type ManualPage } from '@rmeet/manual';
import { MENU_PAGES, type MenuPage } from '../src/lib/menuComponents.ts';
import { MANUAL_OF_MENU, MANUAL_OF_ROUTE, manualPageOf } from '../src/lib/manual.ts';
import { isManualShown } from '../src/lib/manualLink.ts';
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

/**
 * The screens of the product document (section 2) with their pages of the manual: a path, or the page of a menu entry.
 * Lessons have no screens yet.
 */
const SCREENS: readonly (readonly [screen: string, menuPage: MenuPage | null, page: ManualPage])[] = [
  ['/login', null, 'sign-in'],
  ['/singleLogin', null, 'sign-in'],
  ['/singleLogout', null, 'sign-in'],
  ['/logout', null, 'sign-in'],
  ['/sso', null, 'sign-in'],
  ['/rmeetsso', null, 'sign-in'],
  ['/loading', null, 'sign-in'],
  ['/meetingControl', null, 'desk'],
  ['/terminalstatus', null, 'status-wall'],
  ['/join', null, 'join'],
  ['/404', null, 'start'],
  ['/clientDownload', null, 'downloads'],
  ['/shareRecordDetails/1', null, 'shared-recording'],
  ['/myMeeting', 'MyMeeting', 'my-meetings'],
  ['/userInfo', null, 'profile'],
  ['/fixedMeetingNumber', null, 'fixed-number'],
  ['/occupyRoom', 'OccupyRoom', 'occupancy'],
  ['/record-meeting', 'RecordMeeting', 'recordings'],
  ['/record-details/1', null, 'recordings'],
  ['/meeting-record-details/1', null, 'history'],
  ['/editor', 'Documents', 'documents'],
  ['/editor/1', null, 'documents'],
  ['/icon', null, 'start-apps'],
  ['live broadcasts', 'LiveMeeting', 'live'],
  ['manual live', 'ManualLive', 'external-streams'],
  ['/menumanage', 'MenuManage', 'menus'],
  ['tenants', 'Tenants', 'tenants'],
  ['users', 'Users', 'users'],
  ['operators', 'Operators', 'operators'],
  ['roles', 'Roles', 'roles'],
  ['permissions', 'Permissions', 'permissions'],
  ['/api-record', 'ApiRecord', 'api-clients'],
  ['rooms', 'Rooms', 'rooms'],
  ['terminals', 'Terminals', 'terminals'],
  ['meeting resources', 'Resources', 'resources'],
  ['notice templates', 'NoticeTexts', 'notice-templates'],
  ['approvals', 'Approvals', 'approvals'],
  ['announcements', 'Announcements', 'announcements'],
  ['client packages', 'ClientPackages', 'client-packages'],
  ['audit log', 'AuditLog', 'audit'],
  ['statistics', 'Statistics', 'statistics'],
];

/** Pages of the manual that drawers, dialogs and pages without the shell lead to. */
async function linkedFromWithin(): Promise<string[]> {
  const files = await readdir(sourcePath('.'), { recursive: true });
  const sources = await Promise.all(
    files.filter((file) => file.endsWith('.tsx')).map((file) => readFile(sourcePath(file), 'utf8')),
  );
  return sources.flatMap((source) =>
    [...source.matchAll(/(?:<PageHelp page|\bhelp)="([a-z-]+)"/g)].map(([, page = '']) => page),
  );
}

describe('the manual', () => {
  test.each(SCREENS)('has a page for the screen %s', (path, menuPage, page) => {
    expect(manualPageOf(path, menuPage)).toBe(page);
    expect(MANUAL_PAGES).toContain(page);
  });

  test('has a page for every menu page and every route of the app', async () => {
    const routes = (await routesOfApp()).filter((path) => path !== '/' && path !== '*');
    expect(routes.length).toBeGreaterThan(20);
    const isKnown = (path: string): boolean =>
      path === '/users/:id/access' || MANUAL_OF_ROUTE.some(([start]) => path === start || path.startsWith(`${start}/`));
    expect(routes.filter((path) => !isKnown(path))).toEqual([]);
    expect(Object.keys(MANUAL_OF_MENU).toSorted()).toEqual([...MENU_PAGES].toSorted());
  });

  test('has no page that nothing leads to, but those that others are about', async () => {
    const within = await linkedFromWithin();
    for (const page of within) expect(MANUAL_PAGES).toContain(page);
    const routes = MANUAL_OF_ROUTE.map(([, page]) => page);
    const linked = new Set<string>([...Object.values(MANUAL_OF_MENU), ...routes, 'access', ...within]);
    // Found by its contents and its search: they belong to no page of their own.
    const others = ['trouble', 'host', 'guests'];
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
