import { describe, expect, test } from 'vitest';
import {
  applyCommand, CONFERENCE_MODES, controlChanges, controlOrder, NO_CONTROL, UNDOABLE, withChanges,
  type ConferenceCommand, type ConferenceControl, type ControlChange,
} from '../src/index.ts';

type Arrive = Extract<ConferenceCommand, { verb: 'arrive' }>;
const arrive = (termId: string, role: Arrive['role'] = 'member', heir: string | null = null): Arrive => ({ verb: 'arrive', termId, name: termId, role, heir });
const depart = (...termIds: string[]): ConferenceCommand => ({ verb: 'depart', termIds });
const mute = (muted: boolean, ...termIds: string[]): ConferenceCommand => ({ verb: 'mute', termIds, muted });

const play = (commands: readonly ConferenceCommand[], from = NO_CONTROL): ConferenceControl => commands.reduce(applyCommand, from);
/** The control with a command taken back after others have followed. */
function undone(before: ConferenceControl, command: ConferenceCommand, ...since: ConferenceCommand[]): ConferenceControl {
  const after = applyCommand(before, command);
  return applyCommand(play(since, after), { verb: 'undo', commandId: '0198f6a2-7e6d-7c40-9a11-5b1f0e3c2d13', changes: controlChanges(before, after) });
}
const settingsOf = (control: ConferenceControl) => ({ ...control, version: 0 });
const stored = <T>(value: T): T => JSON.parse(JSON.stringify(value)) as T;

/** Chair, alice, bob and carol are inside, in this order; the chair is the host. */
const four = play([arrive('chair', 'host'), arrive('alice'), arrive('bob'), arrive('carol', 'guest')]);

/** Numbers that look random and are the same in each run (mulberry32). */
function numbers(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) % below;
  };
}

const PEOPLE = ['chair', 'alice', 'bob', 'carol', 'dave', 'erin'];
interface Played {
  command: ConferenceCommand;
  changes: ControlChange[];
}

/** Commands as a server would let them through, comings and goings among them. */
function randomGame(seed: number, length: number): { control: ConferenceControl; log: Played[] } {
  const random = numbers(seed);
  const oneOf = <T>(list: readonly T[]): T => list[random(list.length)] as T;
  const coin = (): boolean => random(2) === 0;
  let control = NO_CONTROL;
  let made = 0;
  const log: Played[] = [];
  const next = (): ConferenceCommand | undefined => {
    const inside = Object.keys(control.terminals).filter((id) => control.terminals[id]?.present);
    const outside = Object.keys(control.terminals).filter((id) => !control.terminals[id]?.present);
    if (inside.length === 0 || random(8) === 0) {
      if (outside.length > 0 && coin()) return arrive(oneOf(outside), oneOf(['host', 'member', 'guest'] as const));
      made += 1;
      return arrive(`${oneOf(PEOPLE)}${made}`, oneOf(['host', 'member', 'guest'] as const), outside.length > 0 && coin() ? oneOf(outside) : null);
    }
    const termId = oneOf(inside);
    const termIds = inside.filter(coin);
    switch (random(16)) {
      case 0: return depart(termId);
      case 1: return { verb: 'remove', termIds: [termId], canReturn: coin() };
      case 2: return { verb: 'mute', termIds, muted: coin() };
      case 3: return { verb: 'muteAll', muted: coin(), except: termIds, allowSelfUnmute: oneOf([true, false, null]) };
      case 4: return { verb: 'askUnmute', termIds };
      case 5: return { verb: 'camera', termIds, open: coin() };
      case 6: return { verb: 'volume', termId, volume: random(101) };
      case 7: return { verb: 'entry', muteOnEntry: coin(), waitingRoom: coin() };
      case 8: return { verb: 'chairman', termId: coin() ? termId : null };
      case 9: return { verb: 'coChairs', termIds, appoint: coin() };
      case 10: return { verb: 'speaker', termId: coin() ? termId : null };
      case 11: return { verb: 'mode', mode: oneOf(CONFERENCE_MODES), termId };
      case 12: return oneOf<ConferenceCommand>([{ verb: 'lock', locked: coin() }, { verb: 'end' }, { verb: 'selfUnmute', termId }]);
      case 13: return oneOf<ConferenceCommand>([{ verb: 'rename', termId, name: `${termId}!` }, { verb: 'limitVideo', termIds, maxHeight: 360 }]);
      case 14: return oneOf<ConferenceCommand>([{ verb: 'top', termId, top: coin() }, { verb: 'sort', termIds }]);
      default: {
        const taken = oneOf(log);
        return UNDOABLE.includes(taken.command.verb) ? { verb: 'undo', commandId: '0198f6a2-7e6d-7c40-9a11-5b1f0e3c2d13', changes: taken.changes } : undefined;
      }
    }
  };
  while (log.length < length) {
    const command = next();
    if (!command) continue;
    const after = applyCommand(control, command);
    log.push(stored({ command, changes: controlChanges(control, after) }));
    control = after;
  }
  return { control, log };
}

