import { readdirSync } from 'node:fs';
import { utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { RecordingExport } from '@rmeet/contract';
import { until } from '@rmeet/testkit';
import { storeRecording, type StoredRecording } from '../../../../packages/recorder/test/stored-recording.ts';
import { tenant } from '../../src/modules/accounts/tenants/tables.ts';
import { auditLog } from '../../src/modules/audit/tables.ts';
import { recording, recordingExport, recordingText } from '../../src/modules/recordings/tables.ts';
import { createMail } from '../../src/platform/mail/index.ts';
import { newId } from '../../src/platform/db/index.ts';
import { clientOf, codeOf, send, signIn, type Person } from './support/client.ts';
import { grantRecording, of, rowOf, setRow, setTenant } from './support/recordings.ts';
import { startTestServer, type TestServer } from './support/server.ts';

let server: TestServer;
let alice: Person;
let carol: Person;
beforeAll(async () => {
  // With mail it runs its jobs.
  server = await startTestServer({ mail: createMail(undefined) });
  [alice, carol] = [await signIn(server, 'alice'), await signIn(server, 'carol')];
});
afterAll(() => server.close());

const DAY = 86_400_000;
const daysAgo = (days: number): Date => new Date(server.clock.now().getTime() - days * DAY);
const foldersOf = (): string[] => readdirSync(join(server.folder, 'files', 'recordings'));
const store = (options = {}): Promise<StoredRecording> => storeRecording(server, { withTracks: false, ...options });

/** Waits until an export is over. */
async function exported(who: Person, { recordingId, id }: RecordingExport): Promise<RecordingExport> {
  let found: RecordingExport | undefined;
  await until('the export is over', async () => {
    const { records } = await who.recordings.exports({ params: { id: recordingId } });
    found = records.find((one) => one.id === id);
    return found?.state !== 'waiting' && found?.state !== 'running';
  });
  return found!;
}
const fileOf = async (who: Person, { id }: Pick<RecordingExport, 'id'>) =>
  send(server, 'GET', `/api/api/v1/recordings/exports/${id}/file`, { token: who.token });

describe('the bin', () => {
  test('keeps recordings for 30 days; they can be restored, but their links stay ended', async () => {
    const stored = await store();
    const { link } = await alice.recordings.share({ ...of(stored), body: { watermark: false } });
    expect(await alice.recordings.remove({ body: { ids: [stored.id] } })).toEqual({ removed: [stored.id] });
    expect(await alice.recordings.remove({ body: { ids: [stored.id] } })).toEqual({ removed: [] });
    const ids = async (filter: 'all' | 'bin') =>
      (await alice.recordings.queryRecord({ query: { filter } })).records.map(({ id }) => id);
    expect(await ids('all')).not.toContain(stored.id);
    expect(await ids('bin')).toContain(stored.id);
    const shown = await alice.recordings.detail(of(stored));
    expect(Date.parse(shown.expiresAt!) - Date.parse(shown.deletedAt!)).toBe(30 * DAY);
    expect(await alice.recordings.restore({ body: { ids: [stored.id] } })).toEqual({ restored: [stored.id] });
    expect(await ids('all')).toContain(stored.id);
    const token = link.split('/').at(-1)!;
    expect(await codeOf(clientOf(server).recordings.openShare({ body: { token } }))).toBe('SHARE_ENDED');
  });

  test('what is deleted for good leaves neither rows nor files', async () => {
    const stored = await store();
    await server.rounds.tidyRecordings();
    await alice.recordings.share({ ...of(stored), body: {} });
    await exported(alice, await alice.recordings.startExport({ ...of(stored), body: {} }));
    expect(await alice.recordings.remove({ body: { ids: [stored.id], forGood: true } })).toEqual({ removed: [] });
    await alice.recordings.remove({ body: { ids: [stored.id] } });
    await alice.recordings.remove({ body: { ids: [stored.id], forGood: true } });
    expect(await codeOf(alice.recordings.detail(of(stored)))).toBe('NOT_FOUND');
    await until('its files are deleted', async () => (await rowOf(server, stored)) === undefined);
    expect(foldersOf()).not.toContain(stored.id);
    const texts = await server.db.platform((tx) => tx.count(recordingText, eq(recordingText.recordingId, stored.id)));
    expect(texts).toBe(0);
    const audited = await server.db.platform((tx) => tx.find(auditLog, eq(auditLog.targetId, stored.id)));
    expect(audited.filter(({ action }) => action === 'recordings.remove').map(({ targetName }) => targetName)).toEqual([
      'Ward round',
      'Ward round',
    ]);
  });

  test('retention moves old ones to the bin, and after 30 days there they go', async () => {
    const [young, old, oldest] = [await store(), await store(), await store()];
    await setRow(server, old, { endedAt: daysAgo(8) });
    await setRow(server, oldest, { deletedAt: daysAgo(31) });
    await setTenant(server, young, { keptDays: 7 });
    expect((await alice.recordings.detail(of(old))).expiresAt).toBe(daysAgo(1).toISOString());
    await server.rounds.retireRecordings();
    await setTenant(server, young, { keptDays: null });
    expect((await rowOf(server, young))?.deletedAt).toBeNull();
    expect((await rowOf(server, old))?.deletedAt).toEqual(server.clock.now());
    expect(await rowOf(server, oldest)).toBeUndefined();
    expect(foldersOf()).not.toContain(oldest.id);
    expect(foldersOf()).toContain(old.id);
  });

  test('files that belong to no recording are deleted after a day', async () => {
    const known = await store();
    const [lost, fresh] = [newId(), newId()];
    for (const id of [lost, fresh]) await server.storage.put(`recordings/${id}/index.json`, Buffer.from('{}'));
    const at = daysAgo(2);
    await utimes(join(server.folder, 'files', 'recordings', lost, 'index.json'), at, at);
    expect(await server.rounds.sweepRecordings()).toBe(1);
    expect(foldersOf()).not.toContain(lost);
    expect(foldersOf()).toEqual(expect.arrayContaining([fresh, known.id]));
  });
});

describe('MP4 files', () => {
  test('are made of the programme and of tracks, cut as edited, and served to their owner', async () => {
    const stored = await storeRecording(server);
    const begun = await alice.recordings.startExport({ ...of(stored), body: {} });
    expect(begun).toMatchObject({ track: 'programme', kind: 'programme', state: 'waiting', bytes: null });
    expect((await alice.recordings.startExport({ ...of(stored), body: {} })).id).toBe(begun.id);
    const ready = await exported(alice, begun);
    expect(ready).toMatchObject({ state: 'ready', progress: 1, bytes: expect.any(Number) as number });
    const { file } = await fileOf(alice, ready);
    expect(file?.length).toBe(ready.bytes);
    expect(file?.toString('latin1', 4, 8)).toBe('ftyp');
    expect(await fileOf(carol, ready)).toMatchObject({ httpStatus: 404 });

    const microphone = await alice.recordings.startExport({
      ...of(stored),
      body: { track: `microphone-${stored.second}` },
    });
    expect(await exported(alice, microphone)).toMatchObject({ state: 'ready', kind: 'microphone', name: 'Bob' });
    expect(await codeOf(alice.recordings.startExport({ ...of(stored), body: { track: 'camera-x' } }))).toBe(
      'NOT_FOUND',
    );

    await alice.recordings.change({ ...of(stored), body: { edit: { start: 6_000, end: null, cuts: [] } } });
    expect(await fileOf(alice, ready)).toMatchObject({ httpStatus: 404 });
    const cut = await exported(alice, await alice.recordings.startExport({ ...of(stored), body: {} }));
    expect(cut.bytes! / ready.bytes!).toBeLessThan(0.7);
    const whole = await exported(alice, await alice.recordings.startExport({ ...of(stored), body: { whole: true } }));
    expect(whole.bytes).toBe(ready.bytes);
    expect((await alice.recordings.usage()).bytes).toBeGreaterThan(whole.bytes! + cut.bytes!);
  });

  test('are refused where saving is off, nothing is stored, or no space is left', async () => {
    const stored = await store();
    await grantRecording(server, stored, 'carol');
    const begin = (who: Person) => codeOf(who.recordings.startExport({ ...of(stored), body: {} }));
    const setting = { download: false, watermark: false };
    await alice.recordings.change({ ...of(stored), body: { setting } });
    expect(await begin(carol)).toBe('RECORDING_DOWNLOAD_OFF');
    const { bytes } = await alice.recordings.usage();
    const setLimit = (maxRecordingBytes: number | null) =>
      server.db.platform((tx) => tx.update(tenant, { maxRecordingBytes }, eq(tenant.tenantId, stored.tenantId)));
    await setLimit(bytes + 1_000);
    expect(await alice.recordings.usage()).toEqual({ bytes, limit: bytes + 1_000, enabled: true });
    expect(await begin(alice)).toBe('RECORDINGS_FULL');
    await setLimit(null);
    const empty = await store();
    await server.storage.delete(`recordings/${empty.id}/index.json`);
    expect(await codeOf(alice.recordings.startExport({ ...of(empty), body: {} }))).toBe('RECORDING_EMPTY');
  });

  test('a track whose files are missing ends as failed; others can be cancelled', async () => {
    const stored = await store();
    await server.storage.deleteFolder(`recordings/${stored.id}/programme`);
    const failed = await alice.recordings.startExport({ ...of(stored), body: {} });
    expect(await exported(alice, failed)).toMatchObject({ state: 'failed', bytes: null });
    const other = await store();
    const { id } = await alice.recordings.startExport({ ...of(other), body: {} });
    await alice.recordings.cancelExport({ params: { id } });
    const { records } = await alice.recordings.exports(of(other));
    expect(['cancelled', undefined]).toContain(records.find((one) => one.id === id)?.state);
    expect(await codeOf(carol.recordings.cancelExport({ params: { id } }))).toBe('NOT_FOUND');
    await alice.recordings.cancelExport({ params: { id } }).catch(() => undefined);
    expect((await alice.recordings.exports(of(other))).records).toEqual([]);
  });

  test('one that was interrupted begins again, and one that is two days old is deleted', async () => {
    const stored = await store();
    const owner = server.people.get('alice')?.id ?? '';
    const id = newId();
    const before = new Date(server.clock.now().getTime() - 120_000);
    await server.db.tenant(stored.tenantId, (tx) =>
      tx.insert(recordingExport, {
        id,
        recordingId: stored.id,
        ownerId: owner,
        track: 'programme',
        whole: false,
        state: 'running',
        createdAt: before,
        updatedAt: before,
      }),
    );
    await server.rounds.tidyRecordings();
    const [ready] = (await alice.recordings.exports(of(stored))).records;
    expect(await exported(alice, ready!)).toMatchObject({ id, state: 'ready' });
    const { storageKey } = (await server.db.platform((tx) => tx.findOne(recordingExport, eq(recordingExport.id, id))))!;
    expect(await server.storage.stat(storageKey!)).toBeDefined();
    await server.db.platform((tx) => tx.update(recordingExport, { expiresAt: before }, eq(recordingExport.id, id)));
    await server.rounds.tidyRecordings();
    expect((await alice.recordings.exports(of(stored))).records).toEqual([]);
    expect(await server.storage.stat(storageKey!)).toBeUndefined();
  });

  test('viewers of a link that allows it save the programme once it is made', async () => {
    const stored = await store();
    const viewOf = async (download: boolean): Promise<string> => {
      const { link } = await alice.recordings.share({ ...of(stored), body: { download, watermark: false } });
      return (await clientOf(server).recordings.openShare({ body: { token: link.split('/').at(-1)! } })).view;
    };
    const save = (view: string) => send(server, 'GET', `/api/api/v1/recordings/shared/file?view=${view}`);
    expect((await save(await viewOf(false))).statusCode).toBe('RECORDING_DOWNLOAD_OFF');
    const view = await viewOf(true);
    expect((await save(view)).statusCode).toBe('SERVICE_BUSY');
    let file: Buffer | undefined;
    await until('the film is made', async () => (file = (await save(view)).file) !== undefined);
    expect(file?.toString('latin1', 4, 8)).toBe('ftyp');
  });

  test('one that fails for viewers of a link says so each time, and is made again only on demand', async () => {
    const stored = await store();
    const { link } = await alice.recordings.share({ ...of(stored), body: { download: true, watermark: false } });
    const { view } = await clientOf(server).recordings.openShare({ body: { token: link.split('/').at(-1)! } });
    const save = async (more = '') =>
      (await send(server, 'GET', `/api/api/v1/recordings/shared/file?view=${view}${more}`)).statusCode;
    const times = async () => (await alice.recordings.exports(of(stored))).records.length;
    await server.storage.deleteFolder(`recordings/${stored.id}/programme`);
    await until('the film fails', async () => (await save()) !== 'SERVICE_BUSY');
    expect(await save()).toBe('EXPORT_FAILED');
    expect(await times()).toBe(1);
    expect(await save('&again=true')).toBe('SERVICE_BUSY');
    expect(await times()).toBe(2);
  });
});

test('a search finds among thousands of recordings', async () => {
  const { id: _, ...row } = (await rowOf(server, await store({ host: 'carol', second: 'alice' })))!;
  const subjects = Array.from({ length: 2_000 }, (_each, n) => `Meeting ${n}`);
  await server.db.tenant(row.tenantId, (tx) =>
    tx.insert(
      recording,
      subjects.map((subject, n) =>
        Object.assign({}, row, {
          id: newId(),
          subject,
          textsAt: row.startedAt,
          startedAt: new Date(row.startedAt.getTime() - n * 60_000),
        }),
      ),
    ),
  );
  const { records, total } = await carol.recordings.queryRecord({ query: { keyword: 'Meeting 77' } });
  expect(total).toBe(1 + 10);
  expect(records[0]?.subject).toBe('Meeting 77');
  const last = await carol.recordings.queryRecord({ query: { filter: 'mine', current: 20, size: 100 } });
  expect(last).toMatchObject({ total: 2_001, current: 20 });
});
