import { join } from 'node:path';
import { z } from 'zod';
import type { Db } from '../../../platform/db/index.ts';
import type { Jobs } from '../../../platform/jobs/types.ts';
import type { Log } from '../../../platform/log/log.ts';
import type { SecretBox } from '../../../platform/secrets/index.ts';
import type { Storage } from '../../../platform/storage/index.ts';
import { createExports } from './exports.ts';
import { createGrants } from './grants.ts';
import { createIndexFiles } from './index-file.ts';
import { createPlayback } from './playback.ts';
import { createProgramme, type Programme } from './programme.ts';
import { createRemoval, PURGE, purgeGone, retireRecordings, sweepRecordings } from './removal.ts';
import type { LibraryServices } from './routes.ts';
import { createLibrary } from './service.ts';
import { createShares } from './shares.ts';
import { createShareViews } from './share-views.ts';
import { createSignatures } from './signature.ts';
import { storeTexts } from './texts.ts';

export interface LibraryOptions {
  db: Db;
  storage: Storage;
  secrets: SecretBox;
  jobs: Jobs;
  log: Log;
  now: () => Date;
  publicUrl: () => string | null;
  dataFolder: string;
}

/** The periodic tasks of the library, one round each. */
export interface LibraryRounds {
  /** Makes ended recordings searchable, begins interrupted exports again, and deletes expired ones. */
  tidyRecordings(): Promise<void>;
  /** Retention, the bin, and files of deleted recordings. */
  retireRecordings(): Promise<void>;
  /** Deletes stored recordings that the database does not know. */
  sweepRecordings(): Promise<number>;
}

/** The services of stored recordings; defines their jobs. */
export function createRecordingLibrary(
  options: LibraryOptions,
): LibraryServices & { rounds: LibraryRounds; programme: Programme } {
  const { db, storage, secrets, jobs, log, now, publicUrl, dataFolder } = options;
  const indexes = createIndexFiles(storage);
  const views = createShareViews({ db, indexes, now });
  const folder = join(dataFolder, 'recording-exports');
  const exports = createExports({ db, storage, indexes, jobs, log, now, folder });
  const removal = { db, storage, jobs, log, now };
  const rounds: LibraryRounds = {
    async tidyRecordings() {
      await storeTexts({ db, now });
      await exports.tidy();
    },
    retireRecordings: () => retireRecordings(removal),
    sweepRecordings: () => sweepRecordings(removal),
  };
  const nothing = z.object({});
  jobs.define('recordings-tidy', nothing, () => rounds.tidyRecordings());
  jobs.every('recordings-tidy', '* * * * *');
  jobs.define('recordings-retire', nothing, () => rounds.retireRecordings());
  jobs.every('recordings-retire', '11 * * * *');
  jobs.define('recordings-sweep', nothing, async () => {
    await rounds.sweepRecordings();
  });
  jobs.every('recordings-sweep', '47 3 * * 0');
  jobs.define(PURGE, nothing, async () => {
    await purgeGone(removal);
  });
  return {
    library: createLibrary({ db, indexes, exports, now }),
    grants: createGrants({ db, now, publicUrl }),
    removal: createRemoval(removal),
    playback: createPlayback({ db, storage, indexes, signatures: createSignatures(secrets, now), views, log, now }),
    exports,
    shares: createShares({ db, now, publicUrl }),
    views,
    programme: createProgramme({ storage, indexes }),
    rounds,
  };
}
