import { layoutOf, type ConferenceCommand } from '@rmeet/conference';
import type { Admission } from '@rmeet/contract';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { Call, type LocalMedia } from '../../src/call/index.ts';
import { admitted, createPorts, refused, silentMedia, waiting } from './fakes.ts';
import { commanded, conferenceOf, controlOf, terminalOf } from './people.ts';

beforeEach(() => vi.useFakeTimers());
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

const pass = (ms = 0) => vi.advanceTimersByTimeAsync(ms);
const last = <T>(items: readonly T[]): T => {
  const item = items.at(-1);
  if (item === undefined) throw new Error('there is none yet');
  return item;
};
const PEOPLE = ['chair', 'alice', 'bob'];

/** Media with microphone and camera switched on, without a browser. */
async function speakingMedia(): Promise<LocalMedia> {
  const trackOf = (kind: string) =>
    Object.assign(new EventTarget(), {
      id: kind,
      kind,
      label: kind,
      enabled: true,
      stop: () => undefined,
      getSettings: () => ({}),
    });
  const stream = {
    getTracks: () => [],
    getAudioTracks: () => [trackOf('audio')],
    getVideoTracks: () => [trackOf('video')],
  };
  const mediaDevices = Object.assign(new EventTarget(), {
    getUserMedia: () => Promise.resolve(stream),
    enumerateDevices: () => Promise.resolve([]),
  });
  vi.stubGlobal('navigator', { mediaDevices });
  const local = silentMedia({ on: true });
  await local.start();
  return local;
}

async function inside({ control = controlOf(PEOPLE), local = silentMedia(), entering = [] as Admission[] } = {}) {
  const world = createPorts(entering);
  const call = new Call(admitted('first'), 'Alice', local, world.ports);
  await pass();
  const [push, session] = [last(world.pushes), last(world.sessions)];
  push.status('open');
  session.events.onState('connected');
  push.snapshot(
    conferenceOf(
      'alice',
      PEOPLE.map((termId) => terminalOf(termId)),
      { control },
    ),
  );
  session.meet(true, 'microphone', 'screen', 'screenAudio', 'camera');
  await pass();
  push.acknowledged.length = 0;
  let now = control;
  /** Executes a command of the chair. */
  const chair = async (command: ConferenceCommand) => {
    const { event, control: after } = commanded(now, command);
    now = after;
    push.event(event);
    await pass();
  };
  return { ...world, call, local, push, session, chair, state: () => call.store.getSnapshot() };
}

const mute = (muted: boolean): ConferenceCommand => ({ verb: 'mute', termIds: ['alice'], muted });
const camera = (open: boolean): ConferenceCommand => ({ verb: 'camera', termIds: ['alice'], open });
/** The outgoing tracks, by kind. */
const sent = (outgoing: Record<string, MediaStreamTrack | null> | null) =>
  Object.entries(outgoing ?? {})
    .filter(([, track]) => track !== null)
    .map(([source]) => source);

