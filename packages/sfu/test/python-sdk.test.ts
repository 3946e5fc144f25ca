import { PythonPeer, pythonSdkMissing, until } from '@rmeet/testkit';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Engine } from '../src/index.ts';
import { joinToken, startEngine } from './support/engine.ts';

const room = 'standup';
const missing = pythonSdkMissing();
const skipped = missing === undefined ? '' : ` (skipped: ${missing})`;

describe.skipIf(missing !== undefined).each([
  ['native', 'one connection', true],
  ['native', 'two connections', false],
  ['datachannel', 'one connection', true],
  ['datachannel', 'two connections', false],
] as const)(`LiveKit's Python SDK on the transport %s with %s${skipped}`, (transport, _connections, single) => {
  let engine: Engine;
  const peers: PythonPeer[] = [];
  beforeEach(async () => {
    engine = await startEngine({ transport });
  });
  afterEach(async () => {
    await Promise.all(peers.splice(0).map((peer) => peer.leave()));
    await engine.close();
  });

  async function join(identity: string): Promise<PythonPeer> {
    const peer = await PythonPeer.join(`ws://127.0.0.1:${engine.port}`, await joinToken(identity, room), { single });
    peers.push(peer);
    return peer;
  }

  async function gets(peer: PythonPeer, from: string): Promise<void> {
    const frames = (kind: string): number => peer.received(`${from} ${kind}`)?.frames ?? 0;
    const [audio, video] = [frames('audio'), frames('video')];
    await until(`frames of ${from} come`, () => frames('audio') > audio + 50 && frames('video') > video + 5);
    await until(`the tone of ${from} is heard`, () => peer.received(`${from} audio`)!.level > 500);
    expect(peer.received(`${from} video`)!.level).toBe(320);
  }

  it('sends and receives sound, pictures and data', async () => {
    const [alice, bob] = await Promise.all([join('alice'), join('bob')]);
    alice.publish();
    bob.publish();
    await Promise.all([gets(alice, 'bob'), gets(bob, 'alice')]);
    alice.say('for sure', { reliable: true, topic: 'chat' });
    await until('bob has the message', () => bob.messages.includes('alice chat for sure'));
    // a lossy message may be lost: it is sent until one arrives
    await until('alice has a lossy message', () => {
      bob.say('perhaps', { reliable: false, topic: 'cursor' });
      return alice.messages.includes('bob cursor perhaps');
    });
  });
});
