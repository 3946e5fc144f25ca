import { startRelay, startServer } from '@rmeet/testkit';
import { bookMeeting, expect, framesOf, join, longestPause, seesPeople, test } from './support.ts';

test.skip(process.env['RMEET_TEST_LIVEKIT_URL'] !== undefined, 'uses the port of the embedded engine');
test.skip(process.env['RMEET_TEST_TRANSPORT'] === 'datachannel', 'the native transport follows an address');

test('a page that only receives is without picture for at most a second when its address changes', async ({ open }) => {
  const server = await startServer({ env: { RMEET_MEDIA_PROCESSES: '1' } });
  const relay = await startRelay({ targetPort: server.run().media[0]?.udpPort ?? 0 });
  try {
    const { numericId: number, password } = await bookMeeting(await server.api.as('chair'), 'Ward round');
    const [alice, bob] = [await open('alice'), await open('bob')];
    await join(alice, server, { number, password, name: 'Alice' });
    await bob.addInitScript(relay.pageScript());
    await bob.goto(`${server.url}/#/join?${new URLSearchParams({ number, pwd: password, name: 'Bob' }).toString()}`);
    for (const device of ['preview-mic', 'preview-camera']) {
      await bob.getByTestId(device).click();
      await expect(bob.getByTestId(device)).toHaveAttribute('aria-pressed', 'false');
    }
    await bob.getByTestId('join-submit').click();
    await seesPeople(bob, ['alice']);
    const pause = await longestPause(bob, async () => {
      relay.rebind();
      const frames = await framesOf(bob);
      await expect.poll(() => framesOf(bob), { timeout: 10_000 }).toBeGreaterThan(frames + 30);
    });
    expect(pause).toBeLessThan(1_000);
    await expect(bob.getByTestId('call-banner')).toHaveCount(0);
  } finally {
    await relay.close();
    await server.stop();
  }
});
