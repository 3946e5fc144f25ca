import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { newId } from '../../src/platform/db/index.ts';
import { createJobs, type JobRunner } from '../../src/platform/jobs/index.ts';
import { openTestDb, quiet, type TestDb } from './support/db.ts';

let opened: TestDb;
let jobs: JobRunner;
const done: string[] = [];
let failuresLeft = 1;

beforeAll(async () => {
  opened = await openTestDb();
  jobs = createJobs(opened.jobStore, quiet);
  jobs.define('note', z.object({ text: z.string() }), async ({ text }) => void done.push(text));
  jobs.define('unsteady', z.object({}), async () => {
    failuresLeft -= 1;
    if (failuresLeft >= 0) throw new Error('not this time');
    done.push('unsteady');
  });
  jobs.define(
    'hopeless',
    z.object({}),
    async (_, { isLast }) => {
      done.push(isLast ? 'hopeless for good' : 'hopeless so far');
      throw new Error('never');
    },
    { retries: 1 },
  );
  jobs.define('nightly', z.object({}), async () => undefined);
  jobs.every('nightly', '17 3 * * *', { expiresAfter: 23 * 3_600 });
  await jobs.start();
});
afterAll(async () => {
  await jobs.stop();
  await opened.drop();
});

const finished = (text: string) => expect.poll(() => done, { timeout: 30_000 }).toContain(text);

test('a job is executed', async () => {
  await jobs.send(undefined, 'note', { text: 'plain' });
  await finished('plain');
});

test('a job sent in a transaction is executed after the commit, and not after a rollback', async () => {
  const tenantId = newId();
  await expect(
    opened.db.tenant(tenantId, async (tx) => {
      await jobs.send(tx, 'note', { text: 'rolled back' });
      throw new Error('second thoughts');
    }),
  ).rejects.toThrow('second thoughts');
  await opened.db.tenant(tenantId, (tx) => jobs.send(tx, 'note', { text: 'committed' }));
  await finished('committed');
  expect(done).not.toContain('rolled back');
});

test('a job waits for its time', async () => {
  await jobs.send(undefined, 'note', { text: 'later' }, { startAfter: new Date(Date.now() + 3_600_000) });
  await jobs.send(undefined, 'note', { text: 'now' });
  await finished('now');
  expect(done).not.toContain('later');
});

test('a job that fails is tried again, and knows its last attempt', async () => {
  await jobs.send(undefined, 'unsteady', {});
  await jobs.send(undefined, 'hopeless', {});
  await finished('unsteady');
  await finished('hopeless for good');
  expect(done.filter((text) => text.startsWith('hopeless'))).toEqual(['hopeless so far', 'hopeless for good']);
});

test('a job that is not defined is refused', async () => {
  await expect(jobs.send(undefined, 'unknown', {})).rejects.toThrow('Job unknown is not defined.');
});
