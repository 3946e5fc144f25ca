import { parseArgs } from 'node:util';
import {
  bringBack,
  pathGiven,
  placeGiven,
  progressLine,
  recordingsOf,
  refuseFailed,
  restore,
  runProgram,
  WrongUse,
} from './platform/backup/index.ts';
import { storageAt, storageOf } from './platform/storage/index.ts';

/**
 * `npm run restore -- <file> [--replace] [--files <place>]`: brings a backup in, into the embedded database or
 * PostgreSQL; with `--files`, also the files of recordings that are missing here.
 */
await runProgram(async (config, log) => {
  const { positionals, values } = parseArgs({
    allowPositionals: true,
    options: { replace: { type: 'boolean', default: false }, files: { type: 'string' } },
  });
  const [given] = positionals;
  if (given === undefined)
    throw new WrongUse(
      'Name the file to read: npm run restore -- <file> [--replace] [--files <folder or s3://bucket/prefix>]',
    );
  const place = values.files === undefined ? undefined : placeGiven(values.files);
  const source = place === undefined ? undefined : storageAt(place, config);
  const { head, rows, missing } = await restore(config, pathGiven(given), { replace: values.replace }, log);
  const lines = [`${rows} rows of ${head.createdAt} are back. Start the server with npm start.`];
  if (source) {
    const copied = await bringBack(missing, source, storageOf(config), progressLine());
    refuseFailed(copied, 'the rows are back');
    lines.push(`${copied.files} files of recordings are back.`);
  } else {
    for (const [id, files] of recordingsOf(missing)) lines.push(`Recording ${id} lacks ${files} files.`);
    if (missing.length > 0) lines.push('Name the place of their copies: --replace --files <folder or s3://...>.');
  }
  return lines.join('\n');
});