describe('held', () => {
  test('a muted terminal sends no sound, and acknowledges when the track is off', async () => {
    const { chair, session, push, state } = await inside({ local: await speakingMedia() });
    expect(sent(session.outgoing)).toEqual(['camera', 'microphone']);
    await chair(mute(true));
    expect(sent(session.outgoing)).toEqual(['camera']);
    expect(state().held).toEqual({ microphone: true, camera: false, content: null });
    expect(push.acknowledged).toEqual([]);
    session.meet(true, 'microphone', 'screenAudio');
    await pass();
    expect(push.acknowledged).toEqual([null]);
  });

  test('a source that is on is sent again when its hold ends, and then acknowledged', async () => {
    const { chair, session, push, local } = await inside({
      local: await speakingMedia(),
      control: controlOf(PEOPLE, mute(true), camera(false)),
    });
    expect(sent(session.outgoing)).toEqual([]);
    expect(local.store.getSnapshot()).toMatchObject({ microphone: { on: true }, camera: { on: true } });
    await chair(mute(false));
    await chair(camera(true));
    expect(sent(session.outgoing)).toEqual(['camera', 'microphone']);
    session.meet(true, 'microphone', 'screenAudio', 'camera');
    await pass();
    expect(push.acknowledged).toEqual([null, null]);
  });

  test('a microphone that its owner switched off is not switched on by others', async () => {
    const { chair, session, push } = await inside({ control: controlOf(PEOPLE, mute(true)) });
    await chair(mute(false));
    expect(sent(session.outgoing)).toEqual([]);
    expect(push.acknowledged).toEqual(['personAsked']);
  });

  test('an engine that does not return the microphone in time is reported', async () => {
    const { chair, session, push } = await inside({
      local: await speakingMedia(),
      control: controlOf(PEOPLE, mute(true)),
    });
    await chair(mute(false));
    session.meet(false, 'microphone', 'screenAudio');
    await pass();
    expect(push.acknowledged).toEqual(['engineFailed']);
  });

  test('a source refused while held causes no notice, and the wish of the person stays', async () => {
    const { session, state, local } = await inside({
      local: await speakingMedia(),
      control: controlOf(PEOPLE, mute(true)),
    });
    session.events.onRefused('microphone', 'notAllowed');
    expect(state().notices).toEqual([]);
    expect(local.store.getSnapshot().microphone.on).toBe(true);
  });

  test('a new session begins with the same holds', async () => {
    const control = controlOf(
      PEOPLE,
      mute(true),
      { verb: 'limitVideo', termIds: ['alice'], maxHeight: 180 },
      { verb: 'volume', termId: 'bob', volume: 30 },
    );
    const { session, sessions } = await inside({
      local: await speakingMedia(),
      control,
      entering: [admitted('second')],
    });
    await pass(10_000);
    session.end('lost');
    await pass(2_000);
    expect(sessions).toHaveLength(2);
    expect(sent(last(sessions).outgoing)).toEqual(['camera']);
    expect(last(sessions).maxHeight).toBe(180);
    expect(last(sessions).volumeOf('bob')).toBe(0.3);
  });

  test('a request to unmute is shown, and unmuting switches the microphone on', async () => {
    const { call, chair, state, calls, push } = await inside({
      local: await speakingMedia(),
      control: controlOf(PEOPLE, mute(true)),
    });
    await chair({ verb: 'askUnmute', termIds: ['alice'] });
    expect(state().unmuteAsked).toBe(true);
    expect(push.acknowledged).toEqual([null]);
    await call.unmute();
    expect(calls).toEqual(['POST unmute']);
    await chair({ verb: 'selfUnmute', termId: 'alice' });
    expect(state()).toMatchObject({ unmuteAsked: false, held: { microphone: false } });
  });
});

describe('media follow the control', () => {
  test('on air, order and names', async () => {
    const { chair, state, push } = await inside();
    await chair({ verb: 'speaker', termId: 'alice' });
    expect(state().onAir).toBe(true);
    expect(state().tiles.find(({ own }) => own)?.onAir).toBe(true);
    await chair({ verb: 'speaker', termId: 'bob' });
    expect(state().onAir).toBe(false);
    await chair({ verb: 'rename', termId: 'bob', name: 'Room 301' });
    expect(state().tiles.find(({ termId }) => termId === 'bob')?.name).toBe('Room 301');
    expect(push.acknowledged).toEqual([null, null, null]);
  });

  test('volumes as set, and silence for a stranger', async () => {
    const { chair, session } = await inside();
    await chair({ verb: 'volume', termId: 'bob', volume: 60 });
    expect(['bob', 'chair', 'stranger'].map(session.volumeOf)).toEqual([0.6, 1, 0]);
    await chair({ verb: 'depart', termIds: ['bob'] });
    expect(session.volumeOf('bob')).toBe(0);
  });

  test('layers of the displayed layout', async () => {
    const { call, session } = await inside();
    call.pictures.show(
      'stage',
      layoutOf({
        control: controlOf(PEOPLE),
        terminals: PEOPLE,
        sharing: [],
        speakers: ['bob'],
        me: 'alice',
        screen: { width: 1_600, height: 900 },
      }).cells,
    );
    expect(session.layers).toEqual(
      new Map([
        ['bob', 720],
        ['chair', 180],
      ]),
    );
  });

  test('camera limited to the height set', async () => {
    const { chair, session, push } = await inside();
    await chair({ verb: 'limitVideo', termIds: ['alice'], maxHeight: 360 });
    expect(session.maxHeight).toBe(360);
    await chair({ verb: 'limitVideo', termIds: ['alice'], maxHeight: null });
    expect(session.maxHeight).toBeNull();
    expect(push.acknowledged).toEqual([null, null]);
  });
});

