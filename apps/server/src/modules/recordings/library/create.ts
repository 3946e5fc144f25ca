import type { Db } from '../../../platform/db/index.ts';
import type { SecretBox } from '../../../platform/secrets/index.ts';
import type { Storage } from '../../../platform/storage/index.ts';
import { createIndexFiles } from './index-file.ts';
import { createPlayback } from './playback.ts';
import type { LibraryServices } from './routes.ts';
import { createLibrary } from './service.ts';
import { createSignatures } from './signature.ts';

export interface LibraryOptions {
  db: Db;
  storage: Storage;
  secrets: SecretBox;
  now: () => Date;
}

/** The services of stored recordings. */
export function createRecordingLibrary({ db, storage, secrets, now }: LibraryOptions): LibraryServices {
  const indexes = createIndexFiles(storage);
  const signatures = createSignatures(secrets, now);
  return {
    library: createLibrary({ db, indexes, now }),
    playback: createPlayback({ db, storage, indexes, signatures, now }),
  };
}
