import { and, asc, desc, eq, isNotNull, ne, or, sql, type SQL } from 'drizzle-orm';
import { BROADCAST_LIMITS } from '@rmeet/contract';
import type { Db, TenantTx } from '../../../platform/db/index.ts';
import { tenantOf } from '../../accounts/tenants/index.ts';
import { findAccount } from '../../accounts/users/index.ts';
import { account } from '../../accounts/users/tables.ts';
import { meetingGrant, meetingParticipant, type MeetingRow } from '../../meetings/tables.ts';
import { recording, type RecordingRow } from '../../recordings/tables.ts';
import { findBroadcast } from '../access.ts';
import { viewersOf } from '../present.ts';
import { mediaIdOf } from '../source.ts';
import {
  broadcast,
  broadcastAllowed,
  broadcastMessage,
  broadcastSpan,
  broadcastViewer,
  type BroadcastMessageRow,
  type BroadcastRow,
  type BroadcastSpanRow,
} from '../tables.ts';

/** How long a snapshot is used, ms. */
const FRESH = 2_000;
/** Snapshots of more broadcasts than this are forgotten when nobody asks for them any more. */
const KEPT = 500;
/** Held messages that their authors see. */
const HELD = 500;

/** All that calls of viewers need of a broadcast. */
export interface Snapshot {
  row: BroadcastRow;
  meeting: MeetingRow;
  hostName: string;
  /** The organisation is enabled. */
  isOpen: boolean;
  /** Stretches on air within the recording. */
  spans: BroadcastSpanRow[];
  viewers: number;
  /** The newest ones that were changed, in the order of their versions; without held ones. */
  messages: BroadcastMessageRow[];
  held: BroadcastMessageRow[];
  /** Views of those who may not watch any more, and of those who may not write. */
  refused: Set<string>;
  muted: Set<string>;
  /** The recording that is watched after the end; null while there is none. */
  replay: RecordingRow | null;
}

/** A condition for views of accounts that manage the meeting. */
function isManager({ id, hostId }: MeetingRow): SQL {
  return sql`exists (select 1 from ${account} where ${account.id} = ${broadcastViewer.accountId} and
    (${account.isTenantAdmin} or ${account.id} = ${hostId} or exists (select 1 from ${meetingGrant} where
    ${meetingGrant.meetingId} = ${id} and ${meetingGrant.accountId} = ${account.id})))`;
}

/** A condition for views that the access of the broadcast does not admit any more. */
function isBarred({ id, access, passwordVersion }: BroadcastRow, meeting: MeetingRow): SQL | undefined {
  const withoutAccount = sql`${broadcastViewer.accountId} is null`;
  switch (access) {
    case 'public':
      return undefined;
    case 'organisation':
      return withoutAccount;
    case 'password':
      return and(ne(broadcastViewer.passwordVersion, passwordVersion), sql`not ${isManager(meeting)}`);
    case 'whiteList': {
      const isNamed = sql`exists (select 1 from ${broadcastAllowed} where ${broadcastAllowed.broadcastId} = ${id} and
        ${broadcastAllowed.accountId} = ${broadcastViewer.accountId})`;
      const isInvited = sql`exists (select 1 from ${meetingParticipant} where ${meetingParticipant.meetingId} = ${id}
        and ${meetingParticipant.accountId} = ${broadcastViewer.accountId})`;
      return or(withoutAccount, sql`not (${isNamed} or ${isInvited} or ${isManager(meeting)})`);
    }
  }
}

/** The views of those who may not watch or write any more: few, so that the others need not be read. */
async function outcasts(
  tx: TenantTx,
  row: BroadcastRow,
  meeting: MeetingRow,
): Promise<Pick<Snapshot, 'refused' | 'muted'>> {
  const isGone = sql`(${broadcastViewer.accountId} is not null and not exists (select 1 from ${account} where
    ${account.id} = ${broadcastViewer.accountId} and ${account.enabled} and ${account.deletedAt} is null))`;
  const ofThis = eq(broadcastViewer.broadcastId, row.id);
  const refused = await tx.find(broadcastViewer, and(ofThis, or(isGone, isBarred(row, meeting))));
  const muted = await tx.find(broadcastViewer, and(ofThis, isNotNull(broadcastViewer.mutedAt)));
  return { refused: new Set(refused.map(({ id }) => id)), muted: new Set(muted.map(({ id }) => id)) };
}

