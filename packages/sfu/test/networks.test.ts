import { startCallBrowser, startRelay, type CallBrowser, type CallPage, type Relay } from '@rmeet/testkit';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { Engine } from '../src/index.ts';
import { joinToken, startEngine } from './support/engine.ts';

const room = 'hall';
let browser: CallBrowser;
beforeAll(async () => {
  browser = await startCallBrowser();
});
afterAll(async () => {
  await browser.close();
});

describe.each([
  ['/rtc/v1', false],
  ['/rtc', true],
])('over %s, with a relay in between', (_path, disableV1) => {
  let engine: Engine;
  let relay: Relay;
  afterEach(async () => {
    await browser.clear();
    await relay.close();
    await engine.close();
  });

  async function join(identity: string, script?: string): Promise<CallPage> {
    const page = await browser.open(identity, { camera: { width: 320, height: 180, frameRate: 15 } });
    if (script !== undefined) await page.page.evaluate(script);
    await page.run('join', `ws://127.0.0.1:${engine.port}`, await joinToken(identity, room), {});
    await page.run('publish');
    return page;
  }

  async function meet(): Promise<[CallPage, CallPage]> {
    engine = await startEngine({ disableV1 });
    relay = await startRelay({ targetPort: engine.udpPort });
    const [alice, bob] = [await join('alice'), await join('bob', relay.pageScript())];
    await Promise.all([alice.seesFrames('bob'), bob.seesFrames('alice')]);
    return [alice, bob];
  }

  it('a client whose NAT changes its port is back within 15 s', async () => {
    const [alice, bob] = await meet();
    const started = performance.now();
    relay.rebind();
    await Promise.all([alice.seesFrames('bob', 30), bob.seesFrames('alice', 30)]);
    expect(performance.now() - started).toBeLessThan(15_000);
    expect((await bob.state()).connection).toBe('connected');
  });
});
