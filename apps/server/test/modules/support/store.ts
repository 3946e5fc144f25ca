import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { s3Program, startS3, type S3Server } from '@rmeet/testkit';
import type { Storage } from '../../../src/platform/storage/index.ts';
import { copyTemplate, type Content } from './template.ts';

/** The data of a test server; it outlives the server, so that another one can continue with it. */
export interface Store {
  folder: string;
  databaseUrl: string;
  /** Where its files are in the run of the matrix on S3; otherwise they are in the folder. */
  bucket?: S3Server | undefined;
  remove(): Promise<void>;
}

/** A new store, with its own database. */
export async function makeStore(content: Content = 'tables'): Promise<Store> {
  const folder = await mkdtemp(join(tmpdir(), 'rmeet-modules-'));
  const database = await copyTemplate(content);
  const bucket = s3Program === undefined ? undefined : await startS3();
  return {
    folder,
    databaseUrl: database.url,
    bucket,
    async remove() {
      await database.drop();
      await bucket?.remove();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** The keys of the stored files below a folder of the storage. */
export async function storedKeys(storage: Storage, folder: string): Promise<string[]> {
  const keys: string[] = [];
  for await (const { key } of storage.list(folder)) keys.push(key);
  return keys;
}
