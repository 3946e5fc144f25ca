import { randomBytes } from 'node:crypto';
import { desc, eq, gt, inArray, lt, notInArray } from 'drizzle-orm';
import type { contract, Data } from '@rmeet/contract';
import { allOf } from '../../../platform/db/conditions.ts';
import type { Db, PlatformTx, TenantTx } from '../../../platform/db/index.ts';
import { AppError, type Context } from '../../../platform/http/index.ts';
import type { Media } from '../../../platform/media/index.ts';
import { recordAudit } from '../../audit/index.ts';
import { openSessions } from '../../accounts/auth/index.ts';
import { findMeeting, relationIn } from '../../meetings/index.ts';
import { findTenant } from '../../accounts/tenants/index.ts';
import { findAccount } from '../../accounts/users/index.ts';
import { mediaOf, roomOf } from '../engine/lifecycle.ts';
import { mayDo, partsOf } from '../policy.ts';
import { findConference } from '../repo.ts';
import { conference as conferenceTable, watcher, type ConferenceRow, type WatcherRow } from '../tables.ts';
import { workingLinks } from './repo.ts';
import { deskBeyondWall, type Onlooker } from './state.ts';

/**
 * Desks of one link or session with live pictures, a reloaded page among them; the oldest makes room for the newest.
 */
const PER_DESK = 4;
/** Desks of a conference with live pictures. */
const MAX_WATCHERS = 20;
const TOKEN_SECONDS = 6 * 60 * 60;
/**
 * Milliseconds a desk has to come to the media engine with its token; after that a place nobody is in can be given
 * away.
 */
const ARRIVAL = 60_000;

/**
 * Milliseconds within which a desk that comes again goes on with what it did: it lost its connection, or its page was
 * loaded again.
 */
const SAME_ACT = 60 * 60_000;

export interface WatchDeps {
  db: Db;
  media: Media;
  now: () => Date;
}

/** A LiveKit identity that is no terminal's. */
const newIdentity = (): string => `W${randomBytes(8).toString('hex')}`;

const holderOf = (caller: Onlooker) =>
  caller.kind === 'desk' ? eq(watcher.linkId, caller.linkId) : eq(watcher.sessionId, caller.sessionId);

/**
 * Gives away places of desks that were closed: nobody says so, but their watchers are not on the media engine any more.
 */
async function dropAbsent(tx: TenantTx, media: Media, conference: ConferenceRow, now: Date): Promise<void> {
  const there = (await mediaOf(media, conference).listParticipants(roomOf(conference))).map(({ identity }) => identity);
  const since = new Date(now.getTime() - ARRIVAL);
  await tx.delete(
    watcher,
    allOf(eq(watcher.conferenceId, conference.id), lt(watcher.createdAt, since), notInArray(watcher.identity, there)),
  );
}

/** Makes room among the watchers of a conference. Throws WATCHERS_FULL. */
async function takePlace(
  tx: TenantTx,
  media: Media,
  caller: Onlooker,
  conference: ConferenceRow,
  now: Date,
): Promise<void> {
  const conferenceId = conference.id;
  const own = await tx.find(watcher, allOf(eq(watcher.conferenceId, conferenceId), holderOf(caller)), {
    orderBy: desc(watcher.createdAt),
  });
  const surplus = own.slice(PER_DESK - 1).map((row) => row.identity);
  if (surplus.length > 0) await tx.delete(watcher, inArray(watcher.identity, surplus));
  const isFull = async (): Promise<boolean> =>
    (await tx.count(watcher, eq(watcher.conferenceId, conferenceId))) >= MAX_WATCHERS;
  if (await isFull()) await dropAbsent(tx, media, conference, now);
  if (await isFull()) throw new AppError('WATCHERS_FULL', { limit: MAX_WATCHERS });
}

