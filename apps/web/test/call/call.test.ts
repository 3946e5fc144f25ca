import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { Call } from '../../src/call/index.ts';
import { admitted, createPorts, refused, silentMedia, waiting } from './fakes.ts';
import { commanded, conferenceOf, controlOf, terminalOf } from './people.ts';

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

/** Lets promises settle and `ms` elapse. */
const pass = (ms = 0) => vi.advanceTimersByTimeAsync(ms);
const last = <T>(items: readonly T[]): T => {
  const item = items.at(-1);
  if (item === undefined) throw new Error('there is none yet');
  return item;
};

async function startedCall(entering: Parameters<typeof createPorts>[0] = []) {
  const world = createPorts(entering);
  const call = new Call(admitted('first'), 'Alice', silentMedia(), world.ports);
  await pass();
  last(world.pushes).status('open');
  last(world.sessions).events.onState('connected');
  return { ...world, call, state: () => call.store.getSnapshot() };
}

test('media and push connect at the same time, and the state shows each', async () => {
  const { ports, pushes, sessions } = createPorts();
  const call = new Call(admitted('first'), 'Alice', silentMedia(), ports);
  expect(pushes).toHaveLength(1);
  await pass();
  expect(last(sessions).token).toBe('first');
  expect(call.store.getSnapshot()).toMatchObject({ phase: 'active', media: 'connecting', push: 'connecting' });
  last(sessions).events.onState('connected');
  expect(call.store.getSnapshot()).toMatchObject({ media: 'connected', push: 'connecting' });
});

test('a waiting person sees the wait for a host until it ends, and sends by the template once inside', async () => {
  const { ports, pushes, sessions } = createPorts([waiting, admitted('one')]);
  const call = new Call({ ...waiting, state: 'waiting', awaitsHost: true }, 'Alice', silentMedia(), ports);
  expect(call.store.getSnapshot()).toMatchObject({ phase: 'waiting', awaitsHost: true });
  last(pushes).event({ type: 'admitted' });
  await pass();
  expect(call.store.getSnapshot()).toMatchObject({ phase: 'waiting', awaitsHost: false });
  last(pushes).event({ type: 'admitted' });
  await pass();
  expect(call.store.getSnapshot()).toMatchObject({ phase: 'active', awaitsHost: false });
  expect(last(sessions).camera).toEqual({ codec: 'h264', bitrate: 3_000 });
});

test('a waiting person sees what the wait is for, and the page asks again if it may have missed a change', async () => {
  const { ports, pushes, calls } = createPorts([{ ...waiting, state: 'waiting', awaitsHost: true }, waiting]);
  const call = new Call({ ...waiting, state: 'waiting', awaitsHost: true }, 'Alice', silentMedia(), ports);
  last(pushes).handler.live?.();
  await pass();
  expect(call.store.getSnapshot()).toMatchObject({ phase: 'waiting', awaitsHost: true });
  last(pushes).event({ type: 'waitChanged', awaitsHost: false });
  expect(call.store.getSnapshot()).toMatchObject({ phase: 'waiting', awaitsHost: false });
  last(pushes).event({ type: 'waitChanged', awaitsHost: true });
  last(pushes).handler.live?.();
  await pass();
  expect(call.store.getSnapshot()).toMatchObject({ phase: 'waiting', awaitsHost: false });
  expect(calls).toEqual(['enter', 'enter']);
});

test('a lost media session is entered again, with a new token, until it works', async () => {
  const { sessions, state, calls } = await startedCall([
    refused('MEDIA_UNAVAILABLE', 503),
    refused('UNREACHABLE', 0),
    admitted('second'),
  ]);
  await pass(10_000);
  last(sessions).end('lost');
  await pass();
  expect(state().media).toBe('reconnecting');
  await pass(2_000);
  expect(calls).toEqual(['enter', 'enter', 'enter']);
  expect(last(sessions).token).toBe('second');
  last(sessions).events.onState('connected');
  expect(state()).toMatchObject({ media: 'connected', phase: 'active' });
});

