import { Participant } from '@rmeet/participant';
import { startCallBrowser, startRelay, until, type CallBrowser, type CallPage, type Relay } from '@rmeet/testkit';
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

it('a client that is not a browser is not asked to restart ICE when nothing reaches it for a second', async () => {
  const engine = await startEngine({ transport: 'native' });
  const relay = await startRelay({ targetPort: engine.udpPort });
  const connect = async (identity: string): Promise<Participant> =>
    await Participant.connect({
      url: `ws://127.0.0.1:${engine.port}`,
      token: await joinToken(identity, room),
      feedback: true,
      rewriteCandidate: relay.rewriteCandidate,
    });
  const [alice, bob] = [await connect('alice'), await connect('bob')];
  try {
    let left = false;
    bob.on('left', () => (left = true));
    await alice.publishRaw({ packetsPerSecond: 100, size: 500 });
    const received = (): number => [...bob.tracks.values()].reduce((sum, { counters }) => sum + counters.packets, 0);
    await until('media arrives', () => received() > 50);
    relay.down.impairment = { loss: 1 };
    const { lost } = relay.down.counters;
    await until('a second of it is lost', () => relay.down.counters.lost > lost + 100);
    relay.down.impairment = {};
    const before = received();
    await until('media arrives again', () => received() > before + 50);
    expect(left).toBe(false);
  } finally {
    alice.leave();
    bob.leave();
    await relay.close();
    await engine.close();
  }
});

/** What a user of one or two connections may miss of picture and sound when the address changes. */
const MISSED_MS = 1_000;
/**
 * Without anything that arrives, a browser's connection that only receives sends nothing but a report a second and a
 * check every 2.5 s: the engine cannot know its new port before. With two connections it offers an ICE restart, with
 * one it asks the client for one, which our page does (e2e/conferences/address.spec.ts).
 */
const UNTIL_CHECK_MS = 3_500;

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

  async function join(identity: string, script?: string, publishes = true): Promise<CallPage> {
    const page = await browser.open(identity, { camera: { width: 320, height: 180, frameRate: 15 } });
    if (script !== undefined) await page.page.evaluate(script);
    await page.run('join', `ws://127.0.0.1:${engine.port}`, await joinToken(identity, room), {});
    if (publishes) await page.run('publish');
    return page;
  }

  /** Alice is connected directly, bob through the relay. */
  async function meet(
    transport: 'native' | 'datachannel',
    { publishes = true } = {},
  ): Promise<[alice: CallPage, bob: CallPage]> {
    engine = await startEngine({ disableV1, transport });
    relay = await startRelay({ targetPort: engine.udpPort });
    const [alice, bob] = [await join('alice'), await join('bob', relay.pageScript(), publishes)];
    await Promise.all([...(publishes ? [alice.seesFrames('bob')] : []), bob.seesFrames('alice')]);
    return [alice, bob];
  }

  it('a client whose NAT changes its port is back within 15 s with node-datachannel', async () => {
    const [alice, bob] = await meet('datachannel');
    const started = performance.now();
    relay.rebind();
    await Promise.all([alice.seesFrames('bob', 30), bob.seesFrames('alice', 30)]);
    expect(performance.now() - started).toBeLessThan(15_000);
    expect((await bob.state()).connection).toBe('connected');
  });

  it('a client whose NAT changes its port again and again misses little of picture and sound', async () => {
    const [alice, bob] = await meet('native');
    await Promise.all([alice.hears('bob'), bob.hears('alice')]);
    await Promise.all([alice.run('watchGaps', 'bob'), bob.run('watchGaps', 'alice')]);
    for (let change = 0; change < 3; change += 1) {
      relay.rebind();
      await Promise.all([alice.seesFrames('bob', 30), bob.seesFrames('alice', 30)]);
    }
    for (const page of [alice, bob]) {
      const { video, audio } = await page.run<{ video: number; audio: number }>('endGaps');
      expect(Math.max(video, audio)).toBeLessThan(MISSED_MS);
    }
    expect((await bob.state()).connection).toBe('connected');
    expect(await bob.count('Reconnecting')).toBe(0);
  });

  it('so does one that only receives', async () => {
    const [, bob] = await meet('native', { publishes: false });
    await bob.hears('alice');
    await bob.run('watchGaps', 'alice');
    relay.rebind();
    await bob.seesFrames('alice', 60);
    const { video, audio } = await bob.run<{ video: number; audio: number }>('endGaps');
    expect(Math.max(video, audio)).toBeLessThan(disableV1 ? MISSED_MS : UNTIL_CHECK_MS);
  });
});
