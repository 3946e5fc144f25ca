import { existsSync } from 'node:fs';
import { parseArgs } from 'node:util';
import {
  backUp,
  copyRecordings,
  ownVersion,
  pathGiven,
  placeGiven,
  progressLine,
  recordingsOf,
  refuseFailed,
  runProgram,
  WrongUse,
} from './platform/backup/index.ts';
import { storageAt, storageOf } from './platform/storage/index.ts';

/**
 * `npm run backup -- <file> [--files <place>]`: everything this installation keeps, in one file, while it runs or not;
 * with `--files`, new files of recordings are also copied to a folder or `s3://bucket/prefix`.
 */
await runProgram(async (config, log) => {
  const { positionals, values } = parseArgs({ allowPositionals: true, options: { files: { type: 'string' } } });
  const [given] = positionals;
  if (given === undefined)
    throw new WrongUse('Name the file to write: npm run backup -- <file> [--files <folder or s3://bucket/prefix>]');
  const path = pathGiven(given);
  if (existsSync(path)) throw Object.assign(new Error('EEXIST'), { code: 'EEXIST', path });
  const place = values.files === undefined ? undefined : placeGiven(values.files);
  const target = place === undefined ? undefined : storageAt(place, config);
  const started = Date.now();
  const { rows, files, recordings } = await backUp(config, path, await ownVersion(), log);
  const written =
    `${path}: ${rows} rows and ${files} files in ${((Date.now() - started) / 1_000).toFixed(1)} s. It holds ` +
    'every secret of this installation; keep it safe.';
  const count = recordingsOf(recordings).size;
  if (!target || place === undefined)
    return count === 0 ? written : `${written} It lists ${count} recordings, but does not contain them (--files).`;
  const copied = await copyRecordings(recordings, storageOf(config), target, progressLine());
  refuseFailed(copied, `${path} is complete`);
  return `${written} ${copied.files} new files of ${count} recordings were copied to ${place}.`;
});