test.each([
  ['CONFERENCE_OVER', 'ended'],
  ['TERMINAL_REMOVED', 'removed'],
  ['TERMINAL_GONE', 'gone'],
] as const)('when entering again answers %s the call is over: %s', async (code, end) => {
  const { sessions, state, pushes } = await startedCall([refused(code)]);
  last(sessions).end('lost');
  await pass(1_000);
  expect(state()).toMatchObject({ phase: 'over', end });
  expect(last(pushes).closed).toBe(true);
});

test('the same terminal elsewhere ends the call here, without a fight for the place', async () => {
  const { sessions, state, calls } = await startedCall([admitted('second')]);
  last(sessions).end('elsewhere');
  await pass(60_000);
  expect(state()).toMatchObject({ phase: 'over', end: 'elsewhere' });
  expect(calls).toEqual([]);
});

test('the end of the conference arrives by push', async () => {
  const { pushes, state } = await startedCall();
  last(pushes).snapshot(conferenceOf('alice', [terminalOf('alice')]));
  last(pushes).event({ type: 'ended' });
  expect(state()).toMatchObject({ phase: 'over', end: 'ended' });
});

test.each([
  ['over', 'endedByHost'],
  ['time', 'time'],
  ['empty', 'empty'],
  ['closed', 'closed'],
  ['cancelled', 'cancelled'],
  ['early', 'early'],
] as const)('a conference that ended because of "%s" ends the call as "%s"', async (why, end) => {
  const { pushes, state } = await startedCall();
  last(pushes).snapshot(conferenceOf('alice', [terminalOf('alice')]));
  last(pushes).event({ type: 'ended', why });
  expect(state()).toMatchObject({ phase: 'over', end });
});

test('a person who ends the conference sees no message that the host did, even if the event comes first', async () => {
  const { call, pushes, state } = await startedCall();
  last(pushes).snapshot(conferenceOf('alice', [terminalOf('alice')]));
  const ending = call.end();
  last(pushes).event({ type: 'ended', why: 'over' });
  await ending;
  expect(state()).toMatchObject({ phase: 'over', end: 'endedByMe' });
});

test('the end tells how long this terminal was inside, and with how many people at once', async () => {
  const { call, pushes, state } = await startedCall();
  last(pushes).snapshot(conferenceOf('alice', [terminalOf('alice'), terminalOf('bob'), terminalOf('carol')]));
  last(pushes).snapshot(conferenceOf('alice', [terminalOf('alice')]));
  await pass(90_000);
  last(pushes).event({ type: 'sentBack' });
  await pass(60_000);
  await call.leave();
  const { stay } = state();
  expect(stay?.people).toBe(3);
  expect(stay?.lasted).toBeGreaterThanOrEqual(90_000);
  expect(stay?.lasted).toBeLessThan(100_000);
});

test('without the server, media continue and the push link shows as reconnecting', async () => {
  const { pushes, state } = await startedCall();
  last(pushes).status('waiting');
  expect(state()).toMatchObject({ media: 'connected', push: 'reconnecting', phase: 'active' });
  last(pushes).status('open');
  expect(state().push).toBe('connected');
});

test('a refused push token is explained by enter', async () => {
  const { pushes, state } = await startedCall([refused('TERMINAL_REMOVED')]);
  last(pushes).status('refused');
  await pass();
  expect(state()).toMatchObject({ phase: 'over', end: 'removed' });
});

test('a waiting person enters automatically when admitted', async () => {
  const { ports, pushes, sessions } = createPorts([admitted('let in')]);
  const call = new Call(waiting, 'Alice', silentMedia(), ports);
  await pass();
  expect(call.store.getSnapshot().phase).toBe('waiting');
  expect(sessions).toHaveLength(0);
  last(pushes).event({ type: 'admitted' });
  await pass();
  expect(call.store.getSnapshot().phase).toBe('active');
  expect(last(sessions).token).toBe('let in');
  expect(pushes).toHaveLength(2);
  expect(pushes[0]?.closed).toBe(true);
});

