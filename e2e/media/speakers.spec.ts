import { until, type CallPage } from '@rmeet/testkit';
import { expect, test } from './support.ts';

/** Waits until these are the active speakers, the loudest first. */
async function knowsSpeakers(page: CallPage, ...identities: string[]): Promise<{ identity: string; level: number }[]> {
  return until(`${page.identity} knows that ${identities.join(', ') || 'nobody'} speaks`, async () => {
    const { speakers } = await page.state();
    if (speakers.map(({ identity }) => identity).join() === identities.join()) return speakers;
    throw new Error(JSON.stringify(speakers));
  });
}

test('all participants learn who speaks, and when they stop', async ({ room }) => {
  const bob = await room.join('bob');
  const alice = await room.join('alice', { publish: true });
  await knowsSpeakers(bob, 'alice');
  expect(await bob.knows('alice')).toMatchObject({ isSpeaking: true });
  await knowsSpeakers(alice, 'alice');
  await alice.run('setLoudness', 0);
  await knowsSpeakers(bob);
  expect(await bob.knows('alice')).toMatchObject({ isSpeaking: false });
  await alice.run('setLoudness', 0.4);
  await knowsSpeakers(bob, 'alice');
});

test('louder speakers come first, with a higher level', async ({ room }) => {
  const carol = await room.join('carol');
  const alice = await room.join('alice', { publish: true });
  const bob = await room.join('bob', { publish: true });
  await bob.run('setLoudness', 0.05);
  const [loud, soft] = await knowsSpeakers(carol, 'alice', 'bob');
  expect(loud!.level).toBeGreaterThan(soft!.level);
  expect(soft!.level).toBeGreaterThan(0);
  expect(loud!.level).toBeLessThanOrEqual(1);
  await bob.run('setLoudness', 0.4);
  await alice.run('setLoudness', 0.05);
  await knowsSpeakers(carol, 'bob', 'alice');
});

test('a participant who is muted or without microphone counts as silent', async ({ room }) => {
  const bob = await room.join('bob');
  const alice = await room.join('alice', { publish: true });
  const dora = await room.joinHeadless('dora');
  const track = await dora.publishAudio({ tone: 500 });
  await until('both speak', async () => (await bob.state()).speakers.length === 2);
  dora.mute(track, true);
  await knowsSpeakers(bob, 'alice');
  await alice.run('unpublish', 'microphone');
  await knowsSpeakers(bob);
});

test('silence and low noise do not count as speech', async ({ room }) => {
  const bob = await room.join('bob');
  const alice = await room.join('alice', { publish: true });
  await alice.run('setLoudness', 0.0005);
  const dora = await room.joinHeadless('dora');
  await dora.publishAudio({ tone: 'silence' });
  await knowsSpeakers(bob);
  await bob.page.waitForTimeout(1_000);
  await knowsSpeakers(bob);
});

test('all participants learn how good the connections are', async ({ room }) => {
  const [alice, bob] = [await room.join('alice', { publish: true }), await room.join('bob', { publish: true })];
  for (const page of [alice, bob]) {
    await until('both connections are excellent', async () => {
      const { me, others } = await page.state();
      return me.quality === 'excellent' && others.every(({ quality }) => quality === 'excellent');
    });
  }
});
