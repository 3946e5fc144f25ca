import { join } from 'node:path';
import type { Config } from '../config/index.ts';
import type { Log } from '../log/log.ts';
import { localStorage } from './local.ts';
import { s3Storage, StorageUnusable } from './s3.ts';
import { StorageUnavailable, type Storage } from './storage.ts';

type StorageConfig = Pick<Config, 'dataFolder' | 's3'>;

/** The folder of stored files in the data folder. */
export const filesFolder = ({ dataFolder }: Pick<Config, 'dataFolder'>): string => join(dataFolder, 'files');

/** The files of this installation: in the bucket of RMEET_S3_BUCKET, else in the data folder. */
export function storageOf({ dataFolder, s3 }: StorageConfig): Storage {
  return s3?.bucket === undefined ? localStorage(filesFolder({ dataFolder })) : s3Storage({ ...s3, bucket: s3.bucket });
}

/** Another storage that an operator names: `s3://bucket/prefix` at the server of RMEET_S3_ENDPOINT, or a folder. */
export function storageAt(place: string, { s3 }: Pick<Config, 's3'>): Storage {
  if (!place.startsWith('s3://')) return localStorage(place);
  const { bucket, prefix } = /^s3:\/\/(?<bucket>[^/]+)(?:\/(?<prefix>.*?))?\/?$/.exec(place)?.groups ?? {};
  if (!s3 || bucket === undefined)
    throw new StorageUnusable(`To use ${place}, set RMEET_S3_ENDPOINT, RMEET_S3_KEY and RMEET_S3_SECRET.`);
  return s3Storage({ ...s3, bucket, prefix: prefix ? `${prefix}/` : '' });
}

/**
 * The files of this installation, checked at the start. A bucket that does not answer now may do so later.
 *
 * @throws StorageUnusable if a person has to change something
 */
export async function openStorage(config: StorageConfig, log: Log): Promise<Storage> {
  const storage = storageOf(config);
  if (config.s3?.bucket === undefined) return storage;
  for await (const { key } of localStorage(filesFolder(config)).list()) {
    throw new StorageUnusable(
      `Files in ${filesFolder(config)}, for example ${key}, are not in the bucket ${config.s3.bucket} yet. Run ` +
        'npm run move-files, then start again.',
    );
  }
  try {
    await s3Storage({ ...config.s3, bucket: config.s3.bucket }).check();
  } catch (error) {
    if (!(error instanceof StorageUnavailable)) throw error;
    log.warn({ error }, 'The S3 server does not answer: files cannot be stored or read until it does');
  }
  return storage;
}
