import { eq } from 'drizzle-orm';
import type { RecordingSettings } from '@rmeet/contract';
import { tenant } from '../../../src/modules/accounts/tenants/tables.ts';
import { recording, recordingGrant, type RecordingRow } from '../../../src/modules/recordings/tables.ts';
import type { StoredRecording } from '../../../../../packages/recorder/test/stored-recording.ts';
import { send } from './client.ts';
import type { TestServer } from './server.ts';

/** The parameters of calls about a recording. */
export const of = ({ id }: StoredRecording) => ({ params: { id } });

export const rowOf = (server: TestServer, { id }: StoredRecording): Promise<RecordingRow | undefined> =>
  server.db.platform((tx) => tx.findOne(recording, eq(recording.id, id)));

export const setRow = (server: TestServer, { id }: StoredRecording, values: Partial<RecordingRow>) =>
  server.db.platform((tx) => tx.update(recording, values, eq(recording.id, id)));

/** Grants the recordings of a meeting to an account. */
export async function grantRecording(server: TestServer, { meetId, tenantId }: StoredRecording, account: string) {
  const accountId = server.people.get(account)?.id ?? '';
  await server.db.tenant(tenantId, (tx) =>
    tx.insert(recordingGrant, { meetingId: meetId, accountId, grantedAt: server.clock.now() }, 'nothing'),
  );
}

export const setTenant = (
  server: TestServer,
  { tenantId }: StoredRecording,
  { watchedBy, keptDays }: Partial<Pick<RecordingSettings, 'watchedBy' | 'keptDays'>>,
) =>
  server.db.platform((tx) =>
    tx.update(
      tenant,
      {
        ...(watchedBy && { recordingWatchedBy: watchedBy }),
        ...(keptDays !== undefined && { recordingKeptDays: keptDays }),
      },
      eq(tenant.tenantId, tenantId),
    ),
  );

/** Every media address of a recording, as playlists name them, without a signature. */
export const addressesOf = ({ id, index }: StoredRecording): string[] =>
  index.tracks.flatMap(({ id: track, segments }) => {
    const base = `/api/api/v1/recordings/${id}/tracks/${track}/`;
    const inits = [...new Set(segments.map(({ init }) => `init-${init}.mp4`))];
    const files = segments.map(({ init, number }) => `segment-${init}-${number}.m4s`);
    return ['playlist.m3u8', ...inits, ...files].map((file) => base + file);
  });

/** The status codes with which addresses answer, each once. */
export async function statusesOf(server: TestServer, addresses: readonly string[], sign: string): Promise<number[]> {
  const seen = new Set<number>();
  for (const address of addresses) {
    const query = new URLSearchParams({ sign }).toString();
    seen.add((await send(server, 'GET', `${address}?${query}`)).httpStatus);
  }
  return [...seen];
}
