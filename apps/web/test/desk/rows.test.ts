import { applyDeskEvent, type DeskState } from '@rmeet/contract';
import { describe, expect, test } from 'vitest';
import { answersTo, isByPeople, lastUndoable, lateOf } from '../../src/features/conferences/desk/model/log.ts';
import { rowsOf, type RowSources, type TerminalRow } from '../../src/features/conferences/desk/model/rows.ts';
import { shortcutOf } from '../../src/features/conferences/desk/model/shortcuts.ts';
import { durationText } from '../../src/features/conferences/desk/model/duration.ts';
import { stateOf } from '../../src/features/conferences/desk/model/terminal-state.ts';
import { deskOf, report, step, stream, terminal } from './support.ts';

const desk = deskOf(terminal('chair'), terminal('alice'), terminal('bob'));
const rows = (state: DeskState, over: Partial<RowSources> = {}): readonly TerminalRow[] =>
  rowsOf({ state, reports: new Map(), sending: new Map(), seenAt: new Map(), now: 10_000, previous: [], ...over });
const mute = step(desk, { verb: 'mute', termIds: ['alice', 'bob'], muted: true }, ['alice', 'bob']);
const muted = applyDeskEvent(desk, { type: 'control', step: mute });
const acked = applyDeskEvent(muted, {
  type: 'acknowledged',
  acks: [{ commandId: mute.commandId, termId: 'alice', latency: 42, failed: null }],
});

describe('a row', () => {
  test('follows the order of the chair', () => {
    const sorted = applyDeskEvent(desk, {
      type: 'control',
      step: step(desk, { verb: 'sort', termIds: ['bob', 'chair', 'alice'] }),
    });
    const topped = applyDeskEvent(sorted, {
      type: 'control',
      step: step(sorted, { verb: 'top', termId: 'alice', top: true }),
    });
    expect(rows(topped).map(({ termId }) => termId)).toEqual(['alice', 'bob', 'chair']);
  });

  test('shows the important parts of a report', () => {
    const [row] = rows(desk, {
      reports: new Map([
        [
          'chair',
          report({
            speaking: true,
            streams: [stream({ loss: 8.4 }), stream({ source: 'microphone', bitrate: 30_000 })],
          }),
        ],
      ]),
    });
    expect(row).toMatchObject({
      microphone: true,
      camera: true,
      speaking: true,
      loss: 8,
      cause: 'lossUp',
      quality: 'good',
    });
  });

  test('prefers the media engine over a report', () => {
    const [row] = rows(desk, {
      reports: new Map([['chair', report()]]),
      sending: new Map([['chair', { microphone: true, speaking: true, quality: 'poor', sharing: false }]]),
    });
    expect(row).toMatchObject({ microphone: true, speaking: true, camera: true, quality: 'good' });
  });

  test('stays the same object until something in it changes', () => {
    const before = rows(desk);
    expect(rows(desk, { previous: before })).toBe(before);
    const after = rows(muted, { previous: before });
    expect(after[0]).toBe(before[0]);
    expect(after[1]).not.toBe(before[1]);
  });

  test.each([
    ['has answered', acked, 5_000, { alice: [42, false], bob: [null, true] }],
    ['may still answer', acked, 8_000, { alice: [42, false], bob: [null, false] }],
  ] as const)('shows who %s', (_what, state, seen, expected) => {
    const answers = Object.fromEntries(
      rows(state, { seenAt: new Map([[mute.commandId, seen]]) }).map(({ termId, latency, late }) => [
        termId,
        [latency, late],
      ]),
    );
    expect(answers).toMatchObject(expected);
  });

  test('lets an answer to a later command count for an earlier one', () => {
    const again = step(acked, { verb: 'mute', termIds: ['alice', 'bob'], muted: false }, ['alice', 'bob']);
    const later = applyDeskEvent(applyDeskEvent(acked, { type: 'control', step: again }), {
      type: 'acknowledged',
      acks: [{ commandId: again.commandId, termId: 'bob', latency: 7, failed: 'deviceRefused' }],
    });
    const bob = rows(later, {
      seenAt: new Map([
        [mute.commandId, 0],
        [again.commandId, 9_000],
      ]),
    }).find(({ termId }) => termId === 'bob');
    expect(bob).toMatchObject({ late: false, latency: 7, failed: 'deviceRefused' });
  });

  test.each([
    [{ failed: null, late: false, quality: 'good', speaking: true, muted: false }, 'speaking'],
    [{ failed: null, late: false, quality: 'good', speaking: true, muted: true }, 'muted'],
    [{ failed: null, late: true, quality: 'good', speaking: true, muted: true }, 'late'],
    [{ failed: 'failed', late: true, quality: 'good', speaking: true, muted: true }, 'failed'],
    [{ failed: 'failed', late: true, quality: 'lost', speaking: true, muted: true }, 'lost'],
    [{ failed: null, late: false, quality: 'unknown', speaking: false, muted: false }, 'inside'],
  ] as const)('with %j is shown as %s', (row, expected) => {
    expect(stateOf(row)).toBe(expected);
  });
});

describe('the log', () => {
  const [command] = acked.commands;
  if (!command) throw new Error('no command');

  test('counts answers, and names the terminals inside that owe one', () => {
    expect(answersTo(command)).toEqual({ affected: 2, answered: 1, slowest: 42, engine: null, failures: [] });
    expect(lateOf(command, 1_000, () => true)).toEqual([]);
    expect(lateOf(command, 4_000, () => true)).toEqual(['bob']);
    expect(lateOf(command, 4_000, (termId) => termId !== 'bob')).toEqual([]);
  });

  test('lists the engine separately', () => {
    const withEngine = {
      ...command,
      acknowledgements: [...command.acknowledgements, { termId: '@engine', latency: 12, failed: 'engineFailed' }],
    };
    expect(answersTo(withEngine)).toMatchObject({
      answered: 1,
      engine: 12,
      failures: [{ termId: '@engine', failed: 'engineFailed' }],
    });
  });

  test('finds the last command that can be undone', () => {
    expect(lastUndoable(acked.commands)?.commandId).toBe(mute.commandId);
    expect(lastUndoable([{ ...command, undoneBy: command.commandId }])).toBeNull();
    expect(isByPeople({ ...command, verb: 'arrive' })).toBe(false);
  });
});

test.each([
  [{ key: 'M' }, false, 'muteAll'],
  [{ key: 'm' }, false, 'mute'],
  [{ key: 'm' }, true, null],
  [{ key: 'z', ctrlKey: true }, false, 'undo'],
  [{ key: 'm', ctrlKey: true }, false, null],
  [{ key: 'm', isComposing: true }, false, null],
  [{ key: '?' }, false, 'help'],
  [{ key: 'x' }, false, null],
] as const)('the key %j, typing %s, means %s', (event, typing, expected) => {
  expect(shortcutOf({ ctrlKey: false, metaKey: false, altKey: false, isComposing: false, ...event }, typing)).toBe(
    expected,
  );
});

test.each([
  [-5, '00:00'],
  [65_000, '01:05'],
  [3_729_000, '1:02:09'],
])('%d ms are %s', (ms, expected) => {
  expect(durationText(ms)).toBe(expected);
});
