import { createSocket, type Socket } from 'node:dgram';
import { once } from 'node:events';
import { start } from '@rmeet/sfu';
import { Participant } from '@rmeet/participant';
import { AccessToken } from 'livekit-server-sdk';
import { afterEach, expect, test, vi } from 'vitest';
import { BadLink, startRelay, transportOption, until, type Impairment, type Relay } from '../src/index.ts';

const cleanUp: (() => unknown)[] = [];
afterEach(async () => {
  for (const undo of cleanUp.splice(0).toReversed()) await undo();
});

async function socket(host: string): Promise<Socket> {
  const made = createSocket('udp4');
  made.bind(0, host);
  await once(made, 'listening');
  cleanUp.push(() => made.close());
  return made;
}

/**
 * Sends `count` numbered packets through a relay to a server that returns them; returns the numbers received, in order.
 */
async function echoes(
  count: number,
  options: { up?: Impairment; down?: Impairment; seed?: number },
  expected: number,
): Promise<number[]> {
  const server = await socket('127.0.0.1');
  server.on('message', (packet, { port, address }) => server.send(packet, port, address));
  const relay = await startRelay({ host: '127.0.0.1', targetPort: server.address().port, ...options });
  cleanUp.push(relay.close);
  const client = await socket('127.0.0.1');
  const back: number[] = [];
  client.on('message', (packet) => back.push(packet.readUInt16BE(0)));
  for (let n = 0; n < count; n++) {
    const packet = Buffer.alloc(200);
    packet.writeUInt16BE(n, 0);
    client.send(packet, relay.port, '127.0.0.1');
    if (n % 20 === 0) await new Promise((resolve) => setImmediate(resolve));
  }
  await until('everything that was not lost is back', () => {
    const done =
      relay.up.counters.forwarded + relay.up.counters.lost === count &&
      relay.down.counters.forwarded === back.length &&
      back.length >= expected;
    return done || undefined;
  });
  return back;
}

test('without impairment everything passes, in order', async () => {
  const all = Array.from({ length: 200 }, (_, n) => n);
  expect(await echoes(200, {}, 200)).toEqual(all);
});

test('the same seed loses the same packets, at about the given rate', async () => {
  const first = await echoes(1_000, { up: { loss: 0.2 }, seed: 7 }, 1);
  const second = await echoes(1_000, { up: { loss: 0.2 }, seed: 7 }, 1);
  const other = await echoes(1_000, { up: { loss: 0.2 }, seed: 8 }, 1);
  expect(second).toEqual(first);
  expect(other).not.toEqual(first);
  expect(first.length).toBeGreaterThan(750);
  expect(first.length).toBeLessThan(850);
});

test('reordered packets come late, jitter alone keeps the order', async () => {
  const jittered = await echoes(100, { up: { jitter: 30 } }, 100);
  expect(jittered).toEqual([...jittered].sort((a, b) => a - b));
  const reordered = await echoes(100, { up: { reorder: 0.2, delay: 1 } }, 100);
  expect(reordered).not.toEqual([...reordered].sort((a, b) => a - b));
});

test('duplicates arrive twice, and packets that are too long do not arrive', () => {
  vi.useFakeTimers();
  try {
    const link = new BadLink({ duplicate: 0.2, longest: 1_000 }, 1);
    const arrived: number[] = [];
    for (let n = 0; n < 100; n++) link.pass(n === 50 ? 1_001 : 1_000, () => arrived.push(n));
    vi.advanceTimersByTime(100);
    expect([new Set(arrived).size, arrived.includes(50), link.counters.lost]).toEqual([99, false, 1]);
    expect(arrived.length).toBe(link.counters.forwarded);
    expect(arrived.length).toBeGreaterThan(110);
  } finally {
    vi.useRealTimers();
  }
});

test('a narrow link passes what fits into its queue', () => {
  const link = new BadLink({ bandwidth: 1_000_000 }, 1);
  // 200 ms at 1 Mbit/s are 25,000 bytes.
  for (let n = 0; n < 100; n++) link.pass(1_000, () => undefined);
  link.close();
  expect(link.counters).toEqual({ forwarded: 25, lost: 75 });
});

test('only candidates of the engine use the relay', async () => {
  const relay = await startRelay({ host: '127.0.0.1', targetPort: 7_882 });
  cleanUp.push(relay.close);
  expect(relay.rewriteCandidate('candidate:1 1 UDP 2114977791 192.0.2.9 7882 typ host')).toBe(
    `candidate:1 1 UDP 2114977791 127.0.0.1 ${relay.port} typ host`,
  );
  expect(relay.rewriteCandidate('candidate:1 1 UDP 2114977791 192.0.2.9 5000 typ host')).toContain('192.0.2.9 5000');
});

/** Alice sends directly to an engine, bob through a relay. */
async function watchThrough(
  down: Impairment,
  askAgain: boolean,
): Promise<{ relay: Relay; counters: Participant['tracks'] }> {
  const keys = { apiKey: 'test', apiSecret: 'a secret of the tests of at least 32 bytes' };
  const engine = await start({ host: '127.0.0.1', port: 0, udpPort: 0, ...transportOption(), ...keys });
  cleanUp.push(() => engine.close());
  const relay = await startRelay({ targetPort: engine.udpPort, down: {} });
  cleanUp.push(relay.close);
  const join = async (identity: string, options: object): Promise<Participant> => {
    const token = new AccessToken(keys.apiKey, keys.apiSecret, { identity });
    token.addGrant({ room: 'relay', roomJoin: true });
    const participant = await Participant.connect({
      url: `ws://127.0.0.1:${engine.port}`,
      token: await token.toJwt(),
      ...options,
    });
    cleanUp.push(() => participant.leave());
    return participant;
  };
  const alice = await join('alice', {});
  const bob = await join('bob', { rewriteCandidate: relay.rewriteCandidate, askAgain });
  relay.down.impairment = down;
  await alice.publishRaw({ packetsPerSecond: 200, size: 500 });
  return { relay, counters: bob.tracks };
}

test('a participant behind the relay counts its losses', async () => {
  const { relay, counters } = await watchThrough({ loss: 0.1 }, false);
  await until(
    'enough packets',
    () => [...counters.values()].some((track) => track.counters.packets > 500) || undefined,
  );
  const [track] = counters.values();
  const { lost, packets } = track!.counters;
  expect(relay.down.counters.lost).toBeGreaterThan(20);
  expect(lost / (lost + packets)).toBeGreaterThan(0.05);
  expect(lost / (lost + packets)).toBeLessThan(0.15);
});

test('a participant that requests repeats gets nearly everything', async () => {
  const { relay, counters } = await watchThrough({ loss: 0.05, delay: 10 }, true);
  await until(
    'enough packets',
    () => [...counters.values()].some((track) => track.counters.packets > 500) || undefined,
  );
  const [track] = counters.values();
  const { lost, packets } = track!.counters;
  expect(relay.down.counters.lost).toBeGreaterThan(10);
  expect(lost / (lost + packets)).toBeLessThan(0.02);
});
