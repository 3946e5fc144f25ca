import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { readConfig } from '../../src/platform/config/index.ts';
import { localStorage, openStorage } from '../../src/platform/storage/index.ts';
import { quiet, tempFolder } from './support/db.ts';
import { S3_SKIPPED, s3Program, startS3 } from '@rmeet/testkit';

const PROGRAM = fileURLToPath(new URL('../../src/move-files.ts', import.meta.url));

test.skipIf(s3Program === undefined)(
  `a data folder's files must be moved to the bucket before the start, and can be moved back${S3_SKIPPED}`,
  { timeout: 30_000 },
  async () => {
    const [folder, server] = [await tempFolder(), await startS3()];
    try {
      const env = {
        RMEET_DATA: folder.path,
        RMEET_S3_ENDPOINT: server.settings.endpoint,
        RMEET_S3_BUCKET: 'files',
        RMEET_S3_KEY: server.settings.accessKey,
        RMEET_S3_SECRET: server.settings.secret,
        RMEET_S3_PREFIX: 'meet',
      };
      const own = localStorage(join(folder.path, 'files'));
      const names = ['uploads/a', 'uploads/b', 'recordings/r/programme/segment-1-1.m4s'];
      for (const name of names) await own.put(name, Buffer.from(name));
      const move = (...args: string[]): Promise<{ stdout: string }> =>
        promisify(execFile)(process.execPath, [PROGRAM, ...args], { env: { PATH: process.env['PATH'], ...env } });

      await expect(openStorage(readConfig(env), quiet)).rejects.toThrow('Run npm run move-files, then start again.');
      expect((await move()).stdout).toBe('3 files are in the bucket files. Start the server with npm start.\n');
      const bucket = await openStorage(readConfig(env), quiet);
      for (const name of names) expect(await text(await bucket.get(name))).toBe(name);
      expect(await own.stat('uploads/a')).toBeUndefined();

      expect((await move('--back')).stdout).toContain('Unset RMEET_S3_BUCKET, then start the server.');
      for (const name of names) expect(await text(await own.get(name))).toBe(name);
      expect(await bucket.stat('uploads/a')).toBeUndefined();
    } finally {
      await server.remove();
      await folder.remove();
    }
  },
);

test('without a bucket, the command says what to set', async () => {
  const folder = await tempFolder();
  try {
    const env = { PATH: process.env['PATH'], RMEET_DATA: folder.path };
    await expect(promisify(execFile)(process.execPath, [PROGRAM], { env })).rejects.toMatchObject({
      stderr: 'Set RMEET_S3_BUCKET to the bucket for stored files.\n',
    });
  } finally {
    await folder.remove();
  }
});
