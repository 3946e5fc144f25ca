import { afterAll, beforeAll, expect, test } from 'vitest';
import { bookMeeting, joinAsTerminal, startServer, until, type Api, type RunningServer } from '@rmeet/testkit';

let server: RunningServer;
let chair: Api;
beforeAll(async () => {
  server = await startServer();
  chair = await server.api.as('chair');
}, 90_000);
afterAll(() => server.stop());

/** Kills the current media processes; one that is starting has no id yet. */
function killMedia(): void {
  for (const { pid } of server.run().media) {
    try {
      if (pid !== undefined) process.kill(pid, 'SIGKILL');
    } catch {
      // It is dead already, and the supervisor has not recorded its successor.
    }
  }
}

test.skipIf(process.env['RMEET_TEST_LIVEKIT_URL'] !== undefined)(
  'a meeting whose media processes die repeatedly is abnormal, and recovers once they live',
  async () => {
    const { meetId, numericId } = await bookMeeting(chair, { muteOnEntry: true });
    const status = async () => (await chair.meetings.detail({ params: { id: meetId } })).status;
    const host = await joinAsTerminal(chair, server.url, { numericId, autoSubscribe: false });
    expect(await status()).toBe('ONLINE');
    await until(
      'the meeting is abnormal',
      async () => {
        killMedia();
        return (await status()) === 'ABNORMAL';
      },
      { within: 60_000 },
    );
    await until('the meeting runs again', async () => (await status()) === 'ONLINE', { within: 60_000 });
    await host.leave();
    await chair.conferences.end({ params: { meetId } });
    expect(await status()).toBe('OFFLINE');
  },
  150_000,
);
