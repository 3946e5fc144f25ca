import { expect, test } from 'vitest';
import { keepOrder, promoteSpeakers } from '../../src/features/conferences/model/order.ts';

test('who stays keeps the place, newcomers go to the end', () => {
  expect(keepOrder(['me', 'alice', 'bob'], ['me', 'carol', 'bob', 'dave'])).toEqual(['me', 'bob', 'carol', 'dave']);
});

const order = ['me', 'alice', 'bob', 'carol', 'dave', 'erin'];

test.each([
  ['nobody spoke', [], order],
  ['a speaker in sight moves nothing', ['bob'], order],
  ['a speaker out of sight takes the place of the last silent one', ['erin'], ['me', 'alice', 'erin', 'carol', 'dave', 'bob']],
  ['the one who spoke before keeps the place', ['erin', 'bob'], ['me', 'erin', 'bob', 'carol', 'dave', 'alice']],
  ['with all places spoken for, the one silent for longest goes', ['erin', 'alice', 'bob'], ['me', 'alice', 'erin', 'carol', 'dave', 'bob']],
  ['our own tile is never given away', ['dave', 'erin', 'carol'], ['me', 'erin', 'dave', 'carol', 'bob', 'alice']],
])('%s', (_, recent, expected) => {
  expect(promoteSpeakers(order, recent, 3, 1)).toEqual(expected);
});

test('with room for all, nothing moves', () => {
  expect(promoteSpeakers(order, ['erin'], 6, 1)).toEqual(order);
});

test('doing it again changes nothing', () => {
  const once = promoteSpeakers(order, ['erin', 'dave'], 3, 1);
  expect(promoteSpeakers(once, ['erin', 'dave'], 3, 1)).toEqual(once);
});
