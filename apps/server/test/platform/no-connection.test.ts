import { freePort } from '@rmeet/testkit';
import { expect, test } from 'vitest';
import { sqlError } from '../../src/platform/db/index.ts';
import { inTransaction, openPool } from '../../src/platform/db/postgres.ts';
import { toAppError } from '../../src/platform/http/calls/errors.ts';
import { quiet } from './support/db.ts';

test('a database without free connection gives SERVICE_BUSY, not SERVER_ERROR', async () => {
  const pool = openPool(`postgres://rmeet@127.0.0.1:${await freePort()}/rmeet`, quiet);
  const failure = await inTransaction(pool, quiet, 'begin', () => Promise.resolve('reached')).catch(
    (error: unknown) => error,
  );
  expect(sqlError(failure)?.code).toBe('08001');
  expect(toAppError(failure, 'r1')).toMatchObject({ code: 'SERVICE_BUSY' });
  await pool.end();
});
