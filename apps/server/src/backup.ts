import { existsSync } from 'node:fs';
import { backUp, ownVersion, pathGiven, runProgram, WrongUse } from './platform/backup/index.ts';

/** `npm run backup -- <file>`: everything this installation keeps, in one file, while it runs or not. */
await runProgram(async (config, log) => {
  const [given] = process.argv.slice(2);
  if (given === undefined) throw new WrongUse('Name the file to write: npm run backup -- <file>');
  const path = pathGiven(given);
  if (existsSync(path)) throw Object.assign(new Error('EEXIST'), { code: 'EEXIST', path });
  const started = Date.now();
  const { rows, files } = await backUp(config, path, await ownVersion(), log);
  return (
    `${path}: ${rows} rows and ${files} files in ${((Date.now() - started) / 1_000).toFixed(1)} s. It holds ` +
    'every secret of this installation; keep it safe.'
  );
});
