import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from './port.ts';
import { until } from './wait.ts';

/** The program of an S3 server (versitygw), which the matrix builds; undefined: tests on S3 are skipped. */
export const s3Program = process.env['RMEET_TEST_S3_SERVER'];
export const S3_SKIPPED = s3Program === undefined ? ' (skipped: RMEET_TEST_S3_SERVER is not set)' : '';

const [KEY, SECRET] = ['test-key', 'test-secret'];

/** How the product reaches a bucket: its `S3Settings`. */
interface BucketSettings {
  endpoint: string;
  publicEndpoint: string | undefined;
  region: string;
  bucket: string;
  accessKey: string;
  secret: string;
  prefix: string;
  addressing: 'path' | 'host';
}

export interface S3Server {
  settings: BucketSettings;
  /** Where it keeps its buckets: each is a folder in this one, with the files of the bucket. */
  folder: string;
  /** Adds a bucket. */
  addBucket(name: string): void;
  /** Ends the server; what it stores stays. */
  away(): Promise<void>;
  /** Starts it again at the same address. */
  back(): Promise<void>;
  /** Suspends it, so that it accepts connections and does not answer, or resumes it. */
  halt(isHalted: boolean): void;
  remove(): Promise<void>;
}

/**
 * An S3 server with one bucket, `files`, in a folder of its own.
 *
 * @param corsOrigin whose pages may read from it
 */
export async function startS3({
  program = s3Program ?? '',
  corsOrigin,
}: { program?: string; corsOrigin?: string | undefined } = {}): Promise<S3Server> {
  const folder = mkdtempSync(join(tmpdir(), 'rmeet-s3-'));
  const port = await freePort();
  const endpoint = `http://127.0.0.1:${port}`;
  let child: ChildProcess | undefined;
  const back = async (): Promise<void> => {
    const cors = corsOrigin === undefined ? [] : ['--cors-allow-origin', corsOrigin];
    const options = ['--port', `127.0.0.1:${port}`, '--quiet', '--keep-alive', ...cors];
    child = spawn(program, [...options, 'posix', folder], {
      env: { ...process.env, ROOT_ACCESS_KEY: KEY, ROOT_SECRET_KEY: SECRET },
      stdio: 'ignore',
    });
    await until('the S3 server answers', () =>
      fetch(endpoint).then(
        () => true,
        () => false,
      ),
    );
  };
  const away = async (): Promise<void> => {
    if (!child || child.exitCode !== null || child.signalCode !== null) return;
    const ended = once(child, 'exit');
    child.kill('SIGKILL');
    await ended;
  };
  const addBucket = (name: string): void => mkdirSync(join(folder, name));
  addBucket('files');
  await back();
  return {
    settings: {
      endpoint,
      publicEndpoint: undefined,
      region: 'us-east-1',
      bucket: 'files',
      accessKey: KEY,
      secret: SECRET,
      prefix: 'rmeet/',
      addressing: 'path',
    },
    folder,
    addBucket,
    away,
    back,
    halt: (isHalted) => void child?.kill(isHalted ? 'SIGSTOP' : 'SIGCONT'),
    async remove() {
      await away();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