describe('leaving and returning', () => {
  test('sent back: media stop, the state is dropped, and a new admission enters again', async () => {
    const { push, pushes, session, sessions, state } = await inside({
      local: await speakingMedia(),
      entering: [admitted('again')],
    });
    push.event({ type: 'sentBack' });
    await pass();
    expect(session.stopped).toBe(true);
    expect(state()).toMatchObject({ phase: 'waiting', sentBack: true, conference: null, held: { microphone: false } });
    expect(state().tiles.map(({ key }) => key)).toEqual(['alice']);
    await pass(60_000);
    expect(sessions).toHaveLength(1);
    last(pushes).event({ type: 'admitted' });
    await pass();
    expect(state()).toMatchObject({ phase: 'active', sentBack: false });
    expect(last(sessions).token).toBe('again');
  });

  test('disconnected by the engine and then waiting: the same', async () => {
    const { session, state, sessions } = await inside({ entering: [waiting] });
    session.end('lost');
    await pass(2_000);
    expect(state()).toMatchObject({ phase: 'waiting', sentBack: true });
    await pass(60_000);
    expect(sessions).toHaveLength(1);
  });

  test('admitted while the push socket was away: the snapshot reports it', async () => {
    const { ports, pushes, sessions } = createPorts([admitted('let in')]);
    const call = new Call(waiting, 'Alice', silentMedia(), ports);
    last(pushes).snapshot(conferenceOf('alice', []));
    await pass();
    expect(call.store.getSnapshot().phase).toBe('active');
    expect(last(sessions).token).toBe('let in');
  });

  test.each([true, false])('removed, and may return: %s', async (canReturn) => {
    const { push, session, state } = await inside();
    push.event({ type: 'removed', canReturn });
    expect(state()).toMatchObject({ phase: 'over', end: 'removed', canReturn });
    expect(session.stopped).toBe(true);
    expect(push.closed).toBe(true);
  });

  test('refused, with the reason of the chair', async () => {
    const { ports, pushes } = createPorts();
    const call = new Call(waiting, 'Alice', silentMedia(), ports);
    last(pushes).event({ type: 'refused', reason: 'This is the morning round of ward 3.' });
    expect(call.store.getSnapshot()).toMatchObject({
      phase: 'over',
      end: 'refused',
      reason: 'This is the morning round of ward 3.',
    });
  });

  test('a waiting person sends the chair a message', async () => {
    const { ports, calls } = createPorts();
    const call = new Call(waiting, 'Alice', silentMedia(), ports);
    await call.knock('It is Alice.');
    expect(calls).toEqual(['POST knock']);
    ports.api.knock = () => Promise.reject(refused('MESSAGE_SENT_ALREADY'));
    await expect(call.knock('Again.')).rejects.toMatchObject({ code: 'MESSAGE_SENT_ALREADY' });
  });
});

test('media statistics are reported every two seconds while connected', async () => {
  const { push, call } = await inside();
  await pass(2_000);
  expect(push.reports).toEqual([]);
  await pass(4_000);
  expect(push.reports).toMatchObject([{ quality: 'good', streams: [] }, { quality: 'good' }]);
  await call.leave();
  await pass(10_000);
  expect(push.reports).toHaveLength(2);
});

