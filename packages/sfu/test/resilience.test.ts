import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join as joinPath } from 'node:path';
import { TcpProxy } from '@rmeet/testkit';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { Engine } from '../src/index.ts';
import { startBrowser, type CallBrowser, type CallPage } from './support/call-page.ts';
import { joinToken, startEngine, until } from './support/engine.ts';

const room = 'standup';
let browser: CallBrowser;
beforeAll(async () => {
  browser = await startBrowser();
});
afterAll(async () => {
  await browser.close();
});
afterEach(async () => {
  await browser.clear();
});

async function join(identity: string, port: number): Promise<CallPage> {
  const page = await browser.open(identity);
  await page.run('join', `ws://127.0.0.1:${port}`, await joinToken(identity, room), {});
  await page.run('publish');
  return page;
}

describe.each([
  ['/rtc/v1', false],
  ['/rtc', true],
])('over %s', (_path, disableV1) => {
  describe('signalling through a proxy that dies', () => {
    let engine: Engine;
    let proxy: TcpProxy;
    afterEach(async () => {
      await proxy.stop();
      await engine.close();
    });

    it('media continue, then signalling is resumed', async () => {
      engine = await startEngine({ disableV1 });
      proxy = new TcpProxy(engine.port);
      await proxy.start();
      const alice = await join('alice', proxy.port);
      const bob = await join('bob', proxy.port);
      await Promise.all([alice.seesFrames('bob'), bob.seesFrames('alice')]);
      const { sid } = await alice.state();

      await proxy.stop();
      await until(
        'both have noticed',
        async () => (await alice.count('SignalReconnecting')) + (await bob.count('SignalReconnecting')) >= 2,
      );
      await Promise.all([alice.seesFrames('bob', 30), bob.seesFrames('alice', 30)]);
      await proxy.start();
      for (const page of [alice, bob])
        await until('resumed', async () => (await page.count('Reconnected')) === 1, 30_000);
      await Promise.all([alice.seesFrames('bob', 30), bob.seesFrames('alice', 30)]);
      expect(await alice.state()).toMatchObject({ sid, connection: 'connected' });
      expect(await alice.count('Reconnecting')).toBe(0);
      expect(engine.metrics()).toContain('rmeet_sfu_resumes_total 2');
      await alice.run('unpublishVideo');
      await until('signalling works again', async () => (await bob.count('TrackUnsubscribed')) === 1);
      await alice.run('setCamera', true);
      await bob.seesFrames('alice');
    });
  });

  describe('the engine killed and started again on its ports', () => {
    let child: ChildProcess;
    afterEach(async () => {
      if (child.exitCode !== null || child.signalCode !== null) return;
      const exit = once(child, 'exit');
      child.kill('SIGKILL');
      await exit;
    });

    async function launch(port: number, udpPort: number): Promise<{ port: number; udpPort: number }> {
      child = fork(
        joinPath(import.meta.dirname, 'support', 'engine-process.ts'),
        [String(port), String(udpPort), String(disableV1)],
        { execArgv: [] },
      );
      const [message] = await once(child, 'message');
      return message as { port: number; udpPort: number };
    }

    it('all participants return automatically', async () => {
      const { port, udpPort } = await launch(0, 0);
      const alice = await join('alice', port);
      const bob = await join('bob', port);
      await Promise.all([alice.seesFrames('bob'), bob.seesFrames('alice')]);
      const exit = once(child, 'exit');
      child.kill('SIGKILL');
      await exit;
      await launch(port, udpPort);
      for (const page of [alice, bob]) await until('back', async () => (await page.count('Reconnected')) === 1, 30_000);
      await Promise.all([alice.seesFrames('bob'), bob.seesFrames('alice')]);
    });
  });
});
