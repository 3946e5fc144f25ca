import { and, eq, ne } from 'drizzle-orm';
import {
  meetingBody,
  type BroadcastSource,
  type contract,
  type Data,
  type Input,
  type ManualLive,
} from '@rmeet/contract';
import { parseRtmpAddress } from '@rmeet/rtmp';
import type { Db, TenantTx } from '../../../platform/db/index.ts';
import { AppError, type Context, type Handlers, type UserCaller } from '../../../platform/http/index.ts';
import type { SecretBox } from '../../../platform/secrets/index.ts';
import { changed, recordAudit } from '../../audit/index.ts';
import { findMeeting, isOver, type MeetingService } from '../../meetings/index.ts';
import type { MeetingRow } from '../../meetings/tables.ts';
import { managedBy, seenBy, type Broadcast } from '../access.ts';
import { insertBroadcasts } from '../booking.ts';
import { broadcastIngest, type BroadcastIngestRow } from '../ingest/tables.ts';
import { presentBroadcasts } from '../present.ts';
import { findPage } from '../service.ts';
import { changeOf, checkPeople, chosenOf, SETTING_COLUMNS, storeChange, type Chosen } from '../settings.ts';
import { isOutside } from '../source.ts';
import { broadcast } from '../tables.ts';
import type { PushHosts } from '../targets/hosts.ts';
import { ingestsOf, ingestStatusOf } from './arrivals.ts';
import { newStreamKey, playAddressOf, sealPlayAddress } from './secrets.ts';

type UserContext = Context<UserCaller>;
type ChangeBody = Input<typeof contract.manualLives.change>['body'];
type QueryBody = Input<typeof contract.manualLives.query>['body'];

export interface ManualDeps {
  db: Db;
  secrets: SecretBox;
  now: () => Date;
  meetings: Pick<MeetingService, 'createOutside' | 'updateIn'>;
  /** From where streams may be taken. */
  hosts: Pick<PushHosts, 'allows'>;
  /** A process has to take streams. */
  needRecorder: () => void;
  /** The broadcast has changed: what this server remembers of it is outdated. */
  forget: (id: string) => void;
}

/** @throws AppError PLAY_ADDRESS_REFUSED */
function checkAddress(address: string, { hosts }: Pick<ManualDeps, 'hosts'>): void {
  const host = parseRtmpAddress(address)?.host;
  if (host === undefined || !hosts.allows(address)) throw new AppError('PLAY_ADDRESS_REFUSED', { host: host ?? '' });
}

interface Play {
  source: BroadcastSource;
  /** Undefined: it stays. */
  playAddress: string | undefined;
}

/** The column of the play address. @throws AppError PLAY_ADDRESS_REQUIRED, PLAY_ADDRESS_REFUSED */
function playColumn(
  identity: Pick<BroadcastIngestRow, 'tenantId' | 'broadcastId'>,
  { source, playAddress }: Play,
  before: BroadcastIngestRow | undefined,
  deps: Pick<ManualDeps, 'hosts' | 'secrets'>,
): Pick<BroadcastIngestRow, 'playSealed'> {
  if (source === 'push') return { playSealed: null };
  if (playAddress === undefined) {
    if (before?.playSealed) return { playSealed: before.playSealed };
    throw new AppError('PLAY_ADDRESS_REQUIRED');
  }
  checkAddress(playAddress, deps);
  // What stays is not sealed again: the process that takes the stream compares it.
  const isSame = before !== undefined && playAddressOf(deps.secrets, before) === playAddress;
  return { playSealed: isSame ? before.playSealed : sealPlayAddress(deps.secrets, identity, playAddress) };
}

/** What the contract shows of a stream, besides its broadcast. */
function streamOf(
  row: BroadcastIngestRow | undefined,
  isManager: boolean,
  { secrets, now }: Pick<ManualDeps, 'secrets' | 'now'>,
): Pick<ManualLive, 'ingest' | 'startsItself' | 'playAddress'> {
  const startsItself = row?.startsItself ?? false;
  if (!row || !isManager) return { ingest: null, startsItself, playAddress: '' };
  return { ingest: ingestStatusOf(row, now()), startsItself, playAddress: playAddressOf(secrets, row) };
}

/** Broadcasts of outside streams as the contract shows them to a caller. */
async function present(
  tx: TenantTx,
  context: UserContext,
  found: readonly Broadcast[],
  deps: Pick<ManualDeps, 'secrets' | 'now'>,
): Promise<ManualLive[]> {
  const ids = found.map(({ row }) => row.id);
  const ingests = await ingestsOf(tx, ids);
  const shown = await presentBroadcasts(tx, context, found, deps.now());
  return shown.map((one) => Object.assign(one, streamOf(ingests.get(one.id), one.can.manage, deps)));
}

async function presentOne(
  tx: TenantTx,
  context: UserContext,
  id: string,
  deps: Pick<ManualDeps, 'secrets' | 'now'>,
): Promise<ManualLive> {
  const [shown] = await present(tx, context, [await seenBy(tx, context.caller, id)], deps);
  if (!shown) throw new Error('A broadcast was lost while it was presented.');
  return shown;
}

