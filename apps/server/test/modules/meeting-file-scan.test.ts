import { afterAll, beforeAll, expect, test } from 'vitest';
import { codeOf, send, signIn, type Person } from './support/client.ts';
import { EICAR, fileNamed, startClamd, uploadTo } from './support/meeting-files.ts';
import { book, invite } from './support/meetings.ts';
import { startTestServer, type TestServer } from './support/server.ts';

let server: TestServer;
let clamd: Awaited<ReturnType<typeof startClamd>>;
let alice: Person;
let bob: Person;
let meetId: string;
beforeAll(async () => {
  clamd = await startClamd(300_000);
  server = await startTestServer({ clamd: clamd.address });
  [alice, bob] = [await signIn(server, 'alice'), await signIn(server, 'bob')];
  ({ meetId } = await book(server, alice, { participants: invite(server, 'bob') }));
});
afterAll(async () => {
  await server.close();
  clamd.close();
});

const downloadCode = async (id: string, who: Person): Promise<string> =>
  (await send(server, 'GET', `/api/api/v1/meetingFile/file/download/${id}`, { token: who.token })).statusCode;

test('a file waits for the scanner, then a clean one opens and an infected one never does', async () => {
  await uploadTo(server, alice, meetId, 'clean.txt', 'Agenda');
  await uploadTo(server, alice, meetId, 'virus.txt', EICAR);
  const [clean, virus] = [await fileNamed(alice, meetId, 'clean.txt'), await fileNamed(alice, meetId, 'virus.txt')];
  expect([clean.scan, virus.scan]).toEqual(['pending', 'pending']);
  for (const { id } of [clean, virus]) expect(await downloadCode(id, bob)).toBe('FILE_BEING_SCANNED');
  expect(await downloadCode(meetId, bob)).toBe('NOT_FOUND');

  expect(await server.rounds.scanFiles()).toBe(2);
  expect(await downloadCode(clean.id, bob)).toBe('OK');
  for (const who of [alice, bob]) expect(await downloadCode(virus.id, who)).toBe('FILE_INFECTED');
  expect(await codeOf(alice.meetingFiles.preview({ params: { id: virus.id } }))).toBe('FILE_INFECTED');
  expect((await fileNamed(alice, meetId, 'virus.txt')).scan).toBe('infected');
  const zip = await send(server, 'GET', `/api/api/v1/meetingFile/file/downloadDic/${meetId}`, { token: bob.token });
  expect(zip.file?.includes('clean.txt')).toBe(true);
  expect(zip.file?.includes('virus.txt')).toBe(false);
});

test('a file that the scanner does not take stays closed', async () => {
  await uploadTo(server, alice, meetId, 'large.bin', Buffer.alloc(2_000_000, 1));
  await server.rounds.scanFiles();
  const large = await fileNamed(alice, meetId, 'large.bin');
  expect(large.scan).toBe('tooLarge');
  expect(await downloadCode(large.id, alice)).toBe('FILE_NOT_SCANNED');
});

test('while the scanner is away, files wait', async () => {
  clamd.close();
  await uploadTo(server, alice, meetId, 'later.txt', 'Agenda');
  expect(await server.rounds.scanFiles()).toBe(0);
  expect((await fileNamed(alice, meetId, 'later.txt')).scan).toBe('pending');
});
