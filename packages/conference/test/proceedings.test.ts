import { describe, expect, test } from 'vitest';
import {
  applyCommand,
  changedTimer,
  controlOrder,
  nextInRoll,
  nextTurn,
  timeLeft,
  type ConferenceCommand,
  type ConferenceControl,
  type SpeakingTimer,
} from '../src/index.ts';
import { AN_ID, arrive, depart, four, laidOut, moment, play, polls, pollsNot, seated, speaks, turnOf } from './game.ts';

const onAir = ({ mode, speakerId }: ConferenceControl) => [mode, speakerId];
const broadcast = (on: boolean): ConferenceCommand => ({ verb: 'broadcastPolling', on });

describe('the next turn', () => {
  const order = ['alice', 'bob', 'carol', 'dave'];
  const all = (): boolean => true;
  const but =
    (...gone: string[]) =>
    (termId: string): boolean =>
      !gone.includes(termId);
  test.each<[string, string | null, 1 | -1, (termId: string) => boolean, string | null]>([
    ['is the first at the beginning', null, 1, all, 'alice'],
    ['is the first with a picture at the beginning', null, 1, but('alice', 'bob'), 'carol'],
    ['is the next terminal', 'bob', 1, all, 'carol'],
    ['skips terminals without a picture', 'alice', 1, but('bob', 'carol'), 'dave'],
    ['is the first after the last', 'dave', 1, all, 'alice'],
    ['is the one before, going back', 'bob', -1, all, 'alice'],
    ['is the last, going back from the first', 'alice', -1, all, 'dave'],
    ['is the last, going back from no one', null, -1, but('dave'), 'carol'],
    ['is the same again if no other one can', 'bob', 1, but('alice', 'carol', 'dave'), 'bob'],
    ['skips a terminal whose camera went off', 'bob', 1, but('bob'), 'carol'],
    ['is no one if no terminal can', 'bob', 1, () => false, null],
    ['is the first after a terminal outside the order', 'erin', 1, all, 'alice'],
  ])('%s', (_, from, step, canBeSeen, expected) => expect(nextTurn(order, canBeSeen, from, step)).toBe(expected));

  test('is no one if the order is empty', () => expect(nextTurn([], () => true, null)).toBeNull());
  test('reaches each terminal once per round', () => {
    const round = Array.from({ length: 8 }).reduce<string[]>(
      (turns) => [...turns, nextTurn(order, but('carol'), turns.at(-1) ?? null) ?? ''],
      [],
    );
    expect(round).toEqual(['alice', 'bob', 'dave', 'alice', 'bob', 'dave', 'alice', 'bob']);
  });
  test('passes terminals that an order names twice', () => {
    const twice = ['alice', 'bob', 'alice', 'carol'];
    expect(nextTurn(twice, all, 'alice')).toBe('bob');
    expect(nextTurn(twice, all, 'bob')).toBe('carol');
    expect(nextTurn(twice, all, 'carol')).toBe('alice');
  });
});