/** The edit of the meeting that a request means; undefined if the meeting stays as it is. */
function editOf(
  row: MeetingRow,
  { subject = row.subject, duration = row.duration, startTime = row.startTime.toISOString() }: ChangeBody,
): Parameters<MeetingService['updateIn']>[3] | undefined {
  const isSame =
    subject === row.subject && duration === row.duration && Date.parse(startTime) === row.startTime.getTime();
  if (isSame) return undefined;
  const { agenda, timeZone, joinBeforeHost, muteOnEntry, template, vip, version } = row;
  const kept = { agenda, timeZone, joinBeforeHost, muteOnEntry, template, vip };
  const body = meetingBody.parse({ ...kept, subject, duration, startTime });
  return { ...body, version, scope: 'one', recurrence: null };
}

/**
 * A broadcast of an outside stream that a person manages. @throws AppError NOT_FOUND, FORBIDDEN, MEETING_ENDED
 */
async function changeable(
  tx: TenantTx,
  caller: UserCaller,
  id: string,
  { now, lock }: { now: Date; lock: boolean },
): Promise<Broadcast> {
  // Meetings are always locked before their broadcasts.
  if (lock) await findMeeting(tx, id, true);
  const found = await managedBy(tx, caller, id, lock);
  if (!isOutside(found.row)) throw new AppError('NOT_FOUND');
  if (found.row.state === 'ended' || isOver(found.meeting, now)) throw new AppError('MEETING_ENDED');
  return found;
}

/** Stores what a request changes in the stream and the settings, with its audit row. @throws AppError */
async function storeStream(
  tx: TenantTx,
  context: UserContext,
  { row: before, meeting }: Broadcast,
  { body, chosen }: { body: ChangeBody; chosen: Chosen },
  { secrets, hosts, now }: Pick<ManualDeps, 'secrets' | 'hosts' | 'now'>,
): Promise<void> {
  const { id, tenantId } = before;
  const { source = before.source, newKey, playAddress } = body;
  const ingest = await tx.findOne(broadcastIngest, eq(broadcastIngest.broadcastId, id), { lock: 'no key update' });
  if (!ingest) throw new Error('A broadcast has lost its stream.');
  const identity = { tenantId, broadcastId: id };
  const values = {
    ...playColumn(identity, { source, playAddress }, ingest, { secrets, hosts }),
    startsItself: body.startsItself ?? ingest.startsItself,
    ...(newKey ? newStreamKey(secrets, identity) : {}),
  };
  await tx.update(broadcastIngest, values, eq(broadcastIngest.broadcastId, id));
  const { row: after, named } = await storeChange(tx, before, chosen);
  if (source !== before.source) await tx.update(broadcast, { source }, eq(broadcast.id, id));
  const fields = changed(
    { ...before, startsItself: ingest.startsItself },
    { ...after, source, startsItself: values.startsItself },
    [...SETTING_COLUMNS, 'source', 'startsItself'],
  );
  await recordAudit(tx, context, now(), {
    target: { kind: 'broadcast', id, name: meeting.subject },
    before: fields.before,
    after: {
      ...fields.after,
      ...(chosen.passwordHash === undefined ? {} : { password: '***' }),
      ...(values.playSealed === ingest.playSealed ? {} : { playAddress: '***' }),
      ...(newKey ? { streamKey: '***' } : {}),
      ...(named ? { whiteList: named.length } : {}),
    },
  });
}

/** Books, changes and finds live broadcasts of outside streams. */
export function createManual(deps: ManualDeps): Handlers<typeof contract.manualLives> {
  const { db, secrets, now, meetings, forget } = deps;
  return {
    async create(context, { body: { live, source, playAddress, startsItself, ...booked } }): Promise<ManualLive> {
      const chosen = await chosenOf(live);
      return db.tenant(context.caller.tenantId, async (tx) => {
        // It is not recorded.
        const columns = { ...changeOf(chosen), replay: false };
        let id = '';
        await meetings.createOutside(tx, context, { ...meetingBody.parse(booked), recurrence: null }, async (row) => {
          ({ id } = row);
          const identity = { tenantId: tx.tenantId, broadcastId: id };
          const play = playColumn(identity, { source, playAddress }, undefined, deps);
          const named = await checkPeople(tx, chosen.whiteList ?? []);
          await insertBroadcasts(tx, [id], { ...columns, source }, named, now());
          const stream = { broadcastId: id, startsItself, ...play, ...newStreamKey(secrets, identity) };
          await tx.insert(broadcastIngest, stream);
        });
        tx.afterCommit(deps.needRecorder);
        return presentOne(tx, context, id, deps);
      });
    },

    async change(context, { body }): Promise<ManualLive> {
      const { caller } = context;
      const { id } = body;
      // Before the password is hashed, which takes long.
      await db.tenant(caller.tenantId, (tx) => changeable(tx, caller, id, { now: now(), lock: false }));
      const chosen = await chosenOf(body.live);
      return db.tenant(caller.tenantId, async (tx) => {
        const found = await changeable(tx, caller, id, { now: now(), lock: true });
        await storeStream(tx, context, found, { body, chosen }, deps);
        const edit = editOf(found.meeting, body);
        if (edit) await meetings.updateIn(tx, context, id, edit);
        tx.afterCommit(() => forget(id));
        return presentOne(tx, context, id, deps);
      });
    },

    async query(
      context,
      { body: { id, ...query } }: { body: QueryBody },
    ): Promise<Data<typeof contract.manualLives.query>> {
      return db.tenant(context.caller.tenantId, async (tx) => {
        const outside = and(ne(broadcast.source, 'conference'), id === undefined ? undefined : eq(broadcast.id, id));
        const { found, page } = await findPage(tx, context.caller, query, outside);
        return { records: await present(tx, context, found, deps), ...page };
      });
    },
  };
}
