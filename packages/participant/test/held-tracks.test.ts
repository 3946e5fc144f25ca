import { TrackSource } from 'livekit-server-sdk';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { PublishRefused, type Participant, type RemoteTrack } from '../src/index.ts';
import { startEngine, type TestEngine } from './engine.ts';

/**
 * The product's configuration of the embedded engine (docs/decisions/held-tracks.md); LiveKit's server has no
 * equivalent.
 */
describe.skipIf(process.env['RMEET_TEST_LIVEKIT_URL'] !== undefined)('with holdTracks', () => {
  let engine: TestEngine;
  beforeEach(async () => {
    engine = await startEngine({ holdTracks: true });
  });
  afterEach(() => engine.close());

  const WITHIN = { timeout: 10_000, interval: 5 };
  const { CAMERA, MICROPHONE, SCREEN_SHARE } = TrackSource;
  const permit = (...canPublishSources: TrackSource[]) =>
    engine.service.updateParticipant(engine.room, 'alice', {
      permission: { canPublish: canPublishSources.length > 0, canPublishSources, canSubscribe: true },
    });
  const trackOf = (who: Participant, kind: 'audio' | 'video'): RemoteTrack =>
    [...who.tracks.values()].find((track) => track.kind === kind)!;
  const isFlowing = async (track: RemoteTrack): Promise<void> => {
    const before = track.counters.packets;
    await vi.waitFor(() => expect(track.counters.packets).toBeGreaterThan(before + 2), WITHIN);
  };
  /** Whether a packet arrives within half a second. */
  async function comes(track: RemoteTrack): Promise<boolean> {
    const before = track.counters.packets;
    await new Promise((resolve) => setTimeout(resolve, 500));
    return track.counters.packets > before;
  }

  test('a source without permission is muted, and later resumes on the same track', async () => {
    const [alice, bob] = [await engine.join('alice', { obeys: false }), await engine.join('bob')];
    const microphone = await alice.publishAudio({ tone: 700 });
    await alice.publishVideo({ colour: 'red' });
    await vi.waitFor(() => expect(bob.tracks.size).toBe(2), WITHIN);
    const sound = trackOf(bob, 'audio');
    await isFlowing(sound);

    await permit(CAMERA, SCREEN_SHARE);
    await vi.waitFor(() => expect(sound.muted).toBe(true), WITHIN);
    alice.mute(microphone, true);
    alice.mute(microphone, false);
    expect(await comes(sound)).toBe(false);
    expect(sound.muted).toBe(true);
    await isFlowing(trackOf(bob, 'video'));
    await expect(alice.publishAudio({ tone: 500 })).rejects.toThrow(PublishRefused);
    const listed = (await engine.service.listParticipants(engine.room)).find(({ identity }) => identity === 'alice');
    expect(listed?.tracks.map(({ source, muted }) => [source, muted]).toSorted()).toEqual([
      [CAMERA, false],
      [MICROPHONE, true],
    ]);

    await permit(CAMERA, MICROPHONE, SCREEN_SHARE);
    await isFlowing(sound);
    await vi.waitFor(() => expect(sound.muted).toBe(false), WITHIN);
    expect(bob.tracks.size).toBe(2);
  });

  test('a microphone muted by its owner stays muted after release, and is heard once unmuted', async () => {
    const [alice, bob] = [await engine.join('alice'), await engine.join('bob')];
    const microphone = await alice.publishAudio({ tone: 700 });
    await vi.waitFor(() => expect(bob.tracks.size).toBe(1), WITHIN);
    const sound = trackOf(bob, 'audio');
    await isFlowing(sound);
    await permit(CAMERA);
    alice.mute(microphone, true);
    await vi.waitFor(() => expect(sound.muted).toBe(true), WITHIN);
    await permit(CAMERA, MICROPHONE);
    await vi.waitFor(() => expect(alice.self.permission?.canPublishSources).toEqual([CAMERA, MICROPHONE]), WITHIN);
    expect(await comes(sound)).toBe(false);
    expect(sound.muted).toBe(true);
    alice.mute(microphone, false);
    await isFlowing(sound);
    await vi.waitFor(() => expect(sound.muted).toBe(false), WITHIN);
  });

  test('without permission to publish nothing is sent, and new announcements are refused', async () => {
    const [alice, bob] = [await engine.join('alice', { obeys: false }), await engine.join('bob')];
    await alice.publishAudio({ tone: 700, source: 'camera' });
    await vi.waitFor(() => expect(bob.tracks.size).toBe(1), WITHIN);
    await isFlowing(trackOf(bob, 'audio'));
    await permit();
    await vi.waitFor(() => expect(trackOf(bob, 'audio').muted).toBe(true), WITHIN);
    expect(await comes(trackOf(bob, 'audio'))).toBe(false);
    await expect(alice.publishVideo({ colour: 'red' })).rejects.toThrow(PublishRefused);
  });
});