describe('polling', () => {
  test('is on air if it has no seat, and returns the air to the earlier speaker', () => {
    const running = play([speaks('bob'), polls(), turnOf('alice', 'bob')], four);
    expect([onAir(running), running.polling?.turn, running.polling?.next]).toEqual([
      ['POLLING', null],
      { termId: 'alice', since: moment(0) },
      'bob',
    ]);
    const over = applyCommand(running, pollsNot);
    expect([onAir(over), over.polling]).toEqual([['SPEAKER', 'bob'], null]);
  });

  test('returns no terminal to the air that has left meanwhile', () => {
    const over = play([speaks('bob'), polls(), depart('bob'), pollsNot], four);
    expect(onAir(over)).toEqual(['AUTO', null]);
  });

  test('returns to the mode EQUAL', () => {
    expect(onAir(play([{ verb: 'mode', mode: 'EQUAL', termId: null }, polls(), pollsNot], four))).toEqual([
      'EQUAL',
      null,
    ]);
  });

  test('in a seat leaves the terminal on air unchanged', () => {
    const running = play([laidOut('4', 2), speaks('bob'), polls(), turnOf('alice', 'carol')], four);
    expect([onAir(running), running.polling?.turn?.termId]).toEqual([['SPEAKER', 'bob'], 'alice']);
    const other = applyCommand(running, speaks('carol'));
    expect([onAir(other), other.polling?.turn?.termId]).toEqual([['SPEAKER', 'carol'], 'alice']);
    expect(onAir(applyCommand(other, pollsNot))).toEqual(['SPEAKER', 'carol']);
  });

  test('is broadcast from its seat, and returns there', () => {
    const running = play([laidOut('4', 2), speaks('bob'), polls(), turnOf('alice', 'carol')], four);
    const broadcasting = applyCommand(running, broadcast(true));
    expect([onAir(broadcasting), broadcasting.polling?.turn?.termId]).toEqual([['POLLING', null], 'alice']);
    const back = applyCommand(broadcasting, broadcast(false));
    expect([onAir(back), back.polling?.turn?.termId]).toEqual([['SPEAKER', 'bob'], 'alice']);
  });

  test('that was broadcast without a seat ends with the broadcast', () => {
    const over = play([speaks('bob'), polls(), turnOf('alice', 'carol'), broadcast(true), broadcast(false)], four);
    expect([onAir(over), over.polling]).toEqual([['SPEAKER', 'bob'], null]);
    expect(applyCommand(four, broadcast(true)).polling).toBeNull();
  });

  test('on air is over when the chair chooses a speaker', () => {
    expect(play([polls(), speaks('bob')], four)).toMatchObject({ mode: 'SPEAKER', speakerId: 'bob', polling: null });
    expect(play([polls(), { verb: 'mode', mode: 'EQUAL', termId: null }], four)).toMatchObject({
      mode: 'EQUAL',
      speakerId: null,
      polling: null,
    });
  });

  test('in a seat ends with the seat', () => {
    const running = play([laidOut('4', 2), polls(), turnOf('alice', 'carol')], four);
    for (const command of [
      laidOut('4', null),
      laidOut('AUTO'),
      laidOut('1'),
      seated([]),
      seated([{ seat: 2, source: 'bob' }]),
    ])
      expect(applyCommand(running, command).polling, JSON.stringify(command)).toBeNull();
    for (const command of [laidOut('9'), laidOut('9', 5), seated([{ seat: 4, source: 'POLL' }])])
      expect(applyCommand(running, command).polling?.turn?.termId, JSON.stringify(command)).toBe('alice');
  });

  test('can have a seat on one screen only', () => {
    const own: ConferenceCommand = {
      verb: 'terminalLayout',
      termId: 'carol',
      layout: { model: 'PIP', places: [], seats: [{ seat: 2, source: 'POLL' }] },
    };
    const running = play([own, speaks('bob'), polls(), turnOf('alice', 'bob')], four);
    expect([onAir(running), running.polling?.turn?.termId]).toEqual([['SPEAKER', 'bob'], 'alice']);
    expect(applyCommand(running, { verb: 'terminalLayout', termId: 'carol', layout: null }).polling).toBeNull();
  });

  test('continues with other settings at its turn', () => {
    const running = play([speaks('bob'), polls({ seconds: 10 }), turnOf('alice', 'carol', 100)], four);
    const changed = applyCommand(running, polls({ seconds: 30, termIds: ['alice', 'carol'] }));
    expect(changed).toMatchObject({
      mode: 'POLLING',
      polling: {
        seconds: 30,
        termIds: ['alice', 'carol'],
        turn: { termId: 'alice' },
        next: 'carol',
        switchAt: moment(130),
        resumes: { mode: 'SPEAKER', speakerId: 'bob' },
      },
    });
  });

  test('has no clock while it is paused', () => {
    const running = play([polls(), turnOf('alice', 'carol')], four);
    const paused = applyCommand(running, polls({ isPaused: true }));
    expect(paused.polling).toMatchObject({ turn: { termId: 'alice' }, next: 'carol', switchAt: null, isPaused: true });
    expect(applyCommand(paused, { verb: 'pollingTime', seconds: 60 }).polling).toMatchObject({
      seconds: 60,
      switchAt: null,
    });
    // The terminal whose turn was paused has a full turn.
    expect(applyCommand(paused, polls({}, null, 500)).polling).toMatchObject({
      turn: { termId: 'alice' },
      next: 'carol',
      switchAt: moment(510),
      isPaused: false,
    });
  });

  test('changes the time of the running turn, too', () => {
    const running = play([polls({ seconds: 10 }), turnOf('alice', 'carol', 100)], four);
    expect(applyCommand(running, { verb: 'pollingTime', seconds: 3 }).polling).toMatchObject({
      seconds: 3,
      switchAt: moment(103),
    });
    const alone = play([polls({ seconds: 10 }), turnOf('alice', null, 100)], four);
    expect(applyCommand(alone, { verb: 'pollingTime', seconds: 3 }).polling).toMatchObject({
      seconds: 3,
      switchAt: null,
    });
    expect(applyCommand(alone, polls({ seconds: 3 })).polling).toMatchObject({ seconds: 3, switchAt: null });
    expect(play([{ verb: 'pollingTime', seconds: 3 }, turnOf('alice', 'bob')], four).polling).toBeNull();
  });
});

