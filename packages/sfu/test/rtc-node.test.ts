import { dispose } from '@livekit/rtc-node';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Engine } from '../src/index.ts';
import { startBrowser, type CallBrowser } from './support/call-page.ts';
import { joinToken, startEngine, until } from './support/engine.ts';
import { RtcNodeClient } from './support/rtc-node-client.ts';

const room = 'standup';
let browser: CallBrowser;
beforeAll(async () => {
  browser = await startBrowser();
});
afterAll(async () => {
  await browser.close();
  await dispose();
});

describe.each([
  ['/rtc/v1', false],
  ['/rtc, to which it falls back', true],
])('@livekit/rtc-node over %s', (_path, disableV1) => {
  let engine: Engine;
  let clients: RtcNodeClient[];
  const paths: unknown[] = [];

  beforeEach(async () => {
    clients = [];
    paths.splice(0);
    const log = (_level: string, message: string, fields: Record<string, unknown>) => {
      if (message === 'participant joins') paths.push(fields['path']);
    };
    engine = await startEngine({ disableV1, log });
  });
  afterEach(async () => {
    await Promise.all(clients.map((client) => client.leave()));
    await browser.clear();
    await engine.close();
  });

  async function join(identity: string): Promise<RtcNodeClient> {
    const client = new RtcNodeClient();
    clients.push(client);
    return await client.join(`ws://127.0.0.1:${engine.port}`, await joinToken(identity, room));
  }

  async function gets(client: RtcNodeClient, from: string): Promise<void> {
    const [audio, video] = [client.frames(`${from} audio`), client.frames(`${from} video`)];
    await until(
      `frames of ${from} come`,
      () => client.frames(`${from} audio`) > audio + 50 && client.frames(`${from} video`) > video + 5,
    );
    await until(`the tone of ${from} is heard`, () => client.received.get(`${from} audio`)!.level > 500);
  }

  it('sends and receives sound, pictures and data, in either order of joining', async () => {
    const alice = await join('alice');
    await alice.publish();
    const bob = await join('bob');
    await gets(bob, 'alice');
    await bob.publish();
    await gets(alice, 'bob');
    expect(bob.received.get('alice video')?.level).toBe(320);
    await bob.say('for sure', { reliable: true, topic: 'chat' });
    await until('alice has the message', () => alice.messages.length > 0);
    expect(alice.messages).toEqual(['bob chat for sure']);
    await until('alice is shown as speaking', () => bob.spoke.has('alice'));
    expect(paths).toEqual(disableV1 ? ['/rtc', '/rtc'] : ['/rtc/v1', '/rtc/v1']);
  });

  it('follows when tracks end and return, and accepts more of them than it had places for', async () => {
    const watcher = await join('watcher');
    const alice = await join('alice');
    const published = await alice.publish();
    await gets(watcher, 'alice');
    for (const { sid } of published) await alice.room.localParticipant!.unpublishTrack(sid!);
    await until('both tracks are gone', () => watcher.received.size === 0);
    await alice.publish();
    await gets(watcher, 'alice');
    for (const name of ['bob', 'carol', 'dan', 'eve']) await (await join(name)).publish();
    for (const name of ['bob', 'carol', 'dan', 'eve', 'alice']) await gets(watcher, name);
  });

  it('meets livekit-client in Chromium', async () => {
    const page = await browser.open('page');
    await page.run('join', `ws://127.0.0.1:${engine.port}`, await joinToken('page', room), {});
    await page.run('publish');
    const bob = await join('bob');
    await bob.publish();
    await gets(bob, 'page');
    await Promise.all([page.seesFrames('bob'), page.hears('bob')]);
    await page.run('send', 'hello', { reliable: true, topic: 'chat' });
    await until('bob has the message', () => bob.messages.includes('page chat hello'));
  });
});
