import { expect, test } from 'vitest';
import { deviceOf } from '@rmeet/contract';
import { checkPassword } from '../src/lib/passwords.ts';

const RULES = { minLength: 8, minClasses: 3, history: 3, maxAgeDays: null };
const met = (password: string) =>
  checkPassword(password, 'alice', RULES).flatMap((check) => (check.met ? [check.rule] : []));

test('the rules are ticked off while a password is typed', () => {
  expect(met('')).toEqual([]);
  expect(met('Ab1')).toEqual(['classes', 'account']);
  expect(met('abcdefgh')).toEqual(['length', 'account']);
  expect(met('Alice-2026')).toEqual(['length', 'classes']);
  expect(met('Ward-2026')).toEqual(['length', 'classes', 'account']);
  // Counts characters, not UTF-16 code units.
  expect(met('𝒜𝒷𝒸𝒹')).not.toContain('length');
});

test.each([
  [
    'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 ' +
      '(KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36 Edg/140.0.0.0',
    'Edge',
    'Windows',
  ],
  [
    'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 ' +
      '(KHTML, like Gecko) Version/18.0 Safari/605.1.15',
    'Safari',
    'macOS',
  ],
  [
    'Mozilla/5.0 (Linux; Android 15; Pixel 9) AppleWebKit/537.36 ' +
      '(KHTML, like Gecko) Chrome/140.0.0.0 Mobile Safari/537.36',
    'Chrome',
    'Android',
  ],
  [
    'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 ' +
      '(KHTML, like Gecko) CriOS/140.0 Mobile/15E148 Safari/604.1',
    'Chrome',
    'iOS',
  ],
  ['Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0', 'Firefox', 'Linux'],
  ['curl/8.5.0', null, null],
])('the device of %s', (userAgent, browser, system) => {
  expect(deviceOf(userAgent)).toEqual({ browser, system });
});
