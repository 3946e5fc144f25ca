import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { usableConverter } from '../../src/modules/meeting-files/index.ts';
import { runConverter } from '../../src/modules/meeting-files/converter.ts';
import { codeOf, signIn, type Person } from './support/client.ts';
import { fileNamed, uploadTo } from './support/meeting-files.ts';
import { book, invite } from './support/meetings.ts';
import { frame, linkingWordFile, OFFICE_SKIPPED, redPicture, slides, SOFFICE, wordFile } from './support/office.ts';
import { startTestServer, type TestServer } from './support/server.ts';
import { workbookOf } from './support/workbooks.ts';

const run = promisify(execFile);
let server: TestServer;
let alice: Person;
let bob: Person;
let meetId: string;
let folder: string;
beforeAll(async () => {
  if (OFFICE_SKIPPED) return;
  folder = await mkdtemp(join(tmpdir(), 'rmeet-office-test-'));
  server = await startTestServer({ soffice: SOFFICE });
  [alice, bob] = [await signIn(server, 'alice'), await signIn(server, 'bob')];
  ({ meetId } = await book(server, alice, { participants: invite(server, 'bob') }));
});
afterAll(async () => {
  await server?.close();
  if (folder) await rm(folder, { recursive: true, force: true });
});

/** Uploads an office file and returns the path of the PDF that a participant is shown. */
async function shownPdf(name: string, content: Buffer): Promise<string> {
  await uploadTo(server, alice, meetId, name, content);
  const { id, preview } = await fileNamed(bob, meetId, name);
  expect(preview).toBe('office');
  const asked = { params: { id } };
  expect(await bob.meetingFiles.preview(asked)).toEqual({ state: 'converting', as: 'pdf', url: '' });
  await server.rounds.convertFiles();
  const { state, url } = await bob.meetingFiles.preview(asked);
  expect(state).toBe('ready');
  const shown = await fetch(server.origin + url);
  expect(shown.headers.get('content-type')).toBe('application/pdf');
  expect(shown.headers.get('content-security-policy')).toMatch(/default-src 'none'.*sandbox$/);
  const path = join(folder, `${name}.pdf`);
  await writeFile(path, Buffer.from(await shown.arrayBuffer()));
  return path;
}
const textOf = async (pdf: string): Promise<string> => (await run('pdftotext', ['-layout', pdf, '-'])).stdout;

const paragraphs = frame('<draw:text-box><text:p>季度总结 Quarter</text:p></draw:text-box>');

/** PowerPoint slides, which LibreOffice writes. */
async function powerPoint(): Promise<Buffer> {
  await writeFile(join(folder, 'slides.odp'), slides(paragraphs));
  const profile = `-env:UserInstallation=file://${folder}/profile`;
  await run(SOFFICE, [profile, '--headless', '--convert-to', 'pptx', '--outdir', folder, join(folder, 'slides.odp')]);
  return readFile(join(folder, 'slides.pptx'));
}

describe.skipIf(OFFICE_SKIPPED)(`office files by LibreOffice${OFFICE_SKIPPED}`, () => {
  test.each<[string, string, () => Promise<Buffer>, string[]]>([
    ['Word', 'report.docx', () => wordFile('病区会议纪要', 'Ward round'), ['病区会议纪要', 'Ward round']],
    [
      'Excel',
      'beds.xlsx',
      async () =>
        Buffer.from(
          await workbookOf([
            ['科室', '床位'],
            ['外科', 42],
          ]),
          'base64',
        ),
      ['科室', '外科', '42'],
    ],
    ['PowerPoint', 'quarter.pptx', powerPoint, ['季度总结', 'Quarter']],
    ['OpenDocument slides', 'quarter.odp', async () => slides(paragraphs), ['季度总结']],
    ['RTF', 'note.rtf', async () => Buffer.from(String.raw`{\rtf1\ansi \u20250?\u35758? minutes}`), ['会议 minutes']],
    ['Word with the name of a picture', 'photo.png', () => wordFile('不是图片'), ['不是图片']],
  ])(
    '%s is shown as a PDF with its Chinese',
    async (_, name, content, texts) => {
      const found = await textOf(await shownPdf(name, await content()));
      for (const text of texts) expect(found).toContain(text);
    },
    120_000,
  );

  test.each<[string, string, () => Promise<Buffer>]>([
    ['a ZIP file that is no office file', 'a.docx', async () => Buffer.from('PK\x03\x04 not a ZIP file')],
    ['a Word file that ends early', 'b.docx', async () => (await wordFile('Ward round')).subarray(0, -500)],
    ['a Word file that is not XML inside', 'c.docx', async () => linkingWordFile([], '<w:p></w:r>')],
  ])(
    '%s is not shown',
    async (_, name, content) => {
      await uploadTo(server, alice, meetId, name, await content());
      const asked = { params: { id: (await fileNamed(bob, meetId, name)).id } };
      expect(await codeOf(bob.meetingFiles.preview(asked))).toBeOneOf(['OK', 'FILE_NOT_SHOWN']);
      await server.rounds.convertFiles();
      expect(await codeOf(bob.meetingFiles.preview(asked))).toBe('FILE_NOT_SHOWN');
    },
    120_000,
  );
});