describe('a lecture', () => {
  const lecture = play([speaks('bob'), polls({}, 'alice'), turnOf('carol', 'bob')], four);
  test('has the lecturer on air, and turns', () =>
    expect([onAir(lecture), lecture.polling?.turn?.termId]).toEqual([['LECTURE', 'alice'], 'carol']));
  test('ends with polling', () => expect(onAir(applyCommand(lecture, pollsNot))).toEqual(['SPEAKER', 'bob']));
  test('ends when the lecturer leaves', () =>
    expect(applyCommand(lecture, depart('alice'))).toMatchObject({ mode: 'SPEAKER', speakerId: 'bob', polling: null }));
  test('ends when the lecturer and the earlier speaker leave together', () =>
    expect(applyCommand(lecture, depart('alice', 'bob'))).toMatchObject({
      mode: 'AUTO',
      speakerId: null,
      polling: null,
    }));
  test('ends when the chair chooses a speaker', () =>
    expect(applyCommand(lecture, speaks('carol'))).toMatchObject({
      mode: 'SPEAKER',
      speakerId: 'carol',
      polling: null,
    }));
  test('changes its lecturer, and still returns the air to the earlier speaker', () => {
    const other = applyCommand(lecture, polls({}, 'carol'));
    expect([onAir(other), onAir(applyCommand(other, pollsNot))]).toEqual([
      ['LECTURE', 'carol'],
      ['SPEAKER', 'bob'],
    ]);
  });
  test('becomes polling on air', () => {
    const polling = applyCommand(lecture, polls());
    expect([onAir(polling), onAir(applyCommand(polling, pollsNot))]).toEqual([
      ['POLLING', null],
      ['SPEAKER', 'bob'],
    ]);
    expect(onAir(applyCommand(lecture, broadcast(true)))).toEqual(['POLLING', null]);
  });
  test('becomes polling in its seat, without putting a departed terminal on air', () => {
    const withSeat = applyCommand(lecture, laidOut('4', 1));
    expect(onAir(applyCommand(withSeat, polls()))).toEqual(['SPEAKER', 'bob']);
    expect(onAir(play([depart('bob'), polls()], withSeat))).toEqual(['AUTO', null]);
  });
});

describe('a terminal that returns under another termId', () => {
  test('keeps the turn, the place in the round and the air', () => {
    const running = play(
      [
        speaks('bob'),
        polls({ termIds: ['bob', 'alice'] }),
        turnOf('bob', 'alice'),
        depart('bob'),
        arrive('bob2', 'member', 'bob'),
      ],
      four,
    );
    expect(running.polling).toMatchObject({ termIds: ['bob2', 'alice'], turn: { termId: 'bob2' }, next: 'alice' });
    expect(onAir(applyCommand(running, pollsNot))).toEqual(['SPEAKER', 'bob2']);
  });
  test('is called up in the roll call, and keeps its speaking time', () => {
    const called = play(
      [
        {
          verb: 'rollCall',
          entries: [
            { termId: 'bob', name: 'bob' },
            { termId: 'alice', name: 'alice' },
          ],
          at: moment(0),
        },
        { verb: 'timer', termId: 'bob', seconds: 60, at: moment(0) },
        depart('bob'),
        arrive('bob2', 'member', 'bob'),
      ],
      four,
    );
    expect(called.rollCall).toMatchObject({ currentId: 'bob2', entries: [{ termId: 'bob2' }, { termId: 'alice' }] });
    expect(called.timer?.termId).toBe('bob2');
    expect(applyCommand(called, { verb: 'rollMark', termId: 'bob2', mark: 'present' }).rollCall).toMatchObject({
      currentId: 'alice',
      entries: [{ mark: 'present' }, { mark: null }],
    });
  });
  test('keeps its seat, in the layout of all and in those of others', () => {
    const own: ConferenceCommand = {
      verb: 'terminalLayout',
      termId: 'carol',
      layout: { model: '4', places: [], seats: [{ seat: 3, source: 'bob' }] },
    };
    const after = play(
      [
        laidOut('9'),
        seated([{ seat: 5, source: 'bob' }]),
        own,
        { verb: 'contentLock', termId: 'bob' },
        depart('bob'),
        arrive('bob2', 'member', 'bob'),
      ],
      four,
    );
    expect(after.layout.seats).toEqual([{ seat: 5, source: 'bob2' }]);
    expect(after.terminals['carol']?.layout?.seats).toEqual([{ seat: 3, source: 'bob2' }]);
    expect(after.contentLockId).toBe('bob2');
  });
});

