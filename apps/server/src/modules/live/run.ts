import { and, asc, eq, isNull } from 'drizzle-orm';
import {
  BROADCAST_ACTIONS_IN,
  type BroadcastAction,
  type BroadcastDetail,
  type contract,
  type Input,
} from '@rmeet/contract';
import { allOf } from '../../platform/db/conditions.ts';
import { newId, type Db, type TenantTx } from '../../platform/db/index.ts';
import { AppError, type Context, type UserCaller } from '../../platform/http/index.ts';
import type { Push } from '../../platform/push/index.ts';
import { changed, recordAudit } from '../audit/index.ts';
import type { BroadcastPort, Stage } from '../conferences/index.ts';
import { announceMeeting, findMeeting, moveMeeting } from '../meetings/index.ts';
import { showOnly } from '../recordings/index.ts';
import { managedBy, seenBy, type Broadcast } from './access.ts';
import { startOutside } from './manual/on-air.ts';
import { presentDetail } from './present.ts';
import { isOutside } from './source.ts';
import { broadcast, broadcastSpan, type BroadcastRow } from './tables.ts';

type UserContext = Context<UserCaller>;
type Held = NonNullable<Awaited<ReturnType<Stage['hold']>>>;

export interface RunDeps {
  db: Db;
  stage: Stage;
  push: Push;
  now: () => Date;
  /** The broadcast has changed: what this server remembers of it is outdated. */
  forget: (id: string) => void;
}

async function change(tx: TenantTx, row: BroadcastRow, values: Partial<BroadcastRow>): Promise<BroadcastRow> {
  const [after] = await tx.update(broadcast, { ...values, version: row.version + 1 }, eq(broadcast.id, row.id));
  if (!after) throw new Error('A broadcast was lost while it was changed.');
  return after;
}

async function closeSpan(tx: TenantTx, broadcastId: string, at: Date): Promise<void> {
  const open = allOf(eq(broadcastSpan.broadcastId, broadcastId), isNull(broadcastSpan.until));
  await tx.update(broadcastSpan, { until: at }, open);
}

/**
 * Ends a broadcast: the recordings of it play what was on air only, and the replay is the one with most of it.
 */
async function end(tx: TenantTx, row: BroadcastRow, at: Date): Promise<BroadcastRow> {
  await closeSpan(tx, row.id, at);
  if (isOutside(row)) {
    // It has no recording, and no conference that ends its meeting.
    await moveMeeting(tx, row.id, row.state === 'scheduled' ? 'lapse' : 'finish', at);
    return change(tx, row, { state: 'ended', endedAt: at });
  }
  const rows = await tx.find(broadcastSpan, eq(broadcastSpan.broadcastId, row.id), {
    orderBy: asc(broadcastSpan.from),
  });
  const spans = rows.flatMap(({ recordingId, from, until }) =>
    until && until > from ? [{ recordingId, from, until, length: until.getTime() - from.getTime() }] : [],
  );
  let longest: { recordingId: string; length: number } | undefined;
  for (const [recordingId, shown] of Map.groupBy(spans, (span) => span.recordingId)) {
    await showOnly(tx, recordingId, shown);
    const length = shown.reduce((sum, span) => sum + span.length, 0);
    if (!longest || length > longest.length) longest = { recordingId, length };
  }
  return change(tx, row, { state: 'ended', endedAt: at, recordingId: longest?.recordingId ?? null });
}

/** What running conferences tell their broadcasts. */
export function createBroadcastPort({ forget }: Pick<RunDeps, 'forget'>): BroadcastPort {
  const find = (tx: TenantTx, id: string) => tx.findOne(broadcast, eq(broadcast.id, id), { lock: 'no key update' });
  return {
    async recordingHeld(tx, meetingId, at) {
      const row = await find(tx, meetingId);
      if (row?.state !== 'onAir') return;
      await closeSpan(tx, row.id, at);
      await change(tx, row, { state: 'paused' });
      tx.afterCommit(() => forget(meetingId));
    },
    async conferenceEnded(tx, meetingId, at) {
      const row = await find(tx, meetingId);
      if (row?.state !== 'onAir' && row?.state !== 'paused') return;
      await end(tx, row, at);
      tx.afterCommit(() => forget(meetingId));
    },
  };
}