/** The live pictures of a desk: a hidden place on the media engine that sees, hears, and sends nothing. */
export function createWatching({ db, media, now }: WatchDeps) {
  return async function watch(
    context: Context<Onlooker>,
    meetId: string,
  ): Promise<Data<typeof contract.conferences.watch>> {
    const { caller } = context;
    const identity = newIdentity();
    return db.tenant(caller.tenantId, async (tx) => {
      const { conference } = await deskBeyondWall(tx, caller, meetId);
      if (!mediaOf(media, conference).available()) throw new AppError('MEDIA_UNAVAILABLE');
      const [running] = await tx.find(conferenceTable, eq(conferenceTable.id, conference.id), {
        lock: 'no key update',
      });
      if (!running || running.endedAt) throw new AppError('CONFERENCE_OVER');
      const at = now();
      const goesOn =
        (await tx.count(
          watcher,
          allOf(
            eq(watcher.conferenceId, running.id),
            holderOf(caller),
            gt(watcher.createdAt, new Date(at.getTime() - SAME_ACT)),
          ),
        )) > 0;
      await takePlace(tx, media, caller, running, at);
      const holder = caller.kind === 'desk' ? { linkId: caller.linkId } : { sessionId: caller.sessionId };
      await tx.insert(watcher, { identity, conferenceId: running.id, ...holder, createdAt: at });
      // One row for each act of watching, not for each connection.
      if (!goesOn)
        await recordAudit(tx, context, at, {
          target: { kind: 'conference', id: running.id, name: (await findMeeting(tx, meetId))?.subject ?? '' },
          after: { watches: true },
        });
      const untilExpiry =
        caller.kind === 'desk' ? Math.ceil((caller.expiresAt.getTime() - at.getTime()) / 1_000) : TOKEN_SECONDS;
      const engine = mediaOf(media, running);
      const token = await engine.token({
        room: roomOf(running),
        identity,
        name: caller.name,
        ttlSeconds: Math.max(1, Math.min(TOKEN_SECONDS, untilExpiry)),
        canPublish: false,
        canSubscribe: true,
        hidden: true,
      });
      return { url: engine.url(context), token };
    });
  };
}

/** Whether the account behind a watcher's session is enabled and may open the desk of what it watches still. */
async function stillMay(tx: PlatformTx, { tenantId, conferenceId }: WatcherRow, accountId: string): Promise<boolean> {
  const own = tx.asTenant(tenantId);
  const person = await findAccount(own, accountId);
  const conference = await findConference(own, conferenceId);
  const meeting = conference && (await findMeeting(own, conference.meetingId));
  if (!person?.enabled || !conference || !meeting) return false;
  const relation = await relationIn(own, { userId: person.id, tenantId, isTenantAdmin: person.isTenantAdmin }, meeting);
  return mayDo(partsOf({ relation }, conference.control), 'desk');
}

/**
 * Who watches these conferences by right: by a link that is neither revoked nor expired, or by an open session of an
 * account that is enabled and may open the desk. Whoever else is hidden on the media engine is a stranger.
 */
export async function validWatchers(
  tx: PlatformTx,
  conferenceIds: readonly string[],
  now: Date,
): Promise<WatcherRow[]> {
  if (conferenceIds.length === 0) return [];
  return rightful(tx, await tx.find(watcher, inArray(watcher.conferenceId, [...conferenceIds])), now);
}

/** Whether somebody watches this conference by right. */
export async function isValidWatcher(
  tx: PlatformTx,
  conferenceId: string,
  identity: string,
  now: Date,
): Promise<boolean> {
  const rows = await tx.find(watcher, allOf(eq(watcher.conferenceId, conferenceId), eq(watcher.identity, identity)));
  return (await rightful(tx, rows, now)).length > 0;
}

async function rightful(tx: PlatformTx, rows: readonly WatcherRow[], now: Date): Promise<WatcherRow[]> {
  const links = await workingLinks(
    tx,
    rows.flatMap(({ linkId }) => linkId ?? []),
    now,
  );
  const sessions = await openSessions(
    tx,
    rows.flatMap(({ sessionId }) => sessionId ?? []),
    now,
  );
  const valid: WatcherRow[] = [];
  for (const row of rows) {
    const accountId = sessions.get(row.sessionId ?? '');
    const mayWatch =
      row.linkId === null ? accountId !== undefined && (await stillMay(tx, row, accountId)) : links.has(row.linkId);
    if (mayWatch && (await findTenant(tx, row.tenantId))?.enabled) valid.push(row);
  }
  return valid;
}
