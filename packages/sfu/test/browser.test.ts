import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Engine } from '../src/index.ts';
import { startBrowser, type CallBrowser, type CallPage } from './support/call-page.ts';
import { joinToken, roomService, startEngine, TrackSource, until, type TokenOptions } from './support/engine.ts';

const room = 'standup';
let browser: CallBrowser;
beforeAll(async () => {
  browser = await startBrowser();
});
afterAll(async () => {
  await browser.close();
});

describe.each([
  ['/rtc/v1, one peer connection', false],
  ['/rtc, two peer connections', true],
])('livekit-client over %s', (_name, disableV1) => {
  let engine: Engine;

  beforeEach(async () => {
    engine = await startEngine({ disableV1 });
  });
  afterEach(async () => {
    await browser.clear();
    await engine.close();
  });

  async function join(identity: string, options: TokenOptions = {}): Promise<CallPage> {
    const page = await browser.open(identity);
    await page.run('join', `ws://127.0.0.1:${engine.port}`, await joinToken(identity, room, options), {});
    return page;
  }

  it('lets two people see and hear each other, exchange data and see who speaks', async () => {
    const alice = await join('alice');
    await alice.run('publish');
    const bob = await join('bob');
    await bob.run('publish');
    await Promise.all([alice.seesFrames('bob'), bob.seesFrames('alice'), alice.hears('bob'), bob.hears('alice')]);
    await alice.run('send', 'hello', { reliable: true, topic: 'chat' });
    await alice.run('send', 'hello', { reliable: false, topic: 'chat' });
    await until('bob has both messages', async () => (await bob.state()).messages.length === 2);
    expect((await bob.state()).messages.toSorted()).toEqual(['alice lossy chat hello', 'alice reliable chat hello']);
    await until('alice is told that bob speaks', async () => (await alice.state()).spoke.includes('bob'));
    expect(engine.metrics()).toContain('rmeet_sfu_participants 2');
    await alice.run('leave');
    await until('bob knows that alice left', async () => (await bob.count('ParticipantDisconnected')) === 1);
  });

  it('sends data only to those it is for, and the server API to whom it names', async () => {
    const [alice, bob, carol] = [await join('alice'), await join('bob'), await join('carol')];
    await alice.run('send', 'for bob', { reliable: true, destinationIdentities: ['bob'] });
    await roomService(engine).sendData(room, new TextEncoder().encode('note'), 0, { destinationIdentities: ['bob'], topic: 'desk' });
    await until('bob has what is for him', async () => (await bob.state()).messages.length === 2);
    await alice.run('send', 'for all', { reliable: true });
    await until('carol has the message for all', async () => (await carol.state()).messages.length > 0);
    expect((await carol.state()).messages).toEqual(['alice reliable  for all']);
    expect((await bob.state()).messages).toContain('server reliable desk note');
  });

  it('follows mute, unpublish, publish again and screen share', async () => {
    const alice = await join('alice');
    await alice.run('publish');
    const bob = await join('bob');
    await bob.seesFrames('alice');
    await alice.run('setMicrophone', false);
    await until('bob knows that alice is muted', async () => (await bob.count('TrackMuted')) === 1);
    await alice.run('setMicrophone', true);
    await until('bob knows that alice is back', async () => (await bob.count('TrackUnmuted')) === 1);
    await alice.run('unpublishVideo');
    await until('bob lost the video', async () => (await bob.count('TrackUnsubscribed')) === 1);
    await alice.run('setCamera', true);
    await bob.seesFrames('alice');
    await alice.run('share');
    await until('bob sees the screen', async () =>
      (await bob.received()).some((entry) => entry.source === 'screen_share' && entry.frameWidth === 800 && entry.framesDecoded > 5));
  });

  it('sends the simulcast layer the subscriber asks for, and nothing to who unsubscribes', async () => {
    const alice = await join('alice');
    await alice.run('publish');
    const bob = await join('bob');
    for (const [quality, width] of [[2, 1280], [0, 320], [1, 640], [2, 1280]]) {
      await bob.run('setQuality', quality);
      await until(`bob receives ${width} pixels`, async () => (await bob.stream('video', 'alice'))?.frameWidth === width);
    }
    await bob.run('setSubscribed', false);
    await until('bob receives nothing', async () => (await bob.received()).length === 0);
    await bob.run('setSubscribed', true);
    await bob.seesFrames('alice');
  });

  it('takes what the server API does to media', async () => {
    const alice = await join('alice');
    await alice.run('publish');
    const bob = await join('bob');
    await bob.seesFrames('alice');
    const service = roomService(engine);
    const all = { canPublish: true, canSubscribe: true, canPublishData: true };

    await service.updateParticipant(room, 'bob', { permission: { ...all, canSubscribe: false } });
    await until('bob receives nothing', async () => (await bob.count('TrackUnsubscribed')) === 2);
    await service.updateParticipant(room, 'bob', { permission: all });
    await bob.seesFrames('alice');

    const { tracks } = await service.getParticipant(room, 'alice');
    const microphone = tracks.find((track) => track.source === TrackSource.MICROPHONE)!;
    await service.mutePublishedTrack(room, 'alice', microphone.sid, true);
    await until('alice is muted', async () => !(await alice.state()).microphone);
    await expect(service.mutePublishedTrack(room, 'alice', microphone.sid, false)).rejects.toThrow('remote unmute not enabled');

    await service.updateParticipant(room, 'alice', { permission: { ...all, canPublishSources: [TrackSource.MICROPHONE] } });
    await until('the camera is off air', async () => (await bob.count('TrackUnsubscribed')) === 3);
    await expect(alice.run('setCamera', true)).rejects.toThrow(/permission/i);

    await service.updateRoomMetadata(room, '{"phase":1}');
    await until('bob has the room metadata', async () => (await bob.state()).metadata === '{"phase":1}');
    await service.removeParticipant(room, 'bob');
    await until('bob is out', async () => (await bob.state()).events.includes('Disconnected 4'));
    await until('alice knows', async () => (await alice.count('ParticipantDisconnected')) === 1);
    await service.deleteRoom(room);
    await until('alice is out', async () => (await alice.state()).events.includes('Disconnected 5'));
  });

  it('gives an identity to the last who comes; honours hidden, names and subscription permissions', async () => {
    const alice = await join('alice', { canUpdateOwnMetadata: true });
    await alice.run('publish');
    const bob = await join('bob');
    const listener = await join('server', { hidden: true });
    await Promise.all([bob.seesFrames('alice'), listener.seesFrames('alice')]);
    expect(Object.keys((await alice.state()).remotes)).toEqual(['bob']);
    await alice.run('setName', 'Alice A.');
    await until('bob has the new name', async () => (await bob.state()).remotes['alice'] === 'Alice A.');
    await alice.run('allowSubscribers', false, [{ participantIdentity: 'server', allowAll: true }]);
    await until('bob lost both tracks', async () => (await bob.received()).length === 0);
    await listener.seesFrames('alice');
    await alice.run('allowSubscribers', true);
    await bob.seesFrames('alice');
    await join('bob');
    await until('the first bob is out', async () => (await bob.state()).events.includes('Disconnected 2'));
  });

  it.each(['vp9', 'h264', 'av1'])('carries %s', async (codec) => {
    const alice = await join('alice');
    await alice.run('publish', { videoCodec: codec, backupCodec: false });
    const bob = await join('bob');
    await bob.seesFrames('alice', 5);
    expect((await bob.stream('video', 'alice'))?.codec.toLowerCase()).toBe(`video/${codec}`);
  });
});
