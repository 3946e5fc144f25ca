import { parseArgs } from 'node:util';
import { runProgram } from './platform/backup/index.ts';
import { holdDataFolder } from './platform/db/embedded.ts';
import { filesFolder, localStorage, moveFiles, storageOf, StorageUnusable } from './platform/storage/index.ts';

/** `npm run move-files [-- --back]`: moves stored files from the data folder to the bucket, or back. */
await runProgram(async (config) => {
  const { values } = parseArgs({ options: { back: { type: 'boolean', default: false } } });
  if (config.s3?.bucket === undefined) throw new StorageUnusable('Set RMEET_S3_BUCKET to the bucket for stored files.');
  const lock = await holdDataFolder(config.dataFolder);
  try {
    const [folder, bucket] = [localStorage(filesFolder(config)), storageOf(config)];
    const moved = await (values.back ? moveFiles(bucket, folder) : moveFiles(folder, bucket));
    return values.back
      ? `${moved} files are in ${filesFolder(config)}. Unset RMEET_S3_BUCKET, then start the server.`
      : `${moved} files are in the bucket ${config.s3.bucket}. Start the server with npm start.`;
  } finally {
    await lock.release();
  }
});
