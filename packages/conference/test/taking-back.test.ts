import { describe, expect, test } from 'vitest';
import {
  applyCommand,
  bannerOf,
  beginningControl,
  CONFERENCE_TEMPLATES,
  UNDOABLE,
  type ConferenceCommand,
  type ConferenceControl,
  type SceneSettings,
  type ScreenLayout,
} from '../src/index.ts';
import {
  AN_ID,
  arrive,
  CAPTION,
  depart,
  four,
  laidOut,
  moment,
  mute,
  play,
  polls,
  seated,
  settingsOf,
  speaks,
  turnOf,
  undone,
} from './game.ts';

describe('undo', () => {
  const own: ScreenLayout = { model: '4', places: [], seats: [{ seat: 2, source: 'carol' }] };
  const settings: SceneSettings = {
    layout: {
      model: '9',
      places: [],
      seats: [
        { seat: 1, source: 'SPEAKER' },
        { seat: 4, source: 'alice' },
      ],
    },
    window: 'BOTTOM',
    mode: 'SPEAKER',
    speakerId: 'bob',
    muted: { alice: false, bob: true, carol: true, gone: true },
    locked: true,
    contentLockId: 'carol',
    banner: bannerOf({ ...CAPTION, text: 'Part two' }, new Date(moment(0))),
  };
  const commands: ConferenceCommand[] = [
    mute(true, 'bob'),
    mute(false, 'alice'),
    { verb: 'muteAll', muted: true, except: ['chair'], allowSelfUnmute: false },
    { verb: 'camera', termIds: ['bob'], open: false },
    { verb: 'volume', termId: 'bob', volume: 10 },
    { verb: 'limitVideo', termIds: ['bob'], maxHeight: 360 },
    { verb: 'entry', muteOnEntry: true, waitingRoom: true },
    { verb: 'allow', shareFor: 'hosts', chatFor: 'hosts', reactions: false, selfRename: false, chatFiles: false },
    { verb: 'chairman', termId: 'bob' },
    { verb: 'coChairs', termIds: ['alice'], appoint: true },
    speaks('bob'),
    speaks(null),
    { verb: 'mode', mode: 'EQUAL', termId: null },
    { verb: 'lock', locked: true },
    { verb: 'rename', termId: 'bob', name: 'Robert' },
    { verb: 'top', termId: 'bob', top: true },
    { verb: 'sort', termIds: ['bob'] },
    laidOut('25', 7),
    { ...laidOut('AUTO'), allowOwnLayout: false },
    seated([{ seat: 1, source: 'carol' }]),
    seated([{ seat: 1, source: 'POLL' }], 'carol'),
    { verb: 'terminalLayout', termId: 'carol', layout: own },
    { verb: 'window', position: 'HIDDEN' },
    { verb: 'contentLock', termId: 'alice' },
    { verb: 'dualStream', termId: 'bob', open: false },
    { verb: 'dualStream', termId: 'bob', open: true },
    { verb: 'banner', termId: null, banner: bannerOf({ ...CAPTION, text: 'Break' }, new Date(moment(0))) },
    { verb: 'banner', termId: 'bob', banner: null },
    { verb: 'scene', sceneId: AN_ID, name: 'Part two', settings },
  ];
  const held = play(
    [
      mute(true, 'alice'),
      { verb: 'askUnmute', termIds: ['alice', 'bob'] },
      { verb: 'coChairs', termIds: ['bob'], appoint: true },
    ],
    four,
  );
  const befores: [string, ConferenceControl][] = [
    ['with some held', held],
    [
      'with everything set',
      play(
        [
          laidOut('9', 3),
          seated([
            { seat: 1, source: 'SPEAKER' },
            { seat: 2, source: 'bob' },
            { seat: 3, source: 'POLL' },
          ]),
          { verb: 'terminalLayout', termId: 'carol', layout: { ...own, model: '6' } },
          { verb: 'window', position: 'LEFT' },
          { verb: 'contentLock', termId: 'bob' },
          { verb: 'dualStream', termId: 'bob', open: true },
          { verb: 'banner', termId: null, banner: bannerOf({ ...CAPTION, text: 'Part one' }, new Date(moment(0))) },
          speaks('alice'),
        ],
        held,
      ),
    ],
    ['while terminals take turns on air', play([polls(), turnOf('alice', 'bob')], held)],
    [
      'while terminals take turns in a seat',
      play([laidOut('4', 2), speaks('alice'), polls(), turnOf('bob', 'carol')], held),
    ],
    [
      'while somebody lectures',
      play([speaks('carol'), polls({ termIds: ['bob', 'carol'] }, 'alice'), turnOf('bob', 'carol')], held),
    ],
  ];
  test('is tested with every command that can be undone', () =>
    expect(new Set(commands.map(({ verb }) => verb))).toEqual(new Set(UNDOABLE)));
  test.each(befores)('every command %s returns to the state before it', (_, before) => {
    for (const command of commands)
      expect(settingsOf(undone(before, command)), JSON.stringify(command)).toEqual(settingsOf(before));
  });

  test('keeps what has changed since', () => {
    const all: ConferenceCommand = { verb: 'muteAll', muted: true, except: [], allowSelfUnmute: null };
    const after = undone(four, all, { verb: 'selfUnmute', termId: 'bob' }, mute(true, 'bob'), mute(false, 'alice'));
    expect(Object.fromEntries(Object.entries(after.terminals).map(([id, { muted }]) => [id, muted]))).toEqual({
      chair: false,
      alice: false,
      bob: false,
      carol: false,
    });
    const later = undone(
      four,
      { verb: 'volume', termId: 'bob', volume: 10 },
      { verb: 'volume', termId: 'bob', volume: 20 },
    );
    expect(later.terminals['bob']?.volume).toBe(20);
  });

  test('reverts fields that belong together, or none of them', () => {
    const after = undone(four, { verb: 'speaker', termId: 'alice' }, { verb: 'speaker', termId: 'bob' });
    expect([after.mode, after.speakerId]).toEqual(['SPEAKER', 'bob']);
  });

  test('does not return a departed terminal to the chair or on air', () => {
    const onAir = applyCommand(four, { verb: 'speaker', termId: 'bob' });
    const after = undone(onAir, { verb: 'mode', mode: 'EQUAL', termId: null }, depart('bob'));
    expect([after.mode, after.speakerId]).toEqual(['AUTO', null]);
    const handed = undone(four, { verb: 'chairman', termId: 'alice' }, depart('chair'));
    expect(handed.chairId).toBe('alice');
  });

  describe('polling', () => {
    test('does not restore a round that no seat shows any more', () => {
      const running = play([laidOut('4', 1), polls(), turnOf('alice', 'bob')], four);
      const after = undone(running, laidOut('4', null), laidOut('9', null));
      expect([after.polling, after.mode, after.layout.model]).toEqual([null, 'AUTO', '9']);
    });

    test('ends a round whose seat it removes', () => {
      const after = undone(four, laidOut('4', 1), polls(), turnOf('alice', 'bob'));
      expect([after.polling, after.mode, after.layout.model]).toEqual([null, 'AUTO', 'AUTO']);
    });

    test('ends the round of a lecturer who has left', () => {
      const lecture = play([polls({}, 'alice'), turnOf('bob', 'carol')], four);
      const after = undone(lecture, speaks('carol'), depart('alice'));
      expect([after.polling, after.mode, after.speakerId]).toEqual([null, 'AUTO', null]);
    });

    test('keeps the round if a turn has been given since', () => {
      const running = play([laidOut('4', 1), polls(), turnOf('alice', 'bob')], four);
      const after = undone(running, { verb: 'window', position: 'LEFT' }, turnOf('bob', 'carol'));
      expect([after.polling?.turn?.termId, after.window]).toEqual(['bob', null]);
    });
  });

  test('still waits for the host who is to be on air first', () => {
    const lecture = CONFERENCE_TEMPLATES.find(({ mode }) => mode === 'SPEAKER');
    const begun = play(
      [arrive('alice')],
      beginningControl({ muteOnEntry: false, template: lecture?.id ?? 'standard' }),
    );
    expect(begun.mode).toBe('SPEAKER');
    const after = undone(begun, { verb: 'lock', locked: true });
    expect(play([arrive('chair', 'host')], after)).toMatchObject({
      mode: 'SPEAKER',
      speakerId: 'chair',
      locked: false,
    });
  });

  test('does not lock content to a forgotten terminal', () => {
    const locked = applyCommand(four, { verb: 'contentLock', termId: 'bob' });
    expect(
      undone(locked, { verb: 'contentLock', termId: null }, depart('bob'), arrive('bob2', 'member', 'bob'))
        .contentLockId,
    ).toBeNull();
  });
});
