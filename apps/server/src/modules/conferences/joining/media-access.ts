import { cameraOf, type Admission } from '@rmeet/contract';
import type { TenantTx } from '../../../platform/db/index.ts';
import type { Context } from '../../../platform/http/index.ts';
import type { Media } from '../../../platform/media/index.ts';
import { tenantOf } from '../../accounts/tenants/index.ts';
import type { TenantRow } from '../../accounts/tenants/tables.ts';
import type { MeetingRow } from '../../meetings/tables.ts';
import { desiredPermission, holdsOf } from '../engine/media-permissions.ts';
import { mediaOf, roomName } from '../engine/media-rooms.ts';
import type { ConferenceRow, TerminalRow } from '../tables.ts';

/**
 * Lifetime of a media token. The engine regularly sends new ones to connected terminals, with their current
 * permissions, so that an old token soon expires.
 */
const TOKEN_SECONDS = 10 * 60;

/** The codec of cameras: viewers of a live meeting get pictures as they are sent, and every browser plays H.264. */
function codecOf({ type, control }: ConferenceRow, { codec }: Pick<TenantRow, 'codec'>): TenantRow['codec'] {
  if (control.e2ee === true) return 'vp8';
  return type === 'LIVE_MEETING' ? 'h264' : codec;
}

/** What a terminal gets when it joins: its place in the waiting room, or access to the media engine. */
export async function admissionOf(
  { tx, media }: { tx: TenantTx; media: Media },
  row: TerminalRow,
  conference: ConferenceRow,
  { template }: Pick<MeetingRow, 'template'>,
  sessionToken: string,
  context: Context,
): Promise<Admission> {
  const session = { meetId: row.meetingId, termId: row.termId, sessionToken };
  const e2ee = conference.control.e2ee === true;
  if (row.state === 'waiting') return { state: 'waiting', ...session, awaitsHost: row.awaitsHost, e2ee };
  const engine = mediaOf(media, conference);
  const token = await engine.token({
    room: roomName(conference),
    identity: row.termId,
    name: row.name,
    metadata: JSON.stringify({ role: row.role }),
    ttlSeconds: TOKEN_SECONDS,
    canSubscribe: true,
    ...desiredPermission(holdsOf(conference.control, row.termId)),
  });
  return {
    state: 'admitted',
    ...session,
    url: engine.url(context),
    token,
    camera: cameraOf(template, codecOf(conference, await tenantOf(tx, conference.tenantId))),
    generation: conference.generation,
    e2ee,
  };
}
