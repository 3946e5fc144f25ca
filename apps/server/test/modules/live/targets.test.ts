import { eq } from 'drizzle-orm';
import { contract, type BroadcastPushTargetBody } from '@rmeet/contract';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { permission, accountPermission } from '../../../src/modules/accounts/permissions/tables.ts';
import { auditLog } from '../../../src/modules/audit/tables.ts';
import { createPushHosts } from '../../../src/modules/live/index.ts';
import { broadcastTarget } from '../../../src/modules/live/targets/tables.ts';
import { RunningPushes, type Pushes } from '../../../src/modules/live/targets/running-pushes.ts';
import { openSecretBox } from '../../../src/platform/secrets/index.ts';
import { codeOf, signIn, type Person } from '../support/client.ts';
import { openLive, type OnAir } from '../support/live.ts';
import { startTestServer, type TestServer } from '../support/server.ts';

let server: TestServer;
let alice: Person;
let bob: Person;
beforeAll(async () => {
  server = await startTestServer({ pushHosts: ['10.9.8.7'] });
  await server.db.platform(async (tx) => {
    const code = await tx.findOne(permission, eq(permission.code, 'sys:switchLiveResource'));
    const { id: accountId, tenantId } = server.people.get('alice')!;
    await tx.asTenant(tenantId).insert(accountPermission, { accountId, permissionId: code?.id ?? '' }, 'nothing');
  });
  [alice, bob] = await Promise.all([signIn(server, 'alice'), signIn(server, 'bob')]);
});
afterAll(() => server.close());

let live: OnAir;
beforeEach(async () => {
  live = await openLive(server, alice, { access: 'public' });
});

const config = (who: Person = alice) => who.liveProviders.providerConfig({ params: { id: live.id } });
const set = (...targets: BroadcastPushTargetBody[]) =>
  alice.liveProviders.setPushTargets({ params: { id: live.id }, body: { targets } });
const rows = () => server.db.platform((tx) => tx.find(broadcastTarget, eq(broadcastTarget.broadcastId, live.id)));
const channel = { name: 'Channel', provider: 'rtmp', address: 'rtmps://live.example.org/app/secret-key' } as const;
const aliyun = {
  name: 'Aliyun',
  provider: 'aliyun',
  address: 'rtmp://push.example.org/app/stream',
  play: 'https://play.example.org/app/stream.m3u8',
} as const;

