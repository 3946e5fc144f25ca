import { readdir, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { meetingFile } from '../../src/modules/meetings/tables.ts';
import { newId } from '../../src/platform/db/index.ts';
import { signIn, type Person } from './support/client.ts';
import { fresh } from './support/fresh.ts';
import { startTestServer, type TestServer } from './support/server.ts';

let server: TestServer;
let alice: Person;
beforeAll(async () => {
  server = await startTestServer();
  alice = await signIn(server, 'alice');
});
afterAll(() => server.close());

const files = () => join(server.folder, 'files');
const stored = async (): Promise<string[]> => (await readdir(join(files(), 'uploads'))).toSorted();
/** Sets the file's age, by the server's clock. */
async function age(path: string, hours: number): Promise<void> {
  const at = new Date(server.clock.now().getTime() - hours * 3_600_000);
  await utimes(join(files(), path), at, at);
}
async function bookWithFile(): Promise<{ meetId: string; fileId: string; key: string }> {
  const body = {
    subject: 'Ward round',
    startTime: server.clock.in(60),
    duration: 60,
    roomIds: [await fresh.room(server, server.people.get('alice')?.tenantId ?? '')],
  };
  const made = await alice.meetings.createLocal({ body, files: [new File(['Agenda'], 'agenda.txt')] });
  const row = await server.db.platform((tx) => tx.findOne(meetingFile, eq(meetingFile.meetingId, made.meetId)));
  return { meetId: made.meetId, fileId: made.files[0]?.id ?? '', key: row?.storageKey ?? '' };
}

test('deletes stored files that no meeting names once they are a day old, and keeps all others', async () => {
  const named = await bookWithFile();
  await age(named.key, 1_000);
  // What remains if a process dies between storing and committing, or while storing.
  await server.storage.put('uploads/old', Buffer.from('old'));
  await server.storage.put('uploads/young', Buffer.from('young'));
  await server.storage.put('recordings/old', Buffer.from('of somebody else'));
  for (const name of ['.partial-old', '.partial-young']) await writeFile(join(files(), name), 'half');
  for (const path of ['uploads/old', 'recordings/old', '.partial-old']) await age(path, 25);
  for (const path of ['uploads/young', '.partial-young']) await age(path, 23);

  expect(await server.rounds.sweepFiles()).toBe(2);
  expect(await stored()).toEqual([named.key.slice('uploads/'.length), 'young'].toSorted());
  expect(await readdir(files())).not.toContain('.partial-old');
  expect(await readdir(files())).toContain('.partial-young');
  expect(await server.storage.stat('recordings/old')).toBeDefined();

  server.clock.advance({ hours: 2 });
  expect(await server.rounds.sweepFiles()).toBe(2);
  expect(await server.rounds.sweepFiles()).toBe(0);
  expect(await stored()).toEqual([named.key.slice('uploads/'.length)]);
});

test('keeps the file of a cancelled meeting', async () => {
  const { meetId, key } = await bookWithFile();
  await age(key, 1_000);
  await alice.meetings.cancel({ params: { id: meetId }, query: {} });
  await server.rounds.sweepFiles();
  expect(await server.storage.stat(key)).toBeDefined();
});

test('checks more files than it asks the database for at once', async () => {
  const { key: named } = await bookWithFile();
  const row = await server.db.platform((tx) => tx.findOne(meetingFile, eq(meetingFile.storageKey, named)));
  if (!row) throw new Error('the file has no row');
  for (let n = 0; n < 600; n += 1) {
    const key = `uploads/many-${n}`;
    await server.storage.put(key, Buffer.from(''));
    await age(key, 48);
    // A meeting references every third one.
    if (n % 3 === 0)
      await server.db.tenant(row.tenantId, (tx) => tx.insert(meetingFile, { ...row, id: newId(), storageKey: key }));
  }
  expect(await server.rounds.sweepFiles()).toBe(400);
  expect((await stored()).filter((name) => name.startsWith('many-'))).toHaveLength(200);
});

test('keeps the files of another database that has used the same folder', async () => {
  const other = await startTestServer();
  try {
    for (let n = 0; n < 101; n += 1) {
      await other.storage.put(`uploads/of-another-${n}`, Buffer.from(''));
      const at = new Date(other.clock.now().getTime() - 25 * 3_600_000);
      await utimes(join(other.folder, 'files', `uploads/of-another-${n}`), at, at);
    }
    expect(await other.rounds.sweepFiles()).toBe(0);
    expect(await other.storage.stat('uploads/of-another-0')).toBeDefined();
  } finally {
    await other.close();
  }
});
