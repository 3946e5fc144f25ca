import { expect, test } from 'vitest';
import { scriptsOf, weightBreaches, weightWords, type Manifest } from '../page-weight.ts';

const page = { name: 'list', budget: 100, parts: ['src/list.tsx'] };
const manifest: Manifest = {
  'index.html': { file: 'assets/user.js', imports: ['_start.js'], dynamicImports: ['src/list.tsx', 'src/other.tsx'] },
  '_start.js': {
    file: 'assets/start.js',
    dynamicImports: ['src/lib/i18n/locales/zh.json', 'src/lib/i18n/locales/en.json', 'src/drawer.tsx'],
  },
  'src/list.tsx': {
    file: 'assets/list.js',
    imports: ['_start.js', '_table.js'],
    dynamicImports: ['../../node_modules/antd/es/locale/zh_CN.js'],
  },
  '_table.js': { file: 'assets/table.js' },
  'src/other.tsx': { file: 'assets/other.js' },
  'src/drawer.tsx': { file: 'assets/drawer.js' },
  'src/lib/i18n/locales/zh.json': { file: 'assets/zh.js' },
  'src/lib/i18n/locales/en.json': { file: 'assets/en.js' },
  '../../node_modules/antd/es/locale/zh_CN.js': { file: 'assets/antd-zh.js' },
};

test('a page loads the imports of its entry and its parts, and the texts of one language', () => {
  const shared = ['assets/list.js', 'assets/start.js', 'assets/table.js', 'assets/user.js', 'compat.js'];
  expect([...scriptsOf(manifest, page, 'en')].sort()).toEqual(['assets/en.js', ...shared].sort());
  expect([...scriptsOf(manifest, page, 'zh')].sort()).toEqual(['assets/zh.js', 'assets/antd-zh.js', ...shared].sort());
});

test('a part that the build does not know is an error, so that a renamed file does not hide weight', () => {
  expect(() => scriptsOf(manifest, { ...page, parts: ['src/former.tsx'] }, 'en')).toThrow('no chunk of src/former.tsx');
});

test('a page over its budget is a breach', () => {
  const weights = [
    { page, kilobytes: 99.9 },
    { page: { ...page, name: 'room' }, kilobytes: 100.1 },
  ];
  expect(weightBreaches(weights)).toEqual([
    expect.stringContaining('room loads 100.1 KB of JavaScript, 100 KB at most'),
  ]);
  expect(weightWords(weights)).toBe('list 100 of 100 KB, room 100 of 100 KB');
});
