import { eq } from 'drizzle-orm';
import type { IngestAddresses } from '@rmeet/contract';
import type { TenantTx } from '../../../platform/db/index.ts';
import type { SecretBox } from '../../../platform/secrets/index.ts';
import { broadcastIngest, type IngestHostRow } from '../ingest/tables.ts';
import { WHIP_PATH } from '../ingest/whip.ts';
import type { BroadcastRow } from '../tables.ts';
import { streamKeyOf } from './secrets.ts';

interface IngestDeps {
  secrets: SecretBox;
  ingestUrl: string | undefined;
  /** Where processes of this machine take streams by RTMP; 0: nowhere. */
  ingestPort: number;
}

/** Where an encoder sends the stream of a broadcast. */
export async function ingestOf(
  tx: TenantTx,
  { origin }: { origin: string },
  { id }: BroadcastRow,
  hosts: readonly IngestHostRow[],
  { secrets, ingestUrl, ingestPort }: IngestDeps,
): Promise<IngestAddresses | null> {
  const row = await tx.findOne(broadcastIngest, eq(broadcastIngest.broadcastId, id));
  if (!row) return null;
  const key = streamKeyOf(secrets, row);
  // No process takes streams long before a broadcast; encoders are set up then, too.
  const port = hosts.find(({ rtmpPort }) => rtmpPort !== null)?.rtmpPort ?? ingestPort;
  const own = port === 0 ? null : `rtmp://${new URL(origin).hostname}:${port}/live`;
  const server = ingestUrl ?? own;
  return {
    rtmp: server === null ? null : { server, key },
    whip: { address: `${origin}${WHIP_PATH}`, token: key },
  };
}
