import { Participant } from '@rmeet/participant';
import {
  startCallBrowser,
  startRelay,
  until,
  type CallBrowser,
  type CallPage,
  type Impairment,
  type Relay,
} from '@rmeet/testkit';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { Engine } from '../src/index.ts';
import { joinToken, startEngine } from './support/engine.ts';

const room = 'hall';
/** Messages of 10 kB are several SCTP packets each; all of them are within what one client may send at once. */
const MESSAGES = 80;
const BYTES = 10_000;

const PATHS: [name: string, impairment: Impairment][] = [
  ['loses 5 %', { loss: 0.05, delay: 10 }],
  ['loses 10 %', { loss: 0.1, delay: 10 }],
  ['reorders, repeats and loses packets', { loss: 0.02, reorder: 0.1, duplicate: 0.1, delay: 5, jitter: 10 }],
];

/** The UDP payload of the longest packet on a path with this MTU, with an IPv6 header. */
const payloadOf = (mtu: number): number => mtu - 48;

let engine: Engine;
let relay: Relay;
const cleanUp: (() => unknown)[] = [];
afterEach(async () => {
  for (const undo of cleanUp.splice(0).toReversed()) await undo();
});

async function prepare(transport: 'native' | 'datachannel', impairment: Impairment): Promise<void> {
  engine = await startEngine({ transport });
  cleanUp.push(() => engine.close());
  relay = await startRelay({ targetPort: engine.udpPort, up: impairment, down: impairment });
  cleanUp.push(relay.close);
}

/** Joins through the relay; `received` lists the numbers of the messages that arrive. */
async function participant(identity: string): Promise<{ person: Participant; received: number[] }> {
  const person = await Participant.connect({
    url: `ws://127.0.0.1:${engine.port}`,
    token: await joinToken(identity, room),
    rewriteCandidate: relay.rewriteCandidate,
    askAgain: true,
  });
  cleanUp.push(() => person.leave());
  const received: number[] = [];
  person.on('data', ({ payload }) => {
    if (payload.length === BYTES) received.push(Buffer.from(payload).readUInt32BE(0));
  });
  return { person, received };
}

async function sendAll(person: Participant): Promise<void> {
  const message = Buffer.alloc(BYTES, 7);
  for (let n = 0; n < MESSAGES; n += 1) {
    message.writeUInt32BE(n, 0);
    await person.sendData(message);
  }
}

const inOrder = Array.from({ length: MESSAGES }, (_, n) => n);

it.each([
  ...PATHS.map(([name, impairment]) => ['native', name, impairment] as const),
  ['datachannel', ...PATHS.at(-1)!] as const,
])(
  'on the transport %s reliable data of participants arrives once and in order on a path that %s',
  async (transport, _name, impairment) => {
    await prepare(transport, impairment);
    const [alice, bob] = await Promise.all([participant('alice'), participant('bob')]);
    await Promise.all([sendAll(alice.person), sendAll(bob.person)]);
    await until('all messages are there', () => alice.received.length >= MESSAGES && bob.received.length >= MESSAGES, {
      within: 45_000,
    });
    expect([alice.received, bob.received]).toEqual([inOrder, inOrder]);
    expect(relay.down.counters.lost).toBeGreaterThan(10);
  },
);

describe('Chromium on the native transport', () => {
  let browser: CallBrowser;
  beforeAll(async () => {
    browser = await startCallBrowser();
  });
  afterAll(async () => {
    await browser.close();
  });
  afterEach(async () => {
    await browser.clear();
  });

  async function join(identity: string): Promise<CallPage> {
    const page = await browser.open(identity, { camera: { width: 640, height: 360, frameRate: 15 } });
    await page.page.evaluate(relay.pageScript());
    await page.run('join', `ws://127.0.0.1:${engine.port}`, await joinToken(identity, room), {});
    return page;
  }

  const texts = inOrder.map((n) => `${n} ${'x'.repeat(BYTES)}`);

  it.each(PATHS)(
    'gets reliable data once and in order on a path that %s, and gives it so',
    async (_name, impairment) => {
      await prepare('native', impairment);
      const [alice, bob] = await Promise.all([join('alice'), join('bob')]);
      const send = { reliable: true, topic: 'chat' };
      await Promise.all([alice.run('sendAll', texts, send), bob.run('sendAll', texts, send)]);
      const numbers = async (page: CallPage): Promise<number[]> =>
        (await page.state()).messages.map((line) => Number(line.split(' ')[3]));
      for (const page of [alice, bob]) {
        await until('all messages are there', async () => (await numbers(page)).length >= MESSAGES, { within: 45_000 });
        expect(await numbers(page)).toEqual(inOrder);
      }
    },
  );

  it.each([1_280, 1_400])('meets on a path whose MTU is %s bytes and that reports no error', async (mtu) => {
    await prepare('native', { longest: payloadOf(mtu) });
    const [alice, bob] = await Promise.all([join('alice'), join('bob')]);
    await Promise.all([alice.run('publish'), bob.run('publish')]);
    await Promise.all([alice.seesFrames('bob'), bob.seesFrames('alice'), alice.hears('bob'), bob.hears('alice')]);
    await alice.run('sendAll', texts.slice(0, 10), { reliable: true, topic: 'chat' });
    await until('the messages are there', async () => (await bob.state()).messages.length >= 10);
    expect((await bob.stream('video', 'alice'))!.lost).toBe(0);
  });
});