async function messagesOf(
  tx: TenantTx,
  row: BroadcastRow,
  known: Snapshot | undefined,
): Promise<Pick<Snapshot, 'messages' | 'held'>> {
  if (known?.row.version === row.version) return { messages: known.messages, held: known.held };
  const ofThis = eq(broadcastMessage.broadcastId, row.id);
  const newest = await tx.find(broadcastMessage, and(ofThis, ne(broadcastMessage.state, 'held')), {
    orderBy: desc(broadcastMessage.version),
    limit: BROADCAST_LIMITS.messages,
  });
  const held = await tx.find(broadcastMessage, and(ofThis, eq(broadcastMessage.state, 'held')), {
    orderBy: desc(broadcastMessage.version),
    limit: HELD,
  });
  return { messages: newest.toReversed(), held: held.toReversed() };
}

async function replayOf(tx: TenantTx, { state, replay, recordingId }: BroadcastRow): Promise<RecordingRow | null> {
  if (state !== 'ended' || !replay || recordingId === null) return null;
  const row = await tx.findOne(recording, eq(recording.id, recordingId));
  return row?.state === 'ready' && row.deletedAt === null && !row.isGone ? row : null;
}

async function read(tx: TenantTx, id: string, now: Date, known: Snapshot | undefined): Promise<Snapshot | undefined> {
  const found = await findBroadcast(tx, id);
  if (!found) return undefined;
  const { row, meeting } = found;
  const mediaId = mediaIdOf(row);
  const spans =
    mediaId === null
      ? []
      : await tx.find(broadcastSpan, and(eq(broadcastSpan.broadcastId, id), eq(broadcastSpan.recordingId, mediaId)), {
          orderBy: asc(broadcastSpan.from),
        });
  return {
    row,
    meeting,
    hostName: (await findAccount(tx, meeting.hostId))?.name ?? '',
    isOpen: (await tenantOf(tx, tx.tenantId)).enabled,
    spans,
    viewers: (await viewersOf(tx, [id], now)).get(id) ?? 0,
    ...(await messagesOf(tx, row, known)),
    ...(await outcasts(tx, row, meeting)),
    replay: await replayOf(tx, row),
  };
}

interface Entry {
  at: number;
  tenantId: string | undefined;
  current: Promise<Snapshot | undefined>;
}

/**
 * Broadcasts as viewers see them, read at most every two seconds, however many viewers call: a thousand of them send
 * thousands of requests a second.
 */
export class Snapshots {
  readonly #db: Db;
  readonly #now: () => Date;
  readonly #entries = new Map<string, Entry>();

  constructor({ db, now }: { db: Db; now: () => Date }) {
    this.#db = db;
    this.#now = now;
  }

  /** Undefined for an unknown broadcast, and one whose meeting was cancelled. */
  of(id: string): Promise<Snapshot | undefined> {
    const at = this.#now().getTime();
    const known = this.#entries.get(id);
    const age = known ? at - known.at : Infinity;
    if (known && age >= 0 && age < FRESH) return known.current;
    const entry: Entry = { at, tenantId: known?.tenantId, current: this.#load(id, known) };
    this.#entries.set(id, entry);
    void this.#settle(id, entry);
    if (this.#entries.size > KEPT) this.#prune(at);
    return entry.current;
  }

  /** The broadcast was changed by this server: the next call reads it again. */
  forget(id: string): void {
    this.#entries.delete(id);
  }

  async #load(id: string, known: Entry | undefined): Promise<Snapshot | undefined> {
    const tenantId =
      known?.tenantId ?? (await this.#db.platform((tx) => tx.findOne(broadcast, eq(broadcast.id, id))))?.tenantId;
    if (tenantId === undefined) return undefined;
    const before = await known?.current.catch(() => undefined);
    return this.#db.tenant(tenantId, (tx) => read(tx, id, this.#now(), before));
  }

  /** Unknown broadcasts, and those that could not be read, are not remembered. */
  async #settle(id: string, entry: Entry): Promise<void> {
    const snapshot = await entry.current.catch(() => undefined);
    entry.tenantId = snapshot?.row.tenantId;
    if (!snapshot && this.#entries.get(id) === entry) this.#entries.delete(id);
  }

  #prune(at: number): void {
    for (const [id, entry] of this.#entries) if (Math.abs(at - entry.at) > FRESH) this.#entries.delete(id);
  }
}