describe.skipIf(OFFICE_SKIPPED)(`hostile office files${OFFICE_SKIPPED}`, () => {
  test('read no file of the server, and open no connection', async () => {
    const secret = join(folder, 'secret.png');
    await writeFile(secret, redPicture(61, 67));
    let requests = 0;
    const listener = createServer((_request, response) => {
      requests += 1;
      response.end(redPicture(61, 67));
    }).listen(0, '127.0.0.1');
    await once(listener, 'listening');
    const url = `http://127.0.0.1:${(listener.address() as AddressInfo).port}/a.png`;
    const image = (href: string) => frame(`<draw:image xlink:href="${href}" xlink:type="simple"/>`);
    try {
      for (const [name, content] of [
        ['links.docx', linkingWordFile([`file://${secret}`, url])],
        ['links.odp', slides(image(`file://${secret}`) + image(url) + paragraphs)],
      ] as const) {
        const pdf = await shownPdf(name, content);
        expect((await run('pdfimages', ['-list', pdf])).stdout).not.toMatch(/\b61\s+67\b/);
      }
      expect(requests).toBe(0);
    } finally {
      listener.close();
    }
  }, 120_000);

  /** Whether a process has this folder in its command line. */
  async function isRunning(where: string): Promise<boolean> {
    const ids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
    const lines = await Promise.all(ids.map((id) => readFile(`/proc/${id}/cmdline`, 'utf8').catch(() => '')));
    return lines.some((line) => line.includes(where));
  }

  test('are stopped with all their processes when their time is over', async () => {
    const own = await mkdtemp(join(folder, 'time-'));
    const file = join(own, 'file.docx');
    // 60 MB of text in 200 KB.
    const text = '<w:p><w:r><w:t>Lorem ipsum dolor sit amet</w:t></w:r></w:p>'.repeat(1_000_000);
    await writeFile(file, linkingWordFile([], text));
    const began = Date.now();
    await expect(runConverter(SOFFICE, own, file, { time: 4_000, memory: 4 * 2 ** 30 })).rejects.toThrow('a signal');
    expect(Date.now() - began).toBeLessThan(10_000);
    await expect.poll(() => isRunning(own)).toBe(false);
  }, 60_000);

  test('get memory up to a limit, files up to one, and nothing of the server', async () => {
    const own = await mkdtemp(join(folder, 'memory-'));
    const soffice = join(own, 'soffice');
    const gives = async (python: string): Promise<string> => {
      const script = `${python}\nopen("file.pdf", "w").write("made")`;
      await writeFile(soffice, `#!/bin/sh\nexec /usr/bin/python3 -c '${script}'\n`);
      await chmod(soffice, 0o755);
      return runConverter(soffice, own, join(own, 'file.docx')).then(
        () => 'made',
        () => 'failed',
      );
    };
    const outside = JSON.stringify(join(folder, 'secret.png'));
    expect(await gives('x = bytearray(2 ** 30)')).toBe('made');
    expect(await gives('x = bytearray(5 * 2 ** 30)')).toBe('failed');
    expect(await gives('open("big", "w").truncate(2 * 2 ** 30)')).toBe('failed');
    expect(await gives(`open(${outside}).close()`)).toBe('failed');
    expect(await gives('open("/etc/passwd").close()')).toBe('failed');
    expect(await gives('import os; assert "DATABASE_URL" not in os.environ; assert os.getpid() < 20')).toBe('made');
  }, 60_000);

  test('are not converted where there is no sandbox, and the log says why', () => {
    const warnings: unknown[] = [];
    const log = { warn: (line: unknown) => warnings.push(line) } as never;
    expect(usableConverter(SOFFICE, log)).toBe(SOFFICE);
    const before = process.env['PATH'];
    process.env['PATH'] = '/nowhere';
    try {
      expect(usableConverter(SOFFICE, log)).toBeUndefined();
    } finally {
      process.env['PATH'] = before;
    }
    expect(usableConverter('/nowhere/soffice', log)).toBeUndefined();
    expect(warnings).toHaveLength(2);
  });
});