describe('the floor', () => {
  test('unmutes a terminal and puts it on air, with a timer if a time is given', () => {
    const held = applyCommand(four, { verb: 'mute', termIds: ['bob'], muted: true });
    const after = applyCommand(held, { verb: 'giveFloor', termId: 'bob', seconds: 90, at: moment(0) });
    expect([onAir(after), after.terminals['bob']?.muted, after.timer]).toEqual([
      ['SPEAKER', 'bob'],
      false,
      { termId: 'bob', seconds: 90, endsAt: moment(90), left: null },
    ]);
    expect(applyCommand(after, { verb: 'giveFloor', termId: 'carol', seconds: null, at: moment(5) })).toMatchObject({
      speakerId: 'carol',
      timer: { termId: 'bob' },
    });
  });
});

describe('a timer', () => {
  const timer: SpeakingTimer = { termId: null, seconds: 60, endsAt: moment(60), left: null };
  test('stops while it is paused, and continues with the rest', () => {
    const paused = changedTimer(timer, 'pause', 0, moment(20));
    expect(paused).toEqual({ ...timer, endsAt: null, left: 40_000 });
    expect(timeLeft(paused, Date.parse(moment(999)))).toBe(40_000);
    expect(changedTimer(paused, 'pause', 0, moment(30))).toEqual(paused);
    expect(changedTimer(paused, 'resume', 0, moment(100))).toEqual({ ...timer, endsAt: moment(140) });
    expect(changedTimer(timer, 'resume', 0, moment(100))).toEqual(timer);
  });
  test('gains and loses seconds, running or not', () => {
    expect(changedTimer(timer, 'add', 30, moment(20))).toEqual({ ...timer, seconds: 90, endsAt: moment(90) });
    expect(changedTimer(timer, 'add', -30, moment(20))).toEqual({ ...timer, seconds: 30, endsAt: moment(30) });
    expect(changedTimer(changedTimer(timer, 'pause', 0, moment(20)), 'add', 30, moment(50))).toEqual({
      ...timer,
      seconds: 90,
      endsAt: null,
      left: 70_000,
    });
    expect(changedTimer(timer, 'add', -100, moment(0)).seconds).toBe(0);
  });
  test('shows how far it is over', () => expect(timeLeft(timer, Date.parse(moment(75)))).toBe(-15_000));
  test('is started, changed and stopped by commands', () => {
    const started = applyCommand(four, { verb: 'timer', termId: 'bob', seconds: 60, at: moment(0) });
    const added = applyCommand(started, { verb: 'timerChange', action: 'add', seconds: 30, at: moment(10) });
    expect([started.timer?.endsAt, added.timer?.endsAt, applyCommand(added, { verb: 'timerStop' }).timer]).toEqual([
      moment(60),
      moment(90),
      null,
    ]);
    expect(applyCommand(four, { verb: 'timerChange', action: 'pause', seconds: 0, at: moment(0) }).timer).toBeNull();
  });
});

