import { gzipSync } from 'node:zlib';
import { eq } from 'drizzle-orm';
import { zipSync } from 'fflate';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { meetingDocumentVersion } from '../../src/modules/meeting-files/tables.ts';
import { CLAMD_SKIPPED, EICAR_FINDING, startRealClamd, type RealClamd } from './support/clamd.ts';
import { codeOf, send, signIn, type Person } from './support/client.ts';
import { EICAR, fileNamed, uploadTo } from './support/meeting-files.ts';
import { book, invite } from './support/meetings.ts';
import { startTestServer, type TestServer } from './support/server.ts';

let clamd: RealClamd;
let server: TestServer;
let alice: Person;
let bob: Person;
let meetId: string;
beforeAll(async () => {
  if (CLAMD_SKIPPED) return;
  clamd = await startRealClamd();
  server = await startTestServer({ clamd: clamd.address });
  [alice, bob] = [await signIn(server, 'alice'), await signIn(server, 'bob')];
  ({ meetId } = await book(server, alice, { participants: invite(server, 'bob') }));
});
afterAll(async () => {
  await server?.close();
  await clamd?.remove();
});

/** Uploads a file, has it scanned, and returns its state with what a download by another person is answered. */
async function scanned(name: string, content: string | Buffer): Promise<[state: string, code: string]> {
  await uploadTo(server, alice, meetId, name, content);
  await server.rounds.scanFiles();
  const { id, scan } = await fileNamed(alice, meetId, name);
  const path = `/api/api/v1/meetingFile/file/download/${id}`;
  return [scan, (await send(server, 'GET', path, { token: bob.token })).statusCode];
}
const zipped = (content: Uint8Array): Buffer => Buffer.from(zipSync({ 'a/b.txt': content }));
const eicarZip = (): Buffer => zipped(Buffer.from(EICAR));

describe.skipIf(CLAMD_SKIPPED)(`files behind clamd${CLAMD_SKIPPED}`, () => {
  test('a clean file opens', async () => {
    expect(await scanned('agenda.txt', '议程')).toEqual(['clean', 'OK']);
    const large = Buffer.alloc(3_900_000, 'Agenda ');
    const warnings: string[] = [];
    const listen = ({ name }: Error): number => warnings.push(name);
    process.on('warning', listen);
    expect(await scanned('large.txt', large)).toEqual(['clean', 'OK']);
    process.off('warning', listen);
    expect(warnings).not.toContain('MaxListenersExceededWarning');
  });

  test.each([
    ['EICAR', 'eicar.com.txt', () => EICAR],
    ['EICAR in the middle of a text', 'notes.txt', () => `${'Notes. '.repeat(50_000)}${EICAR} ${'x'.repeat(90_000)}`],
    ['EICAR in a ZIP file', 'slides.zip', eicarZip],
    ['EICAR in a ZIP file in a ZIP file', 'slides2.zip', () => zipped(eicarZip())],
    ['EICAR in a gzip file', 'slides.gz', () => gzipSync(EICAR)],
    ['EICAR in a ZIP file with the name of a picture', 'photo.png', eicarZip],
  ])('%s never opens, and is named in the row', async (_, name, content) => {
    expect(await scanned(name, content())).toEqual(['infected', 'FILE_INFECTED']);
    const { id } = await fileNamed(alice, meetId, name);
    expect(await codeOf(alice.meetingFiles.preview({ params: { id } }))).toBe('FILE_INFECTED');
    const [version] = await server.db.platform((tx) =>
      tx.find(meetingDocumentVersion, eq(meetingDocumentVersion.documentId, id)),
    );
    expect(version?.finding).toBe(EICAR_FINDING);
  });

  test('an archive that unpacks to more than clamd reads does not open, with AlertExceedsMax', async () => {
    const bomb = zipped(Buffer.alloc(64 * 1024 * 1024));
    expect(bomb.length).toBeLessThan(100_000);
    expect(await scanned('bomb.zip', bomb)).toEqual(['infected', 'FILE_INFECTED']);
  });

  test('a file above StreamMaxLength stays closed', async () => {
    expect(await scanned('larger.bin', Buffer.alloc(5_000_000, 1))).toEqual(['tooLarge', 'FILE_NOT_SCANNED']);
  });

  test('while clamd is stopped files wait, and open after its return', async () => {
    await clamd.away();
    expect(await scanned('later.txt', 'Agenda')).toEqual(['pending', 'FILE_BEING_SCANNED']);
    await clamd.back();
    expect(await server.rounds.scanFiles()).toBe(1);
    const { id, scan } = await fileNamed(bob, meetId, 'later.txt');
    expect(scan).toBe('clean');
    expect((await bob.meetingFiles.preview({ params: { id } })).state).toBe('ready');
  });
});
