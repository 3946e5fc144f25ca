import { inArray } from 'drizzle-orm';
import { BIN_DAYS, type Recording } from '@rmeet/contract';
import type { TenantTx } from '../../../platform/db/index.ts';
import { tenantOf } from '../../accounts/tenants/index.ts';
import { findAccounts } from '../../accounts/users/index.ts';
import { meeting } from '../../meetings/tables.ts';
import { recordingGrant, type RecordingRow } from '../tables.ts';
import { areOpenToParticipants, rightsTo, type Person } from './access.ts';

const DAY = 86_400_000;

/** When a recording is deleted for good from the bin, or moved there by the retention of its organisation. */
export function expiryOf(
  { deletedAt, endedAt, startedAt }: Pick<RecordingRow, 'deletedAt' | 'endedAt' | 'startedAt'>,
  keptDays: number | null,
): Date | null {
  if (deletedAt) return new Date(deletedAt.getTime() + BIN_DAYS * DAY);
  return keptDays === null ? null : new Date((endedAt ?? startedAt).getTime() + keptDays * DAY);
}

/** Recordings as a person sees them, in order. */
export async function presentRecordings(
  tx: TenantTx,
  person: Person,
  rows: readonly RecordingRow[],
): Promise<Recording[]> {
  if (rows.length === 0) return [];
  const meetingIds = [...new Set(rows.map(({ meetingId }) => meetingId))];
  const meetings = new Map((await tx.find(meeting, inArray(meeting.id, meetingIds))).map((row) => [row.id, row]));
  const grants = await tx.find(recordingGrant, inArray(recordingGrant.meetingId, meetingIds));
  const granted = new Set(grants.map(({ meetingId }) => meetingId));
  const hosts = await findAccounts(tx, [...new Set(rows.map(({ hostId }) => hostId))]);
  const names = new Map(hosts.map(({ id, name }) => [id, name]));
  const tenant = await tenantOf(tx, tx.tenantId);
  const rights = await rightsTo(tx, person, rows);
  return rows.map((row) => {
    const of = meetings.get(row.meetingId);
    if (!of) throw new Error('A recording without its meeting was found.');
    const { manages = false, watches = false } = rights.get(row.id) ?? {};
    return {
      id: row.id,
      meetId: row.meetingId,
      conferenceId: row.conferenceId,
      numericId: of.number,
      type: of.type,
      subject: row.subject,
      host: { userId: row.hostId, name: names.get(row.hostId) ?? '' },
      startTime: row.startedAt.toISOString(),
      endTime: row.endedAt?.toISOString() ?? null,
      duration: row.duration,
      bytes: row.bytes,
      state: row.state,
      setting: { download: row.download, watermark: row.watermark },
      mulpitleAuth: granted.has(row.meetingId) || areOpenToParticipants(tenant),
      authResult: watches,
      can: { manage: manages, download: watches && (manages || row.download) },
      deletedAt: row.deletedAt?.toISOString() ?? null,
      expiresAt: expiryOf(row, tenant.recordingKeptDays)?.toISOString() ?? null,
    };
  });
}