describe('content follows the chair', () => {
  /** Media with an active screen share. */
  async function sharingMedia() {
    const local = await speakingMedia();
    const video = Object.assign(new EventTarget(), {
      id: 'screen',
      kind: 'video',
      label: 'screen',
      contentHint: '',
      stop: () => undefined,
      getSettings: () => ({}),
    });
    Object.assign(navigator.mediaDevices, {
      getDisplayMedia: () =>
        Promise.resolve({ getTracks: () => [video], getVideoTracks: () => [video], getAudioTracks: () => [] }),
    });
    await local.share();
    return local;
  }
  const off: ConferenceCommand = { verb: 'dualStream', termId: 'alice', open: false };

  test.each<[ConferenceCommand, 'off' | 'locked']>([
    [off, 'off'],
    [{ verb: 'contentLock', termId: 'bob' }, 'locked'],
  ])('sharing ends, the end is acknowledged, and the person sees the reason (%#)', async (command, why) => {
    const { chair, session, push, state, local } = await inside({ local: await sharingMedia() });
    expect(sent(session.outgoing)).toContain('screen');
    await chair(command);
    expect(sent(session.outgoing)).not.toContain('screen');
    expect(local.store.getSnapshot().screen.video).toBeNull();
    expect(state()).toMatchObject({ held: { content: why }, notices: [{ kind: 'shareEnded', why }] });
    expect(push.acknowledged).toEqual([]);
    session.meet(true, 'screen', 'screenAudio');
    await pass();
    expect(push.acknowledged).toEqual([null]);
  });

  test('sharing continues if it is locked to this terminal', async () => {
    const { chair, session, state } = await inside({ local: await sharingMedia() });
    await chair({ verb: 'contentLock', termId: 'alice' });
    expect(sent(session.outgoing)).toContain('screen');
    expect(state()).toMatchObject({ held: { content: null }, notices: [] });
  });

  test('the reason is shown even if the engine has ended it before', async () => {
    const { chair, session, state } = await inside({ local: await sharingMedia() });
    session.events.onRefused('screen', 'muted');
    await chair(off);
    expect(state().notices).toMatchObject([{ kind: 'refused' }, { kind: 'shareEnded', why: 'off' }]);
  });

  test('asked to share, and asked again', async () => {
    const { chair, session, state, push } = await inside();
    const on: ConferenceCommand = { ...off, open: true };
    await chair(on);
    await chair(on);
    session.meet(true, 'screen', 'screenAudio');
    await pass();
    expect(state()).toMatchObject({
      contentAsked: true,
      notices: [{ kind: 'contentAsked' }, { kind: 'contentAsked' }],
    });
    await chair(off);
    expect(state().contentAsked).toBe(false);
    expect(push.acknowledged[0]).toBeNull();
  });
});

describe('commands that need no action by the person', () => {
  test.each<ConferenceCommand>([
    { verb: 'layout', model: '4', places: [] },
    { verb: 'seats', termId: null, seats: [{ seat: 1, source: 'bob' }] },
    { verb: 'window', position: 'LEFT' },
    {
      verb: 'banner',
      termId: null,
      banner: {
        text: 'Hello',
        position: 'TOP',
        size: 'SMALL',
        scroll: 'NONE',
        language: 'en',
        since: '2026-11-20T09:00:00.000Z',
        until: null,
      },
    },
    { verb: 'timer', termId: 'bob', seconds: 60, at: '2026-11-20T09:00:00.000Z' },
  ])('$verb is acknowledged once it is applied', async (command) => {
    const { chair, push } = await inside();
    await chair(command);
    expect(push.acknowledged).toEqual([null]);
  });

  test('giving the floor to a terminal with its microphone off asks the person to switch it on', async () => {
    const { chair, push, session } = await inside();
    await chair({ verb: 'giveFloor', termId: 'alice', seconds: null, at: '2026-11-20T09:00:00.000Z' });
    session.meet(true, 'microphone', 'screenAudio');
    await pass();
    expect(push.acknowledged).toEqual(['personAsked']);
  });

  test('pictures of the next turn are requested in their later size', async () => {
    const { call, session } = await inside();
    const settings = { termIds: ['bob', 'chair'], seconds: 10, onlyVideo: false, roomsOnly: false, isPaused: false };
    const at = '2026-11-20T09:00:00.000Z';
    const control = controlOf(
      PEOPLE,
      { verb: 'layout', model: '1', places: [] },
      { verb: 'polling', settings, lectureId: null, at },
      { verb: 'pollingTurn', termId: 'bob', next: 'chair', at, switchAt: null },
    );
    const { cells, warm } = layoutOf({
      control,
      terminals: PEOPLE,
      sharing: [],
      speakers: [],
      me: 'alice',
      screen: { width: 1_600, height: 900 },
    });
    call.pictures.show('stage', [...cells, ...warm]);
    expect(session.layers).toEqual(
      new Map([
        ['chair', 720],
        ['bob', 720],
      ]),
    );
  });
});