/** Ends a broadcast that is still in a state, since its meeting or conference is over. */
export async function endOver(tx: TenantTx, id: string, state: BroadcastRow['state'], at: Date): Promise<void> {
  const row = await tx.findOne(broadcast, and(eq(broadcast.id, id), eq(broadcast.state, state)), {
    lock: 'no key update',
  });
  if (row) await end(tx, row, at);
}

/** Puts broadcasts on air, pauses, continues and ends them. */
// oxlint-disable-next-line max-lines-per-function -- the actions share what they are given
export function createRun({ db, stage, push, now, forget }: RunDeps) {
  /** On air from now on, in what is recorded. @throws AppError BROADCAST_NOT_RUNNING, and as Stage.record() */
  async function goOnAir(
    tx: TenantTx,
    context: UserContext,
    row: BroadcastRow,
    held: Held | undefined,
  ): Promise<BroadcastRow> {
    if (!held) throw new AppError('BROADCAST_NOT_RUNNING');
    const { recordingId, isNew } = await stage.record(tx, context, held);
    const at = now();
    await tx.insert(broadcastSpan, { id: newId(), broadcastId: row.id, recordingId, from: at });
    const ownsRecording = isNew || (row.ownsRecording && row.recordingId === recordingId);
    const startedAt = row.startedAt ?? at;
    const after = await change(tx, row, { state: 'onAir', startedAt, recordingId, ownsRecording });
    await stage.show(tx, held.conference, { id: row.id, status: 'onAir', startedAt: startedAt.toISOString() });
    return after;
  }

  async function pause(tx: TenantTx, row: BroadcastRow, held: Held | undefined): Promise<BroadcastRow> {
    await closeSpan(tx, row.id, now());
    const after = await change(tx, row, { state: 'paused' });
    const startedAt = (row.startedAt ?? now()).toISOString();
    if (held) await stage.show(tx, held.conference, { id: row.id, status: 'paused', startedAt });
    return after;
  }

  async function finish(
    tx: TenantTx,
    context: UserContext,
    row: BroadcastRow,
    held: Held | undefined,
  ): Promise<BroadcastRow> {
    const after = await end(tx, row, now());
    if (!held) return after;
    await stage.show(tx, held.conference, null);
    if (row.ownsRecording && row.recordingId !== null) await stage.stopRecording(tx, context, held, row.recordingId);
    return after;
  }

  function carryOut(
    tx: TenantTx,
    context: UserContext,
    action: BroadcastAction,
    { row, meeting }: Broadcast,
    held: Held | undefined,
  ): Promise<BroadcastRow> {
    if (isOutside(row) && (action === 'START' || action === 'RESUME')) return startOutside(tx, { row, meeting }, now());
    if (action === 'PAUSE') return pause(tx, row, held);
    return action === 'END' ? finish(tx, context, row, held) : goOnAir(tx, context, row, held);
  }

  return {
    /**
     * @throws AppError NOT_FOUND, FORBIDDEN, BROADCAST_NOT_RUNNING, and why it cannot be recorded; for an outside
     *   stream INGEST_WAITING, MEETING_NOT_APPROVED
     */
    async act(
      context: UserContext,
      { params: { id }, body: { action } }: Input<typeof contract.broadcasts.act>,
    ): Promise<BroadcastDetail> {
      return db.tenant(context.caller.tenantId, async (tx) => {
        const { row: of } = await managedBy(tx, context.caller, id, false);
        // Meetings are always locked before their broadcasts.
        if (isOutside(of)) await findMeeting(tx, id, true);
        const held = isOutside(of) ? undefined : await stage.hold(tx, context, id);
        const { row: before, meeting } = await managedBy(tx, context.caller, id);
        const hasEffect = BROADCAST_ACTIONS_IN[before.state].includes(action);
        const after = hasEffect ? await carryOut(tx, context, action, { row: before, meeting }, held) : before;
        await recordAudit(tx, context, now(), {
          target: { kind: 'broadcast', id, name: meeting.subject },
          ...changed(before, after, ['state']),
        });
        tx.afterCommit(() => forget(id));
        if (isOutside(before) && hasEffect) await announceMeeting(push, tx, id);
        return presentDetail(tx, context, await seenBy(tx, context.caller, id), now());
      });
    },
  };
}

export type Run = ReturnType<typeof createRun>;
