import { CLIENT_PACKAGE_TYPES, PACKAGE_URL_KEYS, type OfferedPackage } from '@rmeet/contract';
import { describe, expect, test } from 'vitest';
import { faultsOf, newPackage, type PackageDraft } from '../src/features/clientPackages/manage/draft.ts';
import {
  askedOf,
  codeOf,
  landingOf,
  menuEntriesOf,
  packageFor,
} from '../src/features/clientPackages/downloads/rules.ts';
import { parseClientInfo } from '../src/features/clientPackages/downloads/storedList.ts';
import { isDownloadShown } from '../src/features/clientPackages/downloads/viewer.ts';

const BROWSER = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 Chrome/150';
const SHELL = `${BROWSER} RmeetClient/3.1`;
const LINUX_SHELL = 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 Chrome/150 RmeetClient/3.1';
const all = Object.entries(CLIENT_PACKAGE_TYPES).map(([name, type]) => ({
  type,
  version: '3.4',
  url: `https://downloads.example.org/${name}`,
}));

test.each([
  ['a browser', BROWSER, null, true],
  ['a client shell', SHELL, null, false],
  ['the new embedded client', SHELL, 'client', true],
])('the header of %s has the download icon, or not', (_, userAgent, source, isShown) => {
  expect(isDownloadShown({ userAgent, source })).toBe(isShown);
});

describe('the menu navigates to', () => {
  const namesFor = (userAgent: string, platform: string | null) =>
    menuEntriesOf(all, { userAgent, platform, source: 'client' }).map(({ name }) => name);
  const seven = ['windows', 'mac', 'rooms', 'roomsAndroid', 'kylinArm', 'kylinX86', 'uosArm'];

  test.each([
    ['seven packages in a browser', BROWSER, null, seven],
    ['none in the client for Windows', SHELL, 'windows', []],
    ['none in a client that names no platform', SHELL, null, []],
    ['seven in the client for Mac', SHELL, 'Mac', seven],
    ['seven in the client for Linux', LINUX_SHELL, null, seven],
  ])('%s', (_, userAgent, platform, names) => {
    expect(namesFor(userAgent, platform)).toEqual(names);
  });

  test('packages that are offered, only', () => {
    expect(menuEntriesOf([], { userAgent: BROWSER, platform: null, source: null })).toEqual([]);
  });
});

describe('a code', () => {
  test('for Android leads to the downloads page with version and address', () => {
    const url = 'https://meet.example.org/api/api/v1/client-packages/file/1?a=b';
    const page = new URL(codeOf({ type: 1, version: '3.4.0', url }, 'https://meet.example.org'));
    expect(page.href).toMatch(/^https:\/\/meet\.example\.org\/downloads\/\?type=1&version=3\.4\.0&url=https%3A/);
    expect(askedOf(page.search)).toEqual({ name: 'android', version: '3.4.0', url });
  });

  test('for Android leaves out an address that makes it too fine to be read', () => {
    const url = `https://downloads.example.org/${'x'.repeat(600)}`;
    expect(codeOf({ type: 1, version: '3.4.0', url }, 'https://meet.example.org')).toBe(
      'https://meet.example.org/downloads/?type=1&version=3.4.0',
    );
  });

  test('for others is the address itself', () => {
    expect(codeOf({ type: 2, version: '3', url: 'https://apps.example.org/1' }, 'https://meet.example.org')).toBe(
      'https://apps.example.org/1',
    );
  });
});

describe('the downloads page', () => {
  test.each([
    ['1', 'android'],
    ['2', 'ios'],
    ['3', 'windows'],
    ['4', 'mac'],
    ['5', 'rooms'],
    ['6', 'roomsAndroid'],
    ['9', 'kylinArm'],
    ['10', 'uosArm'],
    ['7', undefined],
    ['', undefined],
    ['__proto__', undefined],
  ])('type %s asks for %s', (type, name) => {
    expect(askedOf(`?type=${type}`).name).toBe(name);
  });

  test('offers what is asked for first, and all others after it', () => {
    const offered = all as unknown as OfferedPackage[];
    const { first, others } = landingOf(offered, 'android');
    expect(first?.type).toBe(1);
    expect(others).toHaveLength(offered.length - 1);
    expect(landingOf(offered, undefined)).toEqual({ first: undefined, others: offered });
  });

  test.each([
    ['Mozilla/5.0 (Linux; Android 15; Pixel 9)', 'android'],
    ['Mozilla/5.0 (Phone; OpenHarmony 5.0) ArkWeb/4', 'harmony'],
    ['Mozilla/5.0 (iPhone; CPU iPhone OS 19_0 like Mac OS X)', 'ios'],
    ['Mozilla/5.0 (Macintosh; Intel Mac OS X 15_0)', 'mac'],
    [BROWSER, 'windows'],
    ['Mozilla/5.0 (X11; Linux x86_64)', undefined],
  ])('%s is a device for %s', (userAgent, name) => {
    expect(packageFor(userAgent)).toBe(name);
  });
});

test('a stored list keeps entries with a type and a web address, and anything else is no list', () => {
  const kept = { type: 3, url: 'https://downloads.example.org/a.exe', version: '' };
  const wrong = [null, 7, { type: '3', url: kept.url }, { type: 3, url: 'javascript:alert(1)' }, { type: 3 }];
  expect(parseClientInfo(JSON.stringify([...wrong, { type: kept.type, url: kept.url }]))).toEqual([kept]);
  for (const json of [null, '', '{', '{}', '"text"', '7']) expect(parseClientInfo(json)).toEqual([]);
});

describe('the form of a package finds', () => {
  const draft: PackageDraft = { ...newPackage, version: '3.4.0', file: { name: 'Rmeet.EXE', size: 5 } };
  test.each<[string, Partial<PackageDraft>, object]>([
    ['nothing wrong', {}, {}],
    ['no version', { version: '' }, { version: 'version' }],
    ['a version with letters', { version: '3.x' }, { version: 'version' }],
    ['no file', { file: null }, { file: 'file' }],
    ['a file of another type', { file: { name: 'rmeet.apk', size: 5 } }, { file: 'ending' }],
    ['a file that is too large', { file: { name: 'rmeet.exe', size: 2 ** 31 + 1 } }, { file: 'size' }],
    ['a link without https', { source: 'link', link: 'http://a.example.org' }, { link: 'link' }],
    ['iOS without a link, whatever file there is', { type: 'ios' }, { link: 'link' }],
    ['a minimal version that is none', { minimalVersion: 'old' }, { minimalVersion: 'minimal' }],
    ['a minimal version above the version', { minimalVersion: '3.10' }, { minimalVersion: 'above' }],
    ['no percentage', { rolloutKind: 'percent', percent: null }, { percent: 'percent' }],
    ['a percentage of 100', { rolloutKind: 'percent', percent: 100 }, { percent: 'percent' }],
    ['no tenant', { rolloutKind: 'tenants' }, { tenantIds: 'tenants' }],
  ])('%s', (_, change, faults) => {
    expect(faultsOf({ ...draft, ...change }, true)).toEqual(faults);
  });

  test('nothing wrong with the source of a published package', () => {
    expect(faultsOf({ ...draft, file: null, version: '' }, false)).toEqual({});
  });
});

test('every type has a key of its own', () => {
  const keys = Object.values(PACKAGE_URL_KEYS);
  expect(new Set(keys).size).toBe(Object.keys(CLIENT_PACKAGE_TYPES).length);
});
