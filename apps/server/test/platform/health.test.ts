import { startServer, until } from '@rmeet/testkit';
import { createDatabase } from '@rmeet/testkit/database';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { localStorage } from '../../src/platform/storage/index.ts';
import { adminUrl } from '../modules/support/template.ts';
import { smallDisk, smallDiskMissing, type SmallDisk } from './support/small-disk.ts';

const missing = smallDiskMissing();
describe.skipIf(missing !== undefined)(
  `on a disk that fills${missing === undefined ? '' : ` (skipped: ${missing})`}`,
  () => {
    let disk: SmallDisk;
    beforeEach(() => {
      disk = smallDisk(64 * 1_024);
    });
    afterEach(() => disk.remove());

    test('files have room until the disk is full, also where their folder is not made yet', async () => {
      const storages = [localStorage(disk.folder), localStorage(join(disk.folder, 'not', 'made yet'))];
      const haveRoom = (): Promise<boolean[]> => Promise.all(storages.map((storage) => storage.hasRoom()));
      expect(await haveRoom()).toEqual([true, true]);
      const makeRoom = disk.fill();
      expect(await haveRoom()).toEqual([false, false]);
      makeRoom();
      expect(await haveRoom()).toEqual([true, true]);
    });

    test('/readyz reports a full disk for files with an external database, and the product continues', async () => {
      const database = await createDatabase(adminUrl());
      const server = await startServer({
        data: disk.folder,
        env: { DATABASE_URL: database.url, RMEET_SEED: 'none', RMEET_MEDIA_PROCESSES: '1' },
      });
      try {
        const becomes = (status: number, hasDisk: boolean) =>
          until(`/readyz answers ${status}`, async () => {
            const answer = await fetch(`${server.url}/readyz`);
            const found = await answer.json();
            if (answer.status === status) expect(found).toMatchObject({ database: true, media: true, disk: hasDisk });
            return answer.status === status;
          });
        await becomes(200, true);
        const { serverPid } = server.run();
        const makeRoom = disk.fill();
        await becomes(503, false);
        expect((await fetch(`${server.url}/healthz`)).status).toBe(200);
        makeRoom();
        await becomes(200, true);
        expect(server.run().serverPid).toBe(serverPid);
      } finally {
        await server.stop();
        await database.drop();
      }
    });
  },
);