describe('replaying', () => {
  const seeds = Array.from({ length: 40 }, (_, seed) => seed);

  test('the commands, or what they changed, from storage gives the same state', () => {
    for (const seed of seeds) {
      const { control, log } = randomGame(seed, 300);
      expect(play(log.map(({ command }) => command))).toEqual(control);
      expect(log.reduce((state, { changes }, at) => withChanges(state, changes, at + 1), NO_CONTROL)).toEqual(control);
    }
  });

  test('changes twice, or again from an earlier version, changes nothing', () => {
    const { control, log } = randomGame(7, 200);
    expect(log.reduce((state, { changes }, at) => withChanges(withChanges(state, changes, at + 1), changes, at + 1), NO_CONTROL)).toEqual(control);
    expect(log.slice(100).reduce((state, { changes }, at) => withChanges(state, changes, at + 101), control)).toEqual(control);
  });

  test('never leaves somebody in the chair or on air who is not inside', () => {
    for (const seed of seeds) {
      const { log } = randomGame(seed, 300);
      let control = NO_CONTROL;
      for (const { command } of log) {
        control = applyCommand(control, command);
        const { terminals, chairId, speakerId, coChairIds, mode } = control;
        const why = JSON.stringify({ seed, command });
        if (chairId !== null) expect(terminals[chairId]?.present, why).toBe(true);
        if (speakerId !== null) expect(terminals[speakerId]?.present, why).toBe(true);
        expect(mode === 'SPEAKER', why).toBe(speakerId !== null);
        expect(new Set(coChairIds).size, why).toBe(coChairIds.length);
        expect(chairId === null || !coChairIds.includes(chairId), why).toBe(true);
        const seats = Object.values(terminals).map(({ seat }) => seat);
        expect(new Set(seats).size, why).toBe(seats.length);
      }
    }
  });
});

describe('the chair', () => {
  test('is the first host, and passes to the first co-chair inside, then to a host', () => {
    expect(four.chairId).toBe('chair');
    const named = applyCommand(four, { verb: 'coChairs', termIds: ['alice', 'bob'], appoint: true });
    const after = play([depart('alice'), depart('chair')], named);
    expect([after.chairId, after.coChairIds]).toEqual(['bob', ['alice']]);
    expect(play([arrive('second', 'host'), depart('chair')], four).chairId).toBe('second');
    expect(applyCommand(four, depart('chair')).chairId).toBeNull();
  });

  test('passes over those who leave with it', () => {
    const named = applyCommand(four, { verb: 'coChairs', termIds: ['alice', 'bob'], appoint: true });
    expect(applyCommand(named, depart('chair', 'alice')).chairId).toBe('bob');
  });

  test('is taken by the next host where nobody has it', () => {
    expect(play([depart('chair'), arrive('chair', 'host')], four).chairId).toBe('chair');
    expect(play([{ verb: 'chairman', termId: 'alice' }, depart('chair'), arrive('chair', 'host')], four).chairId).toBe('alice');
  });
});

describe('whoever is on air', () => {
  test('is off again when they leave', () => {
    const onAir = applyCommand(four, { verb: 'speaker', termId: 'bob' });
    expect([onAir.mode, onAir.speakerId]).toEqual(['SPEAKER', 'bob']);
    const after = applyCommand(onAir, depart('bob'));
    expect([after.mode, after.speakerId]).toEqual(['AUTO', null]);
  });
});

