import { expect, test } from 'vitest';
import { faultsOf, FIRST, originOf } from '../src/features/setup/answers.ts';
import { packAnswers, unpackAnswers } from '../src/features/setup/draft.ts';
import { rangesOf, summed } from '../src/features/setup/trials.ts';

const RULES = { minLength: 8, minClasses: 2 };
const GOOD = {
  ...FIRST,
  operatorName: 'Root',
  operatorPassword: 'Heron-7-lakes',
  operatorAgain: 'Heron-7-lakes',
  organisation: '城市医院',
  adminName: 'Admin',
  adminPassword: 'Stork-8-lakes',
  adminAgain: 'Stork-8-lakes',
};

test('errors are reported at their field', () => {
  expect(faultsOf(GOOD, RULES)).toEqual({});
  expect(
    faultsOf(
      {
        ...GOOD,
        operatorPassword: 'a-root-7',
        operatorAgain: 'a',
        adminPassword: 'Stork',
        adminAgain: 'Stork',
        adminAccount: 'ROOT',
      },
      RULES,
    ),
  ).toEqual({
    operatorPassword: 'weak.account',
    operatorAgain: 'differ',
    adminPassword: 'weak.length',
    adminAccount: 'same',
  });
  expect(faultsOf({ ...GOOD, adminPassword: 'storklakes', adminAgain: 'storklakes', adminAccount: '' }, RULES)).toEqual(
    { adminPassword: 'weak.classes', adminAccount: 'missing' },
  );
});

test('the hash of an address carries the input, but no passwords', () => {
  const packed = packAnswers(GOOD);
  expect(packed).toMatch(/^[\w-]+$/);
  expect(unpackAnswers(packed)).toEqual({
    ...GOOD,
    operatorPassword: '',
    operatorAgain: '',
    adminPassword: '',
    adminAgain: '',
  });
  for (const broken of ['', '!', packed.slice(0, 20), btoa('{"a":1}'), btoa('[1,null,{}]')])
    expect(unpackAnswers(broken)).toEqual(FIRST);
  // The maximum content of the fields fits into a link.
  const long = '名'.repeat(100);
  expect(packAnswers({ ...GOOD, operatorName: long, organisation: long, adminName: long }).length).toBeLessThan(4_000);
});

test.each([
  ['meet.example.org', 'https://meet.example.org'],
  [' https://meet.example.org:8443/rooms?x#y ', 'https://meet.example.org:8443'],
  ['http://192.0.2.7:3000', 'http://192.0.2.7:3000'],
  ['[2001:db8::1]:3000', 'https://[2001:db8::1]:3000'],
  ['', null],
  ['ftp://meet.example.org', null],
  ['https://', null],
  ['javascript:alert(1)', null],
  ['https://somebody:word@meet.example.org', null],
])('the address %s', (typed, origin) => {
  expect(originOf(typed)).toBe(origin);
});

test('ports are shown as ranges, trials by how they ended', () => {
  expect(rangesOf([7884, 7882, 7883, 9000])).toEqual(['7882–7884', '9000']);
  const url = 'wss://media.example.org';
  expect(
    summed([
      { zone: '', url, port: 7882, reach: { way: 'udp', port: 7882, ms: 3 } },
      { zone: '', url, port: 7883, reach: { way: null, failedAt: 'media' } },
      { zone: '', url, port: 7884, reach: { way: 'udp', port: null, ms: 9 } },
      { zone: '', url, port: 7885, reach: { way: 'relay', port: 3478, ms: null } },
      { zone: 'North', url, port: null, reach: { way: null, failedAt: 'signalling' } },
    ]),
  ).toEqual([
    { end: 'udp', places: ['7882', '7884'], ms: { least: 3, most: 9 } },
    { end: 'relay', places: ['7885'], ms: null },
    { end: 'media', places: ['7883'], ms: null },
    { end: 'signalling', places: ['North media.example.org'], ms: null },
  ]);
});
