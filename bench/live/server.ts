import { randomBytes, randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { contract } from '@rmeet/contract';
import { Delivery, fastPath } from '../../apps/server/src/modules/live/delivery/index.ts';
import { createWatchSignatures } from '../../apps/server/src/modules/live/watch/signature.ts';
import type { Db } from '../../apps/server/src/platform/db/index.ts';
import { createHttp, mount } from '../../apps/server/src/platform/http/index.ts';
import { createLog } from '../../apps/server/src/platform/log/log.ts';
import { openSecretBox } from '../../apps/server/src/platform/secrets/index.ts';

/** A server process that delivers one broadcast. Its right is a signature that is checked with each request. */
const { secret, id, recordingId, originUrl, from } = JSON.parse(process.argv[2]!) as {
  secret: string;
  id: string;
  recordingId: string;
  originUrl: string;
  from: number;
};
const signatures = createWatchSignatures(openSecretBox('', randomBytes(32).toString('base64')), () => new Date());
const sign = signatures.sign(id, randomUUID(), 3_600);
const admission = { recordingId, spans: [{ from, until: null }], isOver: false };
const log = createLog('bench', 'warn');
const delivery = new Delivery({
  originOf: async () => originUrl,
  secret,
  now: () => new Date(),
  log,
  // As the product checks it; what it remembers of the broadcast is in memory, too.
  admit: async (of, given) => (signatures.check(of, given) === undefined ? undefined : admission),
});
// Nothing here asks the database.
const bypasses = [fastPath(delivery)];
const app = await createHttp({ log, db: {} as Db, authenticate: async () => 'UNAUTHORIZED', bypasses });
const { playlist, media } = contract.watch;
mount(app, { playlist, media }, { playlist: delivery.playlist, media: delivery.media });
const hls = readFileSync(new URL('../../node_modules/hls.js/dist/hls.light.min.js', import.meta.url));
app.get('/hls.js', (_request, reply) => reply.type('text/javascript').send(hls));
app.get('/player', (_request, reply) =>
  reply.type('text/html').send('<!doctype html><video muted></video><script src="/hls.js"></script>'),
);
await app.listen({ port: 0, host: '127.0.0.1' });
process.send!({ port: (app.server.address() as AddressInfo).port, sign });