describe('coming again', () => {
  test('with the same place finds it as it was', () => {
    const held = play([mute(true, 'bob'), { verb: 'volume', termId: 'bob', volume: 30 }, depart('bob'), arrive('bob')], four);
    expect(held.terminals['bob']).toMatchObject({ muted: true, volume: 30, present: true, seat: 3 });
  });

  test('anew goes on where the earlier presence was, which is forgotten', () => {
    const before = play([mute(true, 'bob'), { verb: 'coChairs', termIds: ['bob'], appoint: true }, { verb: 'sort', termIds: ['bob', 'alice'] }, depart('bob')], four);
    const after = applyCommand(before, arrive('bob2', 'member', 'bob'));
    expect(after.terminals['bob2']).toMatchObject({ muted: true, present: true, seat: 5 });
    expect(after.terminals['bob']).toBeUndefined();
    expect([after.coChairIds, after.order]).toEqual([['bob2'], ['bob2', 'alice']]);
  });

  test('as a guest keeps them held, but does not make them co-chair', () => {
    const before = play([mute(true, 'carol'), { verb: 'coChairs', termIds: ['carol'], appoint: true }, depart('carol')], four);
    const after = applyCommand(before, arrive('carol2', 'guest', 'carol'));
    expect([after.terminals['carol2']?.muted, after.coChairIds]).toEqual([true, []]);
  });

  test('beside the other one takes its holds over and leaves it where it is', () => {
    const after = applyCommand(applyCommand(four, mute(true, 'bob')), arrive('bob2', 'member', 'bob'));
    expect([after.terminals['bob2']?.muted, after.terminals['bob']?.present]).toEqual([true, true]);
  });

  test('does not get around a strict mute of all', () => {
    const strict: ConferenceCommand = { verb: 'muteAll', muted: true, except: [], allowSelfUnmute: false };
    const after = play([strict, arrive('dave', 'guest'), arrive('host2', 'host')], four);
    expect([after.terminals['dave']?.muted, after.terminals['host2']?.muted, after.allowSelfUnmute]).toEqual([true, false, false]);
  });
});

describe('taking back', () => {
  test('every command that can be gives the state before it', () => {
    const before = play([mute(true, 'alice'), { verb: 'askUnmute', termIds: ['alice'] }, { verb: 'coChairs', termIds: ['bob'], appoint: true }], four);
    const commands: ConferenceCommand[] = [
      mute(true, 'bob'), mute(false, 'alice'), { verb: 'muteAll', muted: true, except: ['chair'], allowSelfUnmute: false }, { verb: 'camera', termIds: ['bob'], open: false },
      { verb: 'volume', termId: 'bob', volume: 10 }, { verb: 'limitVideo', termIds: ['bob'], maxHeight: 360 }, { verb: 'entry', muteOnEntry: true, waitingRoom: true },
      { verb: 'chairman', termId: 'bob' }, { verb: 'coChairs', termIds: ['alice'], appoint: true }, { verb: 'speaker', termId: 'bob' }, { verb: 'mode', mode: 'EQUAL', termId: null },
      { verb: 'lock', locked: true }, { verb: 'rename', termId: 'bob', name: 'Robert' }, { verb: 'top', termId: 'bob', top: true }, { verb: 'sort', termIds: ['bob'] },
    ];
    expect(new Set(commands.map(({ verb }) => verb))).toEqual(new Set(UNDOABLE));
    for (const command of commands) expect(settingsOf(undone(before, command)), command.verb).toEqual(settingsOf(before));
  });

  test('leaves what has changed since', () => {
    const all: ConferenceCommand = { verb: 'muteAll', muted: true, except: [], allowSelfUnmute: null };
    const after = undone(four, all, { verb: 'selfUnmute', termId: 'bob' }, mute(true, 'bob'), mute(false, 'alice'));
    expect(Object.fromEntries(Object.entries(after.terminals).map(([id, { muted }]) => [id, muted]))).toEqual({ chair: false, alice: false, bob: false, carol: false });
    const later = undone(four, { verb: 'volume', termId: 'bob', volume: 10 }, { verb: 'volume', termId: 'bob', volume: 20 });
    expect(later.terminals['bob']?.volume).toBe(20);
  });

  test('takes fields that belong together back together or not at all', () => {
    const after = undone(four, { verb: 'speaker', termId: 'alice' }, { verb: 'speaker', termId: 'bob' });
    expect([after.mode, after.speakerId]).toEqual(['SPEAKER', 'bob']);
  });

  test('brings nobody who left back to the chair or on air', () => {
    const onAir = applyCommand(four, { verb: 'speaker', termId: 'bob' });
    const after = undone(onAir, { verb: 'mode', mode: 'EQUAL', termId: null }, depart('bob'));
    expect([after.mode, after.speakerId]).toEqual(['AUTO', null]);
    const handed = undone(four, { verb: 'chairman', termId: 'alice' }, depart('chair'));
    expect(handed.chairId).toBe('alice');
  });
});

test('lists keep those on top first, then as sorted, then as they came', () => {
  const control = play([{ verb: 'sort', termIds: ['carol', 'alice'] }, { verb: 'top', termId: 'bob', top: true }, depart('chair'), arrive('dave')], four);
  expect(controlOrder(control)).toEqual(['bob', 'carol', 'alice', 'dave']);
});
