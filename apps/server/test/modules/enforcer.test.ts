import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { eq } from 'drizzle-orm';
import { NO_CONTROL } from '@rmeet/conference';
import type { Admission, Meeting } from '@rmeet/contract';
import {
  desiredPermission,
  isSpoofed,
  diffPermissions,
} from '../../src/modules/conferences/engine/media-permissions.ts';
import { commandAck } from '../../src/modules/conferences/tables.ts';
import type { MediaParticipant, MediaTrack } from '../../src/platform/media/index.ts';
import { clientOf, signIn, type Person } from './support/client.ts';
import { book, invite } from './support/meetings.ts';
import { startTestServer, type TestServer } from './support/server.ts';

const SILENT = { canPublish: true, canPublishSources: ['camera', 'screenShare'] };
const FREE = { canPublish: true, canPublishSources: ['camera', 'microphone', 'screenShare', 'screenShareAudio'] };
const NOTHING = { canPublish: false, canPublishSources: [] };
const rz = { res: 'rz' };
const FREELY = { muted: false, cameraOff: false, contentOff: false };
const WITHIN = { timeout: 5_000, interval: 10 };

describe('what a terminal may send', () => {
  test('is everything, no sound of any kind, no camera, or a shared screen alone', () => {
    const sources = (muted: boolean, cameraOff: boolean, contentOff = false) =>
      desiredPermission({ muted, cameraOff, contentOff }).canPublishSources;
    expect(sources(false, false)).toEqual(FREE.canPublishSources);
    expect(sources(true, false)).toEqual(SILENT.canPublishSources);
    expect(sources(false, true)).toEqual(['microphone', 'screenShare', 'screenShareAudio']);
    expect(sources(true, true)).toEqual(['screenShare']);
    expect(sources(false, false, true)).toEqual(['camera', 'microphone']);
    expect(desiredPermission({ muted: true, cameraOff: true, contentOff: true })).toEqual(NOTHING);
  });

  test('is judged by the media that flow, whatever their declared source', () => {
    const track = (kind: MediaTrack['kind'], source: MediaTrack['source']): MediaTrack => ({
      sid: 'T',
      kind,
      source,
      muted: false,
    });
    const muted = { muted: true, cameraOff: false, contentOff: false };
    const cameraOff = { muted: false, cameraOff: true, contentOff: false };
    expect([isSpoofed(muted, track('audio', 'camera')), isSpoofed(muted, track('audio', 'unknown'))]).toEqual([
      true,
      true,
    ]);
    expect([isSpoofed(muted, track('video', 'camera')), isSpoofed(muted, track('audio', 'microphone'))]).toEqual([
      false,
      false,
    ]);
    expect([
      isSpoofed(cameraOff, track('video', 'microphone')),
      isSpoofed(cameraOff, track('audio', 'camera')),
    ]).toEqual([true, false]);
    expect(isSpoofed({ muted: false, cameraOff: false, contentOff: true }, track('video', 'screenShareAudio'))).toBe(
      true,
    );
    expect(isSpoofed({ muted: false, cameraOff: false, contentOff: false }, track('audio', 'camera'))).toBe(false);
  });

  test('is nothing from a terminal that was caught, until it is no longer held', () => {
    const spoofed = new Set<string>();
    const entry = {
      name: 'Bob',
      role: 'guest' as const,
      present: true,
      seat: 1,
      muted: true,
      unmuteAsked: false,
      cameraOff: false,
      volume: 100,
      maxHeight: null,
      top: false,
      contentOff: false,
      contentAsked: false,
      layout: null,
      banner: null,
    };
    const bob: MediaParticipant = {
      identity: 'Tbob',
      name: 'Bob',
      metadata: '',
      joinedAt: new Date(0),
      permission: desiredPermission(entry),
      tracks: [{ sid: 'T', kind: 'audio', source: 'camera', muted: false }],
    };
    const look = (muted: boolean, participant = bob) =>
      diffPermissions({ ...NO_CONTROL, terminals: { Tbob: { ...entry, muted } } }, [participant], spoofed);
    expect(look(true)).toEqual([{ identity: 'Tbob', permission: NOTHING }]);
    const caught = { ...bob, permission: desiredPermission(entry), tracks: [] };
    expect(look(true, caught)).toEqual([{ identity: 'Tbob', permission: NOTHING }]);
    expect(look(false, caught)).toEqual([{ identity: 'Tbob', permission: FREE }]);
    expect(look(true, { ...caught, identity: 'Tstranger' })).toEqual([]);
  });
});