describe('push targets', () => {
  test('are stored with sealed addresses, and shown to those who manage the broadcast', async () => {
    const { push } = await set(channel, { ...aliyun, key: 'signing-key' });
    expect(push).toMatchObject([
      { ...channel, state: 'idle', reason: '', hasKey: false, push: channel.address, watch: '' },
      { ...aliyun, state: 'idle', hasKey: true },
    ]);
    expect(push[1]!.push).toMatch(/^rtmp:\/\/push\.example\.org\/app\/stream\?auth_key=\d{10}-0-0-[0-9a-f]{32}$/);
    expect(push[1]!.watch).toMatch(/^https:\/\/play\.example\.org\/app\/stream\.m3u8\?auth_key=\d{10}-0-0-/);
    const stored = JSON.stringify(await rows());
    for (const secret of ['secret-key', 'signing-key']) expect(stored).not.toContain(secret);
    const [audit] = await server.db.platform((tx) => tx.find(auditLog, eq(auditLog.targetId, live.id), { limit: 1 }));
    expect(JSON.stringify(audit)).not.toContain('secret-key');
    expect(await codeOf(config(bob))).toBe('FORBIDDEN');
  });

  test('keep their key and their row while they are changed, and go when they are left out', async () => {
    const before = (await set({ ...aliyun, key: 'signing-key' }, channel)).push;
    const [first, second] = before;
    const after = (await set({ ...aliyun, id: first!.id, name: 'Renamed' })).push;
    expect(after).toMatchObject([{ id: first!.id, name: 'Renamed', hasKey: true }]);
    expect((await rows()).map(({ id }) => id)).toEqual([first!.id]);
    // The key belongs to the provider.
    const tencent = { ...aliyun, id: first!.id, provider: 'tencent' as const };
    expect(await codeOf(set(tencent))).toBe('PUSH_KEY_REQUIRED');
    expect((await set({ ...tencent, key: 'other' })).push[0]!.push).toMatch(/txSecret=[0-9a-f]{32}&txTime=[0-9A-F]+$/);
    // An id of no target of this broadcast makes a new one.
    expect((await set({ ...channel, id: second!.id })).push[0]!.id).not.toBe(second!.id);
  });

  test.each([
    'rtmp://127.0.0.1/app/key',
    'rtmp://localhost/app/key',
    'rtmp://10.1.2.3/app/key',
    'rtmp://[::1]:1935/app/key',
    'rtmp://169.254.169.254/app/key',
  ])('may not be inside the network: %s', async (address) => {
    expect(await codeOf(set({ ...channel, address }))).toBe('PUSH_ADDRESS_REFUSED');
  });

  test('may be inside if the configuration names them; other mistakes are answered by field', async () => {
    expect((await set({ ...channel, address: 'rtmp://10.9.8.7/app/key' })).push.length).toBe(1);
    expect(await codeOf(set({ ...aliyun }))).toBe('PUSH_KEY_REQUIRED');
    for (const address of ['https://live.example.org/app/key', 'rtmp://live.example.org/app', 'rtmp:///app/key'])
      expect(await codeOf(set({ ...channel, address }))).toBe('INVALID_INPUT');
    expect(await codeOf(set(...Array.from({ length: 6 }, () => channel)))).toBe('INVALID_INPUT');
  });

  test('are used while the broadcast is on air, and tell how they are', async () => {
    await set(channel);
    const wanted: string[][] = [];
    const pushes: Pushes = { set: (targets) => void wanted.push(targets.map(({ address }) => address())) };
    let ids: string[] = [];
    const named: Pushes = {
      set: (targets) => {
        ids = targets.map(({ id }) => id);
        pushes.set(targets);
      },
    };
    await live.act('START');
    const { recordingId } = await alice.broadcasts.detail({ params: { id: live.id } });
    const running = new RunningPushes({
      db: server.db,
      log: server.app.log,
      secrets: openSecretBox(server.folder),
      hosts: createPushHosts([]),
      now: server.clock.now,
      recording: { id: recordingId!, tenantId: server.people.get('alice')!.tenantId },
    });
    await running.follow(named);
    await running.follow(named);
    expect(wanted).toEqual([[channel.address]]);
    await running.note(ids[0]!, 'refused', 'Stream already publishing: /app/secret-key');
    expect((await config()).push[0]).toMatchObject({
      state: 'refused',
      reason: 'Stream already publishing: /app/…',
    });
    await set({ ...channel, id: (await rows())[0]!.id, address: 'rtmps://live.example.org/app/other' });
    await running.follow(named);
    await live.act('PAUSE');
    await running.follow(named);
    expect(wanted).toEqual([[channel.address], ['rtmps://live.example.org/app/other'], []]);
    expect((await config()).push[0]).toMatchObject({ state: 'idle', reason: '' });
  });
});

test('the address for players works for a day, and for its broadcast only', async () => {
  const { play } = await config();
  expect(play.page).toBe(`${server.publicUrl}/#/live/${live.id}`);
  const { searchParams, pathname } = new URL(play.hls);
  expect(pathname).toBe(contract.watch.playlist.path.replace(':id', live.id));
  expect(searchParams.get('plain')).toBe('true');
  const [, expiry] = searchParams.get('sign')!.split('.');
  expect(Number(expiry) - server.clock.now().getTime() / 1_000).toBeGreaterThanOrEqual(24 * 3_600);
});
