import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { inArray } from 'drizzle-orm';
import { Client } from 'pg';
import { meeting } from '../../src/modules/meetings/tables.ts';
import { signIn } from './support/client.ts';
import { book } from './support/meetings.ts';
import { startTestServer, type TestServer } from './support/server.ts';
import { makeStore, type Store } from './support/store.ts';

/** The embedded database runs one transaction at a time. */
describe('meetings that expire', () => {
  let store: Store;
  let server: TestServer;
  let client: Client;
  beforeAll(async () => {
    store = await makeStore();
    server = await startTestServer({ store });
    client = new Client({ connectionString: store.databaseUrl });
    await client.connect();
  });
  afterAll(async () => {
    await client.end();
    await server.close();
    await store.remove();
  });

  test('are not locked while others are awaited, so that no deadlock aborts another transaction', async () => {
    const alice = await signIn(server, 'alice');
    const [first, second] = [
      await book(server, alice, { startTime: server.clock.in(10), duration: 30 }),
      await book(server, alice, { startTime: server.clock.in(20), duration: 30 }),
    ];
    server.clock.advance({ hours: 3 });
    const hold = (id: string): Promise<unknown> =>
      client.query('update meeting set agenda = $2 where id = $1', [id, 'held']);
    await client.query('begin');
    await hold(second.meetId);
    const lapsing = server.rounds.lapseMeetings();
    await expect
      .poll(async () => (await client.query('select 1 from pg_locks where not granted')).rowCount, { timeout: 10_000 })
      .toBe(1);
    await hold(first.meetId);
    await client.query('commit');
    expect(await lapsing).toBe(2);
    const rows = await server.db.platform((tx) => tx.find(meeting, inArray(meeting.id, [first.meetId, second.meetId])));
    expect(rows.map(({ status, agenda }) => [status, agenda])).toEqual([
      ['OFFLINE', 'held'],
      ['OFFLINE', 'held'],
    ]);
  });
});