describe('the engine', () => {
  let server: TestServer;
  let alice: Person;
  let made: Meeting;
  let host: Admission;
  let bob: Admission;
  beforeAll(async () => {
    server = await startTestServer();
  });
  afterAll(() => server.close());
  beforeEach(async () => {
    server.media.restart();
    alice = await signIn(server, 'alice');
    made = await book(server, alice, {
      startTime: server.clock.in(0),
      duration: 60,
      participants: invite(server, 'bob'),
    });
    host = await alice.conferences.join({ body: { numericId: made.numericId } });
    const guest = await signIn(server, 'bob');
    bob = await guest.conferences.join({ body: { numericId: made.numericId } });
    server.media.connect(host.termId);
    server.media.connect(bob.termId);
    await server.tick();
    return async () => {
      await alice.conferences.end({ params: { meetId: made.meetId } });
    };
  });

  const seen = (termId: string) => server.media.theRoom().get(termId);
  const muteBob = (mute: boolean) =>
    alice.conferences.termMute({ params: rz, body: { meetId: made.meetId, termId: bob.termId, mute } });
  const engineAcks = (commandId: string) =>
    server.db.platform(async (tx) =>
      (await tx.find(commandAck, eq(commandAck.commandId, commandId)))
        .filter(({ termId }) => termId === '@engine')
        .map(({ failed }) => failed),
    );

  test('takes away the microphone of a muted terminal, returns it, and acknowledges both', async () => {
    const muted = await muteBob(true);
    await expect.poll(() => seen(bob.termId)?.permission, WITHIN).toEqual(SILENT);
    expect(seen(host.termId)?.permission).toEqual(FREE);
    await expect.poll(() => engineAcks(muted.commandId), WITHIN).toEqual([null]);
    await muteBob(false);
    await expect.poll(() => seen(bob.termId)?.permission, WITHIN).toEqual(FREE);
  });

  test('that does not answer is asked again in the next round, and then the failure is withdrawn', async () => {
    server.media.failFor.add(bob.termId);
    const muted = await muteBob(true);
    await expect.poll(() => engineAcks(muted.commandId), WITHIN).toEqual(['engineFailed']);
    server.media.failFor.clear();
    await server.tick();
    await expect.poll(() => seen(bob.termId)?.permission, WITHIN).toEqual(SILENT);
    await expect.poll(() => engineAcks(muted.commandId), WITHIN).toEqual([null]);
  });

  test('has an old token corrected by the next round; a new one is restricted from the start', async () => {
    await muteBob(true);
    await expect.poll(() => seen(bob.termId)?.permission, WITHIN).toEqual(SILENT);
    seen(bob.termId)!.permission = desiredPermission(FREELY);
    await server.tick();
    await expect.poll(() => seen(bob.termId)?.permission, WITHIN).toEqual(SILENT);
    await clientOf(server, bob.sessionToken).conferences.enter({ params: { meetId: made.meetId } });
    expect(server.media.tokens.at(-1)).toMatchObject({ identity: bob.termId, ...SILENT });
  });

  test('gets the restrictions and the public facts again after a restart', async () => {
    await muteBob(true);
    const [room = ''] = server.media.rooms.keys();
    await expect.poll(() => server.media.metadata.get(room), WITHIN).toMatch(/"version":\d+/);
    server.media.restart();
    server.media.metadata.clear();
    await server.tick();
    server.media.connect(bob.termId).permission = desiredPermission(FREELY);
    await server.tick();
    await expect.poll(() => seen(bob.termId)?.permission, WITHIN).toEqual(SILENT);
    await expect.poll(() => server.media.metadata.get(room), WITHIN).toContain(`"chairId":"${host.termId}"`);
  });

  test('acknowledges, once it is back, the commands of its absence', async () => {
    server.media.isFailing = true;
    const locked = await alice.conferences.setConfLock({ params: rz, query: { meetId: made.meetId, conflock: '1' } });
    server.media.isFailing = false;
    await server.tick();
    await expect.poll(() => engineAcks(locked.commandId), WITHIN).toEqual([null]);
  });

  test('receives a new name', async () => {
    await alice.conferences.updateTermialName({
      params: rz,
      query: { meetId: made.meetId, termId: bob.termId, termName: 'Ward 3' },
    });
    await expect.poll(() => seen(bob.termId)?.name, WITHIN).toBe('Ward 3');
  });

  test('is asked to change only what differs, however often', async () => {
    await muteBob(true);
    await expect.poll(() => seen(bob.termId)?.permission, WITHIN).toEqual(SILENT);
    const before = server.media.changes.length;
    await server.tick();
    await server.tick();
    expect(server.media.changes.length).toBe(before);
  });
});