test('an event and a snapshot may both report the admission; the call enters once', async () => {
  const { ports, pushes, sessions } = createPorts([admitted('entered'), admitted('again')]);
  const call = new Call(waiting, 'Alice', silentMedia(), ports);
  const first = last(pushes);
  first.status('open');
  first.event({ type: 'admitted' });
  first.snapshot(conferenceOf('alice', [terminalOf('alice')]));
  await pass(1_000);
  expect(sessions).toHaveLength(1);
  expect(call.store.getSnapshot()).toMatchObject({ phase: 'active' });
});

test.each(['refused', 'ended'] as const)('a waiting person sees that the request was %s', async (type) => {
  const { ports, pushes } = createPorts();
  const call = new Call(waiting, 'Alice', silentMedia(), ports);
  last(pushes).event(type === 'refused' ? { type, reason: 'Full' } : { type });
  expect(call.store.getSnapshot()).toMatchObject({ phase: 'over', end: type });
});

const hello = {
  id: '0198f6a2-7e6d-7c40-9a11-5b1f0e3c2d13',
  termId: 'bob',
  name: 'Bob',
  text: 'Hello',
  sentAt: '2026-11-20T09:00:00.000Z',
};

test('messages count as unread while the chat is closed', async () => {
  const { call, pushes, state } = await startedCall();
  last(pushes).snapshot(conferenceOf('alice', [], { messages: [hello] }));
  expect(state().unread).toBe(0);
  last(pushes).event({ type: 'chat', message: { ...hello, id: '0198f6a2-7e6d-7c40-9a11-5b1f0e3c2d14' } });
  expect(state().unread).toBe(1);
  call.setChatOpen(true);
  expect(state().unread).toBe(0);
  last(pushes).event({ type: 'chat', message: { ...hello, id: '0198f6a2-7e6d-7c40-9a11-5b1f0e3c2d15' } });
  expect(state().unread).toBe(0);
});

test('messages of an outage count as unread when the snapshot brings them', async () => {
  const { pushes, state } = await startedCall();
  last(pushes).snapshot(conferenceOf('alice', []));
  last(pushes).snapshot(conferenceOf('alice', [], { messages: [hello] }));
  expect(state().unread).toBe(1);
});

test('a message that cannot be sent is marked failed, and is sent once when tried again', async () => {
  const { call, ports, pushes, state } = await startedCall();
  last(pushes).snapshot(conferenceOf('alice', []));
  const { chat } = ports.api;
  ports.api.chat = () => Promise.reject(refused('UNREACHABLE', 0));
  await expect(call.say('Hello')).rejects.toThrow();
  const [failed] = state().outgoing;
  expect(failed).toMatchObject({ text: 'Hello', state: 'failed' });
  ports.api.chat = chat;
  await call.say('Hello', { id: failed?.id ?? '' });
  expect(state().outgoing).toEqual([]);
  expect(state().conference?.messages.map((each) => each.id)).toEqual([failed?.id]);
});

test('files are sent one after the other, with their progress; one that is taken back is given up', async () => {
  const { call, ports, pushes, state } = await startedCall();
  last(pushes).snapshot(conferenceOf('alice', []));
  const sending: { name: string; signal: AbortSignal; onProgress: (part: number) => void; done: () => void }[] = [];
  ports.files.send = (message, { onProgress, signal }) =>
    new Promise((resolve, reject) => {
      const [file] = message.files ?? [];
      signal.addEventListener('abort', () => reject(refused('UNREACHABLE', 0)));
      sending.push({ name: file?.name ?? '', signal, onProgress, done: () => resolve(ports.api.chat(message)) });
    });
  const said = ['a.txt', 'b.txt'].map((name) => call.say('', { file: new File(['content'], name) }));
  await expect.poll(() => sending.map(({ name }) => name)).toEqual(['a.txt']);
  sending[0]?.onProgress(0.5);
  expect(state().outgoing.map(({ file }) => file?.progress)).toEqual([0.5, 0]);

  call.takeBack(state().outgoing[0]?.id ?? '');
  await said[0];
  expect(sending[0]?.signal.aborted).toBe(true);
  await expect.poll(() => sending.map(({ name }) => name)).toEqual(['a.txt', 'b.txt']);
  sending[1]?.done();
  await said[1];
  expect(state().outgoing).toEqual([]);
  expect(state().conference?.messages).toHaveLength(1);
});

