import { and, desc, eq, isNull } from 'drizzle-orm';
import { allOf } from '../../../platform/db/conditions.ts';
import type { TenantTx } from '../../../platform/db/index.ts';
import { tenantOf } from '../../accounts/tenants/index.ts';
import type { RecordingPort } from '../../conferences/index.ts';
import { findMeeting } from '../../meetings/index.ts';
import { recording } from '../tables.ts';
import { holdersIn, identityOf, smallIdentityOf } from './leases.ts';
import { spaceOf } from './space.ts';

/** What running conferences need of recordings. `needRecorder`: a recorder has to run. */
export function createRecordingPort({ needRecorder }: { needRecorder: () => void }): RecordingPort {
  return {
    async start(tx, { id, meetingId, conferenceId, at }) {
      const meeting = await findMeeting(tx, meetingId);
      if (!meeting) throw new Error(`Meeting ${meetingId} of a running conference does not exist.`);
      const settings = await tenantOf(tx, tx.tenantId);
      await tx.insert(recording, {
        id,
        meetingId,
        conferenceId,
        hostId: meeting.hostId,
        subject: meeting.subject,
        withTracks: settings.recordingTracks,
        startedAt: at,
        download: settings.recordingDownload,
        watermark: settings.recordingWatermark,
      });
      tx.afterCommit(needRecorder);
    },
    async setWish(tx, id, wish, at) {
      const isOver = wish === 'stop';
      await tx.update(
        recording,
        { wish, ...(isOver ? { state: 'processing' as const, endedAt: at } : {}) },
        allOf(eq(recording.id, id), eq(recording.state, 'recording')),
      );
    },
    conferenceEnded: (tx, conferenceId, at) => finishOf(tx, conferenceId, at),
    isFull: async (tx) => (await spaceOf(tx)).isFull,
    async findLast(tx, meetingId) {
      const row = await tx.findOne(recording, and(eq(recording.meetingId, meetingId), isNull(recording.deletedAt)), {
        orderBy: [desc(recording.startedAt), desc(recording.id)],
      });
      if (!row) return undefined;
      const { id, state, trouble, startedAt } = row;
      return { id, status: state === 'failed' ? 'FAILED' : 'STOPPED', trouble, startedAt };
    },
    recordersIn: async (tx, conferenceIds) =>
      (await holdersIn(tx, conferenceIds)).flatMap((holder) => [identityOf(holder), smallIdentityOf(holder)]),
  };
}

/** Finishes what an ended conference records. */
export async function finishOf(tx: TenantTx, conferenceId: string, at: Date): Promise<void> {
  await tx.update(
    recording,
    { state: 'processing', wish: 'stop', endedAt: at },
    allOf(eq(recording.conferenceId, conferenceId), eq(recording.state, 'recording')),
  );
}