describe('a roll call', () => {
  const entries = controlOrder(four).map((termId) => ({ termId, name: termId }));
  const begun = applyCommand(four, { verb: 'rollCall', entries, at: moment(0) });
  const marked = (termId: string, mark: 'present' | 'absent' | null): ConferenceCommand => ({
    verb: 'rollMark',
    termId,
    mark,
  });
  const marks = ({ rollCall }: ConferenceControl) => rollCall?.entries.map(({ mark }) => mark);

  test('calls up the first one, who is on air', () =>
    expect([begun.rollCall?.currentId, onAir(begun)]).toEqual(['chair', ['SPEAKER', 'chair']]));
  test('calls up the next person after a mark, and no one after the last', () => {
    const half = play([marked('chair', 'present'), marked('alice', 'absent')], begun);
    expect([half.rollCall?.currentId, onAir(half), marks(half)]).toEqual([
      'bob',
      ['SPEAKER', 'bob'],
      ['present', 'absent', null, null],
    ]);
    const done = play([marked('bob', 'present'), marked('carol', 'present')], half);
    expect([done.rollCall?.currentId, onAir(done)]).toEqual([null, ['AUTO', null]]);
  });
  test('calls up out of turn, then continues from there, then from the start', () => {
    const out = play([{ verb: 'callUp', termId: 'carol' }, marked('carol', 'present')], begun);
    expect([out.rollCall?.currentId, marks(out)]).toEqual(['chair', [null, null, null, 'present']]);
  });
  test('marks others without calling them up, and revokes marks', () => {
    const after = play([marked('bob', 'present'), marked('bob', null), marked('carol', 'absent')], begun);
    expect([after.rollCall?.currentId, marks(after)]).toEqual(['chair', [null, null, null, 'absent']]);
    expect(nextInRoll({ startedAt: moment(0), entries: [], currentId: null, endedAt: null })).toBeNull();
  });
  test('does not put an absent person on air', () => {
    const after = play([depart('alice'), marked('chair', 'present')], begun);
    expect([after.rollCall?.currentId, onAir(after)]).toEqual(['alice', ['AUTO', null]]);
    expect(applyCommand(begun, depart('chair'))).toMatchObject({
      mode: 'AUTO',
      speakerId: null,
      rollCall: { currentId: 'chair' },
    });
  });
  test('does not call up a person who is not in it', () => {
    const later = play([arrive('dave'), { verb: 'callUp', termId: 'dave' }], begun);
    expect([later.rollCall?.currentId, onAir(later)]).toEqual(['chair', ['SPEAKER', 'chair']]);
  });
  test('keeps its marks when it ends, and they can still be corrected', () => {
    const ended = play([marked('chair', 'present'), { verb: 'rollCallEnd', at: moment(50) }], begun);
    expect(ended).toMatchObject({ mode: 'AUTO', rollCall: { currentId: null, endedAt: moment(50) } });
    const right = play(
      [marked('bob', 'present'), { verb: 'callUp', termId: 'bob' }, { verb: 'rollCallEnd', at: moment(99) }],
      ended,
    );
    expect([marks(right), right.rollCall?.currentId, right.rollCall?.endedAt]).toEqual([
      ['present', null, 'present', null],
      null,
      moment(50),
    ]);
  });
});

describe('a vote', () => {
  const open: ConferenceCommand = {
    verb: 'vote',
    id: AN_ID,
    question: 'Shall we?',
    options: ['Yes', 'No'],
    isSecret: true,
    at: moment(0),
  };
  const count = (cast: number, id = AN_ID): ConferenceCommand => ({ verb: 'voteCount', id, cast });
  const close: ConferenceCommand = { verb: 'voteClose', counts: [3, 1], at: moment(60) };
  test('counts ballots while it is open, and shows the result when it is closed', () => {
    const counted = play([open, count(2)], four);
    expect(counted.vote).toEqual({
      id: AN_ID,
      question: 'Shall we?',
      options: ['Yes', 'No'],
      isSecret: true,
      openedAt: moment(0),
      closedAt: null,
      cast: 2,
      counts: null,
    });
    expect(applyCommand(counted, close).vote).toMatchObject({ closedAt: moment(60), cast: 4, counts: [3, 1] });
  });
  test('is not changed once it is closed, nor by ballots of another vote', () => {
    const closed = play([open, close], four);
    expect(play([count(9), { verb: 'voteClose', counts: [0, 9], at: moment(90) }], closed).vote).toEqual(closed.vote);
    expect(play([open, count(9, '0198f6a2-7e6d-7c40-9a11-5b1f0e3c2d99')], four).vote?.cast).toBe(0);
  });
  test('can be removed from the screens', () => expect(play([open, { verb: 'voteDismiss' }], four).vote).toBeNull());
});
