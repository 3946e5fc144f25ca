import { describe, expect, test } from 'vitest';
import { applyCommand, controlOrder, type ConferenceCommand } from '../src/index.ts';
import { arrive, depart, four, mute, play } from './game.ts';

describe('the chair', () => {
  test('is the first host, and passes to the first co-chair inside, then to a host', () => {
    expect(four.chairId).toBe('chair');
    const named = applyCommand(four, { verb: 'coChairs', termIds: ['alice', 'bob'], appoint: true });
    const after = play([depart('alice'), depart('chair')], named);
    expect([after.chairId, after.coChairIds]).toEqual(['bob', ['alice']]);
    expect(play([arrive('second', 'host'), depart('chair')], four).chairId).toBe('second');
    expect(applyCommand(four, depart('chair')).chairId).toBeNull();
  });

  test('skips co-chairs who leave with it', () => {
    const named = applyCommand(four, { verb: 'coChairs', termIds: ['alice', 'bob'], appoint: true });
    expect(applyCommand(named, depart('chair', 'alice')).chairId).toBe('bob');
  });

  test('that is free is taken by a co-chair made host, who is no co-chair any more', () => {
    const free = play(
      [
        { verb: 'chairman', termId: null },
        { verb: 'coChairs', termIds: ['alice', 'bob'], appoint: true },
      ],
      four,
    );
    const after = applyCommand(free, { verb: 'grant', userIds: [], granted: true, roles: { alice: 'host' } });
    expect([after.chairId, after.coChairIds]).toEqual(['alice', ['bob']]);
  });

  test('is taken by the next host if it is vacant', () => {
    expect(play([depart('chair'), arrive('chair', 'host')], four).chairId).toBe('chair');
    expect(play([{ verb: 'chairman', termId: 'alice' }, depart('chair'), arrive('chair', 'host')], four).chairId).toBe(
      'alice',
    );
  });
});

describe('the terminal on air', () => {
  test('is not on air any more after it leaves', () => {
    const onAir = applyCommand(four, { verb: 'speaker', termId: 'bob' });
    expect([onAir.mode, onAir.speakerId]).toEqual(['SPEAKER', 'bob']);
    const after = applyCommand(onAir, depart('bob'));
    expect([after.mode, after.speakerId]).toEqual(['AUTO', null]);
  });
});

describe('a terminal that returns', () => {
  test('under the same termId keeps its settings', () => {
    const held = play(
      [mute(true, 'bob'), { verb: 'volume', termId: 'bob', volume: 30 }, depart('bob'), arrive('bob')],
      four,
    );
    expect(held.terminals['bob']).toMatchObject({ muted: true, volume: 30, present: true, seat: 3 });
  });

  test('continues the earlier presence, which is forgotten', () => {
    const before = play(
      [
        mute(true, 'bob'),
        { verb: 'coChairs', termIds: ['bob'], appoint: true },
        { verb: 'sort', termIds: ['bob', 'alice'] },
        depart('bob'),
      ],
      four,
    );
    const after = applyCommand(before, arrive('bob2', 'member', 'bob'));
    expect(after.terminals['bob2']).toMatchObject({ muted: true, present: true, seat: 5 });
    expect(after.terminals['bob']).toBeUndefined();
    expect([after.coChairIds, after.order]).toEqual([['bob2'], ['bob2', 'alice']]);
  });

  test('as a guest stays held, but does not become co-chair', () => {
    const before = play(
      [mute(true, 'carol'), { verb: 'coChairs', termIds: ['carol'], appoint: true }, depart('carol')],
      four,
    );
    const after = applyCommand(before, arrive('carol2', 'guest', 'carol'));
    expect([after.terminals['carol2']?.muted, after.coChairIds]).toEqual([true, []]);
  });

  test('beside its earlier presence takes its holds over and leaves it unchanged', () => {
    const after = applyCommand(applyCommand(four, mute(true, 'bob')), arrive('bob2', 'member', 'bob'));
    expect([after.terminals['bob2']?.muted, after.terminals['bob']?.present]).toEqual([true, true]);
  });

  test('does not bypass a strict mute of all', () => {
    const strict: ConferenceCommand = { verb: 'muteAll', muted: true, except: [], allowSelfUnmute: false };
    const after = play([strict, arrive('dave', 'guest'), arrive('host2', 'host')], four);
    expect([after.terminals['dave']?.muted, after.terminals['host2']?.muted, after.allowSelfUnmute]).toEqual([
      true,
      false,
      false,
    ]);
  });
});

test('lists start with terminals on top, then sorted ones, then the order of joining', () => {
  const control = play(
    [
      { verb: 'sort', termIds: ['carol', 'alice'] },
      { verb: 'top', termId: 'bob', top: true },
      depart('chair'),
      arrive('dave'),
    ],
    four,
  );
  expect(controlOrder(control)).toEqual(['bob', 'carol', 'alice', 'dave']);
});
