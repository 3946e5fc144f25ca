import { TcpProxy, until, type CallPage } from '@rmeet/testkit';
import { expect, meets, people, test } from './support.ts';

/** Maximum time without a new frame and without audio that users would not notice, on a busy machine: ms. */
const UNNOTICED_MS = 700;

const again = (page: CallPage): Promise<void> => page.isTold('Reconnected', 30_000);

test('a lost signalling connection is resumed, and media continue meanwhile', async ({ room }) => {
  const alice = await room.join('alice', { publish: true });
  const bob = await room.join('bob', { publish: true });
  await meets(bob, 'alice');
  await meets(alice, 'bob');
  const sids = [(await alice.state()).sid, (await bob.state()).sid];
  await bob.run('watchGaps', 'alice');
  await alice.run('watchGaps', 'bob');
  for (const page of [alice, bob]) {
    await page.run('simulate', 'signal-reconnect');
    await again(page);
  }
  for (const page of [alice, bob]) {
    const gaps = await page.run<{ video: number; audio: number }>('endGaps');
    expect(gaps.video).toBeLessThan(UNNOTICED_MS);
    expect(gaps.audio).toBeLessThan(UNNOTICED_MS);
    expect((await page.state()).events).not.toContain('TrackUnsubscribed');
    expect((await page.state()).events).not.toContain('Reconnecting');
  }
  expect([(await alice.state()).sid, (await bob.state()).sid]).toEqual(sids);
  await alice.run('mute', 'microphone', true);
  await bob.isTold('TrackMuted microphone alice');
});

for (const [scenario, what] of [
  ['full-reconnect', 'a client that starts again'],
  ['migration', 'a client that is sent to another server'],
  ['node-failure', 'a client whose server fails'],
] as const) {
  test(`${what} reconnects with all that it sent and received`, async ({ room }) => {
    const alice = await room.join('alice', { publish: true });
    const bob = await room.join('bob', { publish: true });
    await meets(bob, 'alice');
    await meets(alice, 'bob');
    const { sid } = await alice.state();
    await alice.run('simulate', scenario);
    await alice.isTold('Reconnecting');
    await again(alice);
    await meets(alice, 'bob');
    await meets(bob, 'alice');
    expect((await alice.state()).sid).not.toBe(sid);
    expect((await bob.knows('alice'))!.tracks.length).toBe(2);
    expect((await room.api.listParticipants(room.name)).map(({ identity }) => identity).toSorted()).toEqual([
      'alice',
      'bob',
    ]);
  });
}

test('a resumed client receives what changed in the meantime', async ({ room, engine }) => {
  const proxy = new TcpProxy(Number(new URL(engine.url).port));
  await proxy.start();
  try {
    const bob = await room.join('bob', { url: `ws://127.0.0.1:${proxy.port}`, publish: true });
    const alice = await room.join('alice', { publish: true, grant: { canUpdateOwnMetadata: true } });
    const dora = await room.joinHeadless('dora');
    await meets(bob, 'alice');
    await meets(alice, 'bob');
    await proxy.stop();
    await bob.isTold('SignalReconnecting');
    await bob.run('watchGaps', 'alice');
    await alice.run('mute', 'microphone', true);
    await alice.run('local', 'setName', 'Dr. A.');
    await alice.run('publishPicture', '#e0c020', { width: 160, height: 120 }, { name: 'second' });
    await room.api.updateRoomMetadata(room.name, '{"phase":2}');
    dora.leave();
    const carol = await room.join('carol', { publish: true });
    await meets(carol, 'bob');
    const gaps = await bob.run<{ video: number }>('endGaps');
    expect(gaps.video).toBeLessThan(UNNOTICED_MS);
    await proxy.start();
    await again(bob);
    await until('bob knows all of it', async () => {
      const { metadata, remotes } = await bob.state();
      return metadata === '{"phase":2}' && JSON.stringify(remotes) === '{"alice":"Dr. A.","carol":"carol"}';
    });
    await bob.sees('alice', '#e0c020', { width: 160 });
    await meets(bob, 'carol');
    expect((await bob.knows('alice'))!.tracks.find(({ source }) => source === 'microphone')!.muted).toBe(true);
    expect((await bob.state()).events).not.toContain('Reconnecting');
  } finally {
    await proxy.stop();
  }
});

test('a participant who muted while disconnected stays muted for the others', async ({ room, engine }) => {
  const proxy = new TcpProxy(Number(new URL(engine.url).port));
  await proxy.start();
  try {
    const bob = await room.join('bob', { url: `ws://127.0.0.1:${proxy.port}`, publish: true });
    const alice = await room.join('alice', { publish: true });
    await meets(alice, 'bob');
    await proxy.stop();
    await bob.isTold('SignalReconnecting');
    await bob.run('mute', 'microphone', true);
    await proxy.start();
    await again(bob);
    await alice.isTold('TrackMuted microphone bob');
    await until('there is silence', async () => (await alice.sounds()).length === 0);
    await bob.run('mute', 'microphone', false);
    await alice.hears('bob', people.bob.tone);
  } finally {
    await proxy.stop();
  }
});

test('the last participant with an identity keeps it, and the earlier one is disconnected', async ({ room }) => {
  const first = await room.join('alice', { publish: true });
  const bob = await room.join('bob');
  await meets(bob, 'alice');
  const second = await room.join('carol', { identity: 'alice', publish: true });
  await first.isTold('Disconnected 2');
  await bob.sees('alice', people.carol.colour);
  await bob.hears('alice', people.carol.tone);
  expect((await bob.state()).remotes).toEqual({ alice: 'alice' });
  expect((await bob.pictures()).length).toBe(1);
  expect((await second.state()).connection).toBe('connected');
});

test('a client that the server sends away does not return', async ({ room }) => {
  const alice = await room.join('alice', { publish: true });
  const bob = await room.join('bob');
  await meets(bob, 'alice');
  await alice.run('simulate', 'server-leave');
  await bob.isTold('ParticipantDisconnected alice');
  await until('alice is out', async () => (await alice.state()).connection === 'disconnected');
});
