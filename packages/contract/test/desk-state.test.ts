import { describe, expect, test } from 'vitest';
import {
  applyCommand,
  controlChanges,
  NO_CONTROL,
  UNDOABLE,
  VERB_RIGHTS,
  type ConferenceCommand,
  type Scene,
} from '@rmeet/conference';
import { applyDeskEvent, contract, deskState, type ControlStep, type DeskState } from '../src/index.ts';
import { AN_ID, four, moment, play, polls, randomGame, seated, turnOf } from '../../conference/test/game.ts';

const desk: DeskState = { ...(contract.conferences.state.example.data as DeskState), control: four };
let given = 0;
const step = ({ control }: DeskState, command: ConferenceCommand): ControlStep => {
  const after = applyCommand(control, command);
  given += 1;
  return {
    commandId: `0198f6a2-0000-7000-8000-${String(given).padStart(12, '0')}`,
    version: after.version,
    verb: command.verb,
    by: { kind: 'server', name: '', termId: null },
    at: moment(0),
    changes: controlChanges(control, after),
    affected: [],
  };
};
const after = (state: DeskState, ...commands: ConferenceCommand[]): DeskState =>
  commands.reduce((now, command) => applyDeskEvent(now, { type: 'control', step: step(now, command) }), state);
const verbs = ({ commands }: DeskState): string[] => commands.map(({ verb }) => verb);

describe('the desk', () => {
  test('follows any conference by its steps, from the beginning or from the middle', () => {
    for (const seed of [3, 8, 21]) {
      const { control, log } = randomGame(seed, 200);
      const followed = log.reduce(
        (state, { changes, command }, at) =>
          applyDeskEvent(state, { type: 'control', step: { ...step(state, command), version: at + 1, changes } }),
        { ...desk, control: NO_CONTROL },
      );
      const late = log
        .slice(100)
        .reduce(
          (state, { changes, command }, at) =>
            applyDeskEvent(state, { type: 'control', step: { ...step(state, command), version: at + 101, changes } }),
          { ...desk, control: play(log.slice(0, 150).map(({ command }) => command)) },
        );
      expect(late.control).toEqual(control);
      expect(followed.control).toEqual(control);
      expect(deskState.shape.control.parse(followed.control)).toEqual(control);
    }
  });

  test('leaves turns and counted ballots out of its log, but follows them', () => {
    const open: ConferenceCommand = {
      verb: 'vote',
      id: AN_ID,
      question: 'Shall we?',
      options: ['Yes', 'No'],
      isSecret: true,
      at: moment(0),
    };
    const followed = after(
      desk,
      polls(),
      turnOf('alice', 'bob'),
      open,
      turnOf('bob', 'carol'),
      { verb: 'voteCount', id: AN_ID, cast: 3 },
      { verb: 'voteClose', counts: [2, 1], at: moment(9) },
    );
    expect(verbs(followed)).toEqual(['voteClose', 'vote', 'polling']);
    expect([followed.control.polling?.turn?.termId, followed.control.vote?.counts]).toEqual(['bob', [2, 1]]);
  });

  test('keeps the newest hundred, however many turns there were', () => {
    const many = Array.from({ length: 120 }, (_, at): ConferenceCommand[] => [
      { verb: 'volume', termId: 'bob', volume: at % 100 },
      turnOf('alice', 'bob', at),
    ]).flat();
    const { commands } = after(after(desk, polls()), ...many);
    expect([commands.length, new Set(commands.map(({ verb }) => verb))]).toEqual([100, new Set(['volume'])]);
  });

  test('knows which commands can be undone', () => {
    const { commands } = after(desk, seated([]), { verb: 'window', position: 'LEFT' }, polls(), {
      verb: 'timer',
      termId: null,
      seconds: 60,
      at: moment(0),
    });
    expect(commands.map(({ verb, canUndo }) => [verb, canUndo])).toEqual([
      ['timer', false],
      ['polling', false],
      ['window', true],
      ['seats', true],
    ]);
    expect(UNDOABLE.every((verb) => VERB_RIGHTS[verb] !== null)).toBe(true);
  });

  test('has the scenes as the event lists them', () => {
    const example = contract.conferences.scenes.example.data as Scene[];
    const followed = applyDeskEvent(desk, { type: 'scenesChanged', scenes: example });
    expect([followed.scenes, followed.control]).toEqual([example, desk.control]);
    expect(applyDeskEvent(followed, { type: 'scenesChanged', scenes: [] }).scenes).toEqual([]);
  });
});
