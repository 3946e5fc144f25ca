import { parseArgs } from 'node:util';
import { moveFormerDatabase, ownVersion, pathGiven, runProgram } from './platform/backup/index.ts';

/** `npm run move-database`: the database of an earlier version of Rmeet into the one of this version. */
await runProgram(async (config, log) => {
  const { values } = parseArgs({ options: { with: { type: 'string' } } });
  const rows = await moveFormerDatabase(config, {
    packageFolder: values.with === undefined ? undefined : pathGiven(values.with),
    version: await ownVersion(),
    log,
  });
  return (
    `${rows} rows were moved; the former database is kept in ` +
    `${config.dataFolder}/database.former. Start the server with npm start.`
  );
});
