import type { Notice } from '@rmeet/contract';
import { expect, test } from 'vitest';
import { merge } from '../src/features/notices/centre/merge.ts';

/** The notice of that number; larger ones are newer. */
const notice = (number: number, isRead = false): Notice => ({
  id: `n${number}`,
  kind: 'invitation',
  meetId: 'm1',
  subject: `Notice ${number}`,
  host: 'Chair',
  startTime: '2026-11-20T09:00:00.000Z',
  duration: 3_600,
  timeZone: 'UTC',
  rooms: [],
  approval: null,
  createdAt: `2026-11-19T09:00:0${number}.000Z`,
  readAt: isRead ? '2026-11-19T10:00:00.000Z' : null,
});

const idsOf = (onlyUnread: Notice[], all: Notice[]): { unread: string[]; read: string[] } => {
  const { unread, read } = merge(onlyUnread, all);
  return { unread: unread.map(({ id }) => id), read: read.map(({ id }) => id) };
};

test('a notice is shown once, whichever of the two answers is the newer one', () => {
  const before = [notice(3), notice(2), notice(1, true)];
  const after = [notice(3), notice(2, true), notice(1, true)];
  const unreadOf = (notices: Notice[]): Notice[] => notices.filter(({ readAt }) => readAt === null);
  const moved = { unread: ['n3'], read: ['n2', 'n1'] };
  expect(idsOf(unreadOf(before), before)).toEqual({ unread: ['n3', 'n2'], read: ['n1'] });
  expect(idsOf(unreadOf(before), after)).toEqual(moved);
  // It does not vanish until it is known to be read.
  expect(idsOf(unreadOf(after), before)).toEqual({ unread: ['n3', 'n2'], read: ['n1'] });
  expect(idsOf(unreadOf(after), after)).toEqual(moved);
});

test('a new notice is shown where it belongs as soon as one answer has it', () => {
  expect(idsOf([notice(1)], [notice(2), notice(1)]).unread).toEqual(['n2', 'n1']);
  expect(idsOf([notice(2), notice(1)], [notice(1)]).unread).toEqual(['n2', 'n1']);
});

test('a notice that moved to the next page meanwhile is shown once', () => {
  expect(idsOf([notice(2), notice(1), notice(1)], [])).toEqual({ unread: ['n2', 'n1'], read: [] });
  expect(idsOf([], [notice(2, true), notice(1, true), notice(1, true)]).read).toEqual(['n2', 'n1']);
});
