import { applyCommand, NO_CONTROL, type ConferenceCommand } from '@rmeet/conference';
import { expect, test, vi } from 'vitest';
import { Reactions, type ShownReaction } from '../../src/call/reactions.ts';
import { chatPartners, firstLine } from '../../src/features/conferences/room/model/chat-partners.ts';
import { reactionSentences } from '../../src/features/conferences/room/model/reactions.ts';
import { runningTime } from '../../src/features/conferences/shared/running-time.ts';

const arrive = (termId: string, role: 'host' | 'member'): ConferenceCommand => ({
  verb: 'arrive',
  termId,
  name: termId,
  role,
  previousTermId: null,
});
const three = [arrive('chair', 'host'), arrive('bob', 'member'), arrive('alice', 'member')].reduce(
  applyCommand,
  NO_CONTROL,
);

test('a reaction is shown for five seconds, unless it arrives later than that', () => {
  vi.useFakeTimers();
  let shown: readonly ShownReaction[] = [];
  const reactions = new Reactions((next) => (shown = next));
  const heart = { termId: 'alice', name: 'Alice', reaction: 'heart' } as const;
  reactions.add(heart, 0);
  reactions.add({ ...heart, reaction: 'party' }, 6_000);
  expect(shown.map(({ reaction }) => reaction)).toEqual(['heart']);
  vi.advanceTimersByTime(5_000);
  expect(shown).toEqual([]);
  vi.useRealTimers();
});

test('a burst of reactions is one sentence', () => {
  const t = ((key: string, values?: object) => [key, ...Object.values(values ?? {})].join(' ')) as never;
  const of = (name: string, reaction: 'heart' | 'laugh') => ({ name, reaction });
  expect(reactionSentences([of('Alice', 'heart')], t)).toBe('reactions.one Alice reactions.heart');
  expect(reactionSentences([of('Alice', 'heart'), of('Bob', 'laugh'), of('Carol', 'heart')], t)).toBe(
    'reactions.many 3 reactions.counted 2 reactions.heartreactions.andreactions.counted 1 reactions.laugh',
  );
});

test('people write to all, to hosts only, or to no one, as the chair allows; hosts always to all', () => {
  const names = (chatFor: 'all' | 'hosts' | 'nobody', me: string) => {
    const { all, people } = chatPartners(applyCommand(three, { verb: 'allow', chatFor }), me);
    return [all, ...people.map(({ name }) => name)];
  };
  expect(names('all', 'alice')).toEqual([true, 'bob', 'chair']);
  expect(names('hosts', 'alice')).toEqual([false, 'chair']);
  expect(names('nobody', 'alice')).toEqual([false]);
  expect(names('nobody', 'chair')).toEqual([true, 'alice', 'bob']);
});

test.each([
  [0, '00:00'],
  [249_999, '04:09'],
  [3_849_000, '1:04:09'],
  [-500, '00:00'],
])('%d ms are %s on the clock', (length, text) => {
  expect(runningTime(length)).toBe(text);
});

test('a quote is the first line', () => {
  expect(firstLine('One\nTwo')).toBe('One');
});
