import { applyDeskEvent, type DeskState } from '@rmeet/contract';
import { describe, expect, test } from 'vitest';
import { deskOf, step, terminal } from './support.ts';

const { cannot: _, userId: __, account: ___, department: ____, ...bobSeen } = terminal('bob', { name: 'Bob' });
const inside = (state: DeskState): string[] => state.terminals.map(({ termId }) => termId);

describe('a desk follows', () => {
  const desk = deskOf(terminal('chair'), terminal('alice'));

  test('a participant who joins, and the details that arrive later', () => {
    const joined = applyDeskEvent(desk, {
      type: 'terminalJoined',
      terminal: bobSeen,
      step: step(desk, { verb: 'arrive', termId: 'bob', name: 'Bob', role: 'member', previousTermId: null }),
    });
    expect(inside(joined)).toEqual(['chair', 'alice', 'bob']);
    expect(joined.control.terminals['bob']?.present).toBe(true);
    const known = applyDeskEvent(joined, {
      type: 'deskTerminal',
      terminal: terminal('bob', { name: 'Bob', department: 'Ward 3' }),
    });
    expect(known.terminals.at(-1)?.department).toBe('Ward 3');
    const raised = applyDeskEvent(known, {
      type: 'terminalChanged',
      terminal: { ...bobSeen, handRaisedAt: '2026-11-20T09:05:00.000Z' },
    });
    expect(raised.terminals.at(-1)).toMatchObject({ department: 'Ward 3', handRaisedAt: '2026-11-20T09:05:00.000Z' });
  });

  test.each([
    ['leaves', { verb: 'depart', termIds: ['alice'] }],
    ['is removed', { verb: 'remove', termIds: ['alice'], canReturn: false }],
    ['is sent back', { verb: 'sendBack', termIds: ['alice'] }],
  ] as const)('a participant who %s', (_what, command) => {
    const after = applyDeskEvent(desk, {
      type: 'control',
      step: step(desk, { ...command, termIds: [...command.termIds] }),
    });
    expect(inside(after)).toEqual(['chair']);
    expect(after.control.terminals['alice']?.present).toBe(false);
  });

  test('a new name everywhere', () => {
    const after = applyDeskEvent(desk, {
      type: 'control',
      step: step(desk, { verb: 'rename', termId: 'alice', name: 'Room 301' }),
    });
    expect([after.terminals[1]?.name, after.control.terminals['alice']?.name]).toEqual(['Room 301', 'Room 301']);
  });

  test('commands in its log, newest first, once each', () => {
    const mute = step(desk, { verb: 'mute', termIds: ['alice'], muted: true }, ['alice']);
    const once = applyDeskEvent(desk, { type: 'control', step: mute });
    const twice = applyDeskEvent(once, { type: 'control', step: mute });
    expect(twice.commands).toHaveLength(1);
    const locked = applyDeskEvent(twice, { type: 'control', step: step(twice, { verb: 'lock', locked: true }) });
    expect(locked.commands.map(({ verb }) => verb)).toEqual(['lock', 'mute']);
    expect(locked.control).toMatchObject({ locked: true, version: desk.control.version + 2 });
  });

  test('acknowledgements, keeping the newest of each terminal', () => {
    const mute = step(desk, { verb: 'mute', termIds: ['alice'], muted: true }, ['alice']);
    const { commandId } = mute;
    const given = applyDeskEvent(desk, { type: 'control', step: mute });
    const failed = applyDeskEvent(given, {
      type: 'acknowledged',
      acks: [{ commandId, termId: 'alice', latency: 40, failed: 'failed' }],
    });
    const done = applyDeskEvent(failed, {
      type: 'acknowledged',
      acks: [
        { commandId, termId: 'alice', latency: 900, failed: null },
        { commandId, termId: '@engine', latency: 30, failed: null },
      ],
    });
    expect(done.commands[0]?.acknowledgements).toEqual([
      { termId: 'alice', latency: 900, failed: null },
      { termId: '@engine', latency: 30, failed: null },
    ]);
  });

  test('a command that undoes another one', () => {
    const lock = step(desk, { verb: 'lock', locked: true });
    const locked = applyDeskEvent(desk, { type: 'control', step: lock });
    const undo = step(locked, { verb: 'undo', commandId: lock.commandId, changes: lock.changes });
    const undone = applyDeskEvent(applyDeskEvent(locked, { type: 'control', step: undo }), {
      type: 'commandInput',
      commandId: undo.commandId,
      input: { commandId: lock.commandId },
      canUndo: false,
      undoes: lock.commandId,
    });
    expect(undone.control.locked).toBe(false);
    expect(undone.commands.map(({ verb, canUndo, undoneBy }) => [verb, canUndo, undoneBy])).toEqual([
      ['undo', false, null],
      ['lock', false, undo.commandId],
    ]);
  });

  test('waiting people with a later message, and called people', () => {
    const knocked = applyDeskEvent(desk, {
      type: 'waitingAdded',
      terminal: { termId: 'carol', name: 'Carol', since: '2026-11-20T09:01:00.000Z', message: null },
    });
    const told = applyDeskEvent(knocked, {
      type: 'deskWaiting',
      terminal: {
        termId: 'carol',
        name: 'Carol',
        since: '2026-11-20T09:01:00.000Z',
        message: 'From ward 3',
        deviceType: 3,
      },
    });
    expect(told.waiting).toEqual([expect.objectContaining({ termId: 'carol', message: 'From ward 3' })]);
    expect(applyDeskEvent(told, { type: 'waitingRemoved', termId: 'carol' }).waiting).toEqual([]);
    const invitee = {
      termId: 'Udave',
      userId: null,
      name: 'Dave',
      department: '',
      state: 'ringing',
      calledAt: null,
      mail: 'none',
    } as const;
    expect(applyDeskEvent(desk, { type: 'inviteesChanged', invitees: [invitee] }).invitees).toEqual([invitee]);
  });

  test('without touching what an event does not change', () => {
    const after = applyDeskEvent(desk, {
      type: 'control',
      step: step(desk, { verb: 'mute', termIds: ['alice'], muted: true }),
    });
    expect(after.terminals).toBe(desk.terminals);
    expect(after.control.terminals['chair']).toBe(desk.control.terminals['chair']);
    expect(applyDeskEvent(desk, { type: 'ended' })).toBe(desk);
  });
});