test('a file that was not sent says why, and keeps its place when it is sent again', async () => {
  const { call, ports, pushes, state } = await startedCall();
  last(pushes).snapshot(conferenceOf('alice', []));
  const { send } = ports.files;
  ports.files.send = () => Promise.reject(refused('FILE_KIND_REFUSED', 406, 'Not this kind.'));
  const file = new File(['content'], 'a.exe');
  await expect(call.say('', { file })).rejects.toThrow();
  const [failed] = state().outgoing;
  expect(failed).toMatchObject({ state: 'failed', why: 'Not this kind.', file: { content: file }, isFinal: true });
  ports.files.send = send;
  await call.say('', { id: failed?.id ?? '', file });
  expect(state().conference?.messages.map(({ id }) => id)).toEqual([failed?.id]);
});

test('joins, departures and raised hands are announced once, one’s own not', async () => {
  const { pushes, state } = await startedCall();
  const push = last(pushes);
  const { step } = commanded(controlOf([]), { verb: 'depart', termIds: [] }).event;
  push.snapshot(conferenceOf('alice', [terminalOf('alice')]));
  push.event({ type: 'terminalJoined', terminal: terminalOf('bob'), step });
  push.event({ type: 'terminalChanged', terminal: terminalOf('bob', { handRaisedAt: '2026-11-20T09:01:00.000Z' }) });
  push.event({ type: 'terminalChanged', terminal: terminalOf('bob', { handRaisedAt: '2026-11-20T09:01:00.000Z' }) });
  push.event({ type: 'terminalChanged', terminal: terminalOf('alice', { handRaisedAt: '2026-11-20T09:01:00.000Z' }) });
  push.event({ type: 'terminalLeft', termId: 'bob', step });
  expect(state().notices).toMatchObject([
    { kind: 'joined', name: 'bob' },
    { kind: 'handRaised', name: 'bob' },
    { kind: 'left', name: 'bob' },
  ]);
});

test('a source that the engine refuses is reported', async () => {
  const { sessions, state } = await startedCall();
  last(sessions).events.onRefused('screen', 'notAllowed');
  expect(state().notices).toMatchObject([{ kind: 'refused', source: 'screen', why: 'notAllowed' }]);
});

test('leaving closes everything, then tells the server', async () => {
  const { call, pushes, state, calls } = await startedCall();
  await call.leave();
  expect(state()).toMatchObject({ phase: 'over', end: 'left' });
  expect(last(pushes).closed).toBe(true);
  expect(calls).toEqual(['POST leave']);
});

test('a call that is over sends no more requests', async () => {
  const { call, sessions, calls } = await startedCall([admitted('second')]);
  await call.leave();
  await call.leave();
  last(sessions).end('lost');
  await pass(60_000);
  expect(calls).toEqual(['POST leave']);
});

test('a mode to save data applies to every session, and its end restores all pictures', async () => {
  const { call, sessions, state } = await startedCall([admitted('second')]);
  call.pictures.show('stage', [
    { key: 'T1', ask: 720 },
    { key: 'T2', ask: 180 },
  ]);
  call.setDataMode('low');
  expect(last(sessions)).toMatchObject({ mode: 'low', maxHeight: 180, layers: new Map([['T1', 180]]) });
  last(sessions).end('lost');
  await pass(10_000);
  expect(sessions).toHaveLength(2);
  expect(last(sessions)).toMatchObject({ mode: 'low', maxHeight: 180, layers: new Map([['T1', 180]]) });

  call.setDataMode('audio');
  expect(last(sessions)).toMatchObject({ mode: 'audio', layers: new Map() });
  call.setDataMode('full');
  expect(last(sessions)).toMatchObject({ mode: 'full', maxHeight: null });
  expect([...last(sessions).layers]).toEqual([
    ['T1', 720],
    ['T2', 180],
  ]);
  expect(state().dataMode).toBe('full');
});
