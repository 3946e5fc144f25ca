import { describe, expect, test } from 'vitest';
import {
  applyCommand,
  conferenceCommand,
  conferenceControl,
  hasPollSeat,
  nameableSeats,
  NO_CONTROL,
  VERB_RIGHTS,
  withChanges,
  type ConferenceControl,
  type ConferenceVerb,
  type ScreenLayout,
} from '../src/index.ts';
import { play, randomGame } from './game.ts';

const games = Array.from({ length: 40 }, (_, seed) => ({ seed, ...randomGame(seed, 400) }));

/** Each state of each game, with the commands that led to it. */
function eachState(check: (control: ConferenceControl, why: string) => void): void {
  for (const { seed, log } of games) {
    let control = NO_CONTROL;
    for (const [at, { command }] of log.entries()) {
      control = applyCommand(control, command);
      check(control, JSON.stringify({ seed, at, command }));
    }
  }
}

describe('replaying', () => {
  test('covers every verb', () => {
    const tried = new Set(games.flatMap(({ log }) => log.map(({ command }) => command.verb)));
    // These do not change the control, except that they count media rooms.
    const others = new Set(['admit', 'refuse', 'call', 'cancelCall', 'invite', 'extend', 'moveZone', 'reset']);
    expect(Object.keys(VERB_RIGHTS).filter((verb) => !tried.has(verb as ConferenceVerb) && !others.has(verb))).toEqual(
      [],
    );
  });

  test('the commands or the stored changes gives the same state', () => {
    for (const { control, log } of games) {
      expect(play(log.map(({ command }) => command))).toEqual(control);
      expect(log.reduce((state, { changes }, at) => withChanges(state, changes, at + 1), NO_CONTROL)).toEqual(control);
    }
  });

  test('changes twice, or again from an earlier version, changes nothing', () => {
    const { control, log } = randomGame(7, 200);
    expect(
      log.reduce(
        (state, { changes }, at) => withChanges(withChanges(state, changes, at + 1), changes, at + 1),
        NO_CONTROL,
      ),
    ).toEqual(control);
    expect(log.slice(100).reduce((state, { changes }, at) => withChanges(state, changes, at + 101), control)).toEqual(
      control,
    );
  });

  test('commands and states are valid by the schemas', () => {
    for (const { log, control } of games) {
      for (const { command } of log)
        expect(conferenceCommand.safeParse(command).error, JSON.stringify(command)).toBeUndefined();
      expect(conferenceControl.parse(control)).toEqual(control);
    }
  });
});

describe('whatever is commanded', () => {
  test('only terminals inside are in the chair or on air', () => {
    eachState((control, why) => {
      const { terminals, chairId, speakerId, coChairIds, mode } = control;
      if (chairId !== null) expect(terminals[chairId]?.present, why).toBe(true);
      if (speakerId !== null) expect(terminals[speakerId]?.present, why).toBe(true);
      expect(mode === 'SPEAKER' || mode === 'LECTURE', why).toBe(speakerId !== null);
      expect(new Set(coChairIds).size, why).toBe(coChairIds.length);
      expect(chairId === null || !coChairIds.includes(chairId), why).toBe(true);
      const seats = Object.values(terminals).map(({ seat }) => seat);
      expect(new Set(seats).size, why).toBe(seats.length);
    });
  });

  test('a running round is visible on air or in a seat, and without a round none is on air by it', () => {
    eachState(({ mode, polling, layout, terminals }, why) => {
      const isByPolling = mode === 'POLLING' || mode === 'LECTURE';
      if (polling === null) expect(isByPolling, why).toBe(false);
      else
        expect(
          isByPolling || [layout, ...Object.values(terminals).flatMap((entry) => entry.layout ?? [])].some(hasPollSeat),
          why,
        ).toBe(true);
    });
  });

  test('layouts name seats they have, each once, and no terminal sits in two', () => {
    const check = (layout: ScreenLayout, why: string): void => {
      expect(layout.places.length > 0, why).toBe(layout.model === 'CUSTOM');
      const numbers = layout.seats.map(({ seat }) => seat);
      const sources = layout.seats.map(({ source }) => source);
      expect(
        numbers.every((seat) => seat <= nameableSeats(layout)),
        why,
      ).toBe(true);
      expect([new Set(numbers).size, new Set(sources).size], why).toEqual([numbers.length, sources.length]);
    };
    eachState(({ layout, terminals }, why) => {
      check(layout, why);
      for (const entry of Object.values(terminals)) if (entry.layout) check(entry.layout, why);
    });
  });

  test('only known or earlier terminals are named', () => {
    eachState(({ polling, timer, rollCall, contentLockId, terminals }, why) => {
      const named = [
        polling?.turn?.termId,
        polling?.next,
        polling?.resumes.speakerId,
        timer?.termId,
        rollCall?.currentId,
        contentLockId,
      ];
      for (const termId of named) if (typeof termId === 'string') expect(Object.keys(terminals), why).toContain(termId);
    });
  });
});
