import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  bookMeeting,
  enterMeeting,
  joinAsTerminal,
  startServer,
  until,
  type RunningServer,
  type Terminal,
} from '../src/index.ts';

let server: RunningServer;
beforeAll(async () => {
  server = await startServer();
});
afterAll(() => server.stop());

const frames = (terminal: Terminal): number =>
  [...terminal.media.tracks.values()].reduce((sum, track) => sum + track.counters.frames, 0);

test('a member and a guest meet: pictures, the state of the conference, chat acknowledged', async () => {
  const chair = await server.api.as('chair');
  const meeting = await bookMeeting(chair);
  const host = await joinAsTerminal(chair, server.url, { numericId: meeting.numericId });
  const carol = await joinAsTerminal(server.api, server.url, {
    numericId: meeting.numericId,
    password: meeting.password,
    name: 'Carol',
  });
  await host.media.publishVideo({ colour: 'green' });
  await until('carol sees the chair', () => frames(carol) > 10);

  const topic = `meeting:${meeting.meetId}`;
  const names = await until('both are in the state', () => {
    const terminals = host.push.states.get(topic)?.terminals ?? [];
    return terminals.length === 2 && terminals.map((terminal) => terminal.name);
  });
  expect(names).toContain('Carol');

  await carol.api.conferences.chat({
    params: { meetId: meeting.meetId },
    body: { id: crypto.randomUUID(), text: 'Hello' },
  });
  await until('the chair reads it', () =>
    host.push.states.get(topic)?.messages.some((message) => message.text === 'Hello'),
  );
  await carol.leave();
  await until('the chair is alone', () => host.push.states.get(topic)?.terminals.length === 1);
  await host.leave();
});

test('a guest waits and is admitted', async () => {
  const chair = await server.api.as('chair');
  const meeting = await bookMeeting(chair, { password: '', waitingRoom: true });
  const host = await joinAsTerminal(chair, server.url, { numericId: meeting.numericId });
  const waiting = await enterMeeting(server.api, server.url, { numericId: meeting.numericId, name: 'Carol' });
  if (!('admitted' in waiting)) throw new Error('nobody waited');
  await host.api.conferences.admit({
    params: { meetId: meeting.meetId },
    body: { termIds: [waiting.termId], admit: true },
  });
  const carol = await waiting.admitted();
  expect(carol.media.ended).toBe(false);
  await carol.leave();
  await host.leave();
});

test('after a killed media process all are visible again automatically', async () => {
  const chair = await server.api.as('chair');
  const meeting = await bookMeeting(chair);
  const host = await joinAsTerminal(chair, server.url, { numericId: meeting.numericId });
  const carol = await joinAsTerminal(server.api, server.url, {
    numericId: meeting.numericId,
    password: meeting.password,
    name: 'Carol',
  });
  await host.media.publishVideo({ colour: 'green' });
  await until('carol sees the chair', () => frames(carol) > 10);
  const before = new Set(carol.media.tracks.values());
  const killed = server.kill('media');
  await until('a new media process runs', () => server.run().media[0]?.pid !== killed);
  await until('carol sees the chair again', () =>
    [...carol.media.tracks.values()].some((track) => !before.has(track) && track.counters.frames > 10),
  );
  await carol.leave();
  await host.leave();
});
