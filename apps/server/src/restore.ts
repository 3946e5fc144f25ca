import { parseArgs } from 'node:util';
import { pathGiven, restore, runProgram, WrongUse } from './platform/backup/index.ts';

/** `npm run restore -- <file> [--replace]`: brings a backup in, into the embedded database or PostgreSQL. */
await runProgram(async (config, log) => {
  const { positionals, values } = parseArgs({
    allowPositionals: true,
    options: { replace: { type: 'boolean', default: false } },
  });
  const [given] = positionals;
  if (given === undefined) throw new WrongUse('Name the file to read: npm run restore -- <file> [--replace]');
  const { head, rows } = await restore(config, pathGiven(given), { replace: values.replace }, log);
  return `${rows} rows of ${head.createdAt} are back. Start the server with npm start.`;
});
