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
import { mediaOf, roomName } from '../engine/media-rooms.ts';
import { mayDo, partsOf } from '../policy.ts';
import { findConference } from '../repo.ts';
import { conference as conferenceTable, watcher, type ConferenceRow, type WatcherRow } from '../tables.ts';
import { findActiveLinks } from './repo.ts';
import { fullDeskOf, type DeskUser } from './state.ts';

/** Live views per link or session, reloaded pages included; a new one replaces the oldest. */
const PER_DESK = 4;
/** Live views per conference. */
const MAX_WATCHERS = 20;
const TOKEN_SECONDS = 6 * 60 * 60;
/** Milliseconds that a desk has to connect to the media engine with its token; an unused place is free afterwards. */
const ARRIVAL = 60_000;

/** Milliseconds within which a returning desk continues its view: it lost the connection, or its page was reloaded. */
const SAME_VIEW = 60 * 60_000;

export interface WatchDeps {
  db: Db;
  media: Media;
  now: () => Date;
}

/** A LiveKit identity, different from those of terminals. */
const newIdentity = (): string => `W${randomBytes(8).toString('hex')}`;

const holderOf = (caller: DeskUser) =>
  caller.kind === 'desk' ? eq(watcher.linkId, caller.linkId) : eq(watcher.sessionId, caller.sessionId);

/** Frees the places of closed desks: their watchers are no longer on the media engine. */
async function dropAbsent(tx: TenantTx, media: Media, conference: ConferenceRow, now: Date): Promise<void> {
  const present = (await mediaOf(media, conference).listParticipants(roomName(conference))).map(
    ({ identity }) => identity,
  );
  const since = new Date(now.getTime() - ARRIVAL);
  await tx.delete(
    watcher,
    allOf(eq(watcher.conferenceId, conference.id), lt(watcher.createdAt, since), notInArray(watcher.identity, present)),
  );
}

/** Reserves a place among the watchers of a conference. Throws WATCHERS_FULL. */
async function reservePlace(
  tx: TenantTx,
  media: Media,
  caller: DeskUser,
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

/** The live view of a desk: a hidden participant on the media engine that subscribes and publishes nothing. */
export function createWatching({ db, media, now }: WatchDeps) {
  return async function watch(
    context: Context<DeskUser>,
    meetId: string,
  ): Promise<Data<typeof contract.conferences.watch>> {
    const { caller } = context;
    const identity = newIdentity();
    return db.tenant(caller.tenantId, async (tx) => {
      const { conference } = await fullDeskOf(tx, caller, meetId);
      if (!mediaOf(media, conference).available()) throw new AppError('MEDIA_UNAVAILABLE');
      const [running] = await tx.find(conferenceTable, eq(conferenceTable.id, conference.id), {
        lock: 'no key update',
      });
      if (!running || running.endedAt) throw new AppError('CONFERENCE_OVER');
      const at = now();
      const isContinued =
        (await tx.count(
          watcher,
          allOf(
            eq(watcher.conferenceId, running.id),
            holderOf(caller),
            gt(watcher.createdAt, new Date(at.getTime() - SAME_VIEW)),
          ),
        )) > 0;
      await reservePlace(tx, media, caller, running, at);
      const holder = caller.kind === 'desk' ? { linkId: caller.linkId } : { sessionId: caller.sessionId };
      await tx.insert(watcher, { identity, conferenceId: running.id, ...holder, createdAt: at });
      // One audit row for each view, not for each connection.
      if (!isContinued)
        await recordAudit(tx, context, at, {
          target: { kind: 'conference', id: running.id, name: (await findMeeting(tx, meetId))?.subject ?? '' },
          after: { watches: true },
        });
      const untilExpiry =
        caller.kind === 'desk' ? Math.ceil((caller.expiresAt.getTime() - at.getTime()) / 1_000) : TOKEN_SECONDS;
      const engine = mediaOf(media, running);
      const token = await engine.token({
        room: roomName(running),
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

/** Whether the account of a watcher's session is enabled and may still open the desk. */
async function mayStillWatch(
  tx: PlatformTx,
  { tenantId, conferenceId }: WatcherRow,
  accountId: string,
): Promise<boolean> {
  const own = tx.asTenant(tenantId);
  const person = await findAccount(own, accountId);
  const conference = await findConference(own, conferenceId);
  const meeting = conference && (await findMeeting(own, conference.meetingId));
  if (!person?.enabled || !conference || !meeting) return false;
  const relation = await relationIn(own, { userId: person.id, tenantId, isTenantAdmin: person.isTenantAdmin }, meeting);
  return mayDo(partsOf({ relation }, conference.control), 'desk');
}

/**
 * The authorized watchers of these conferences: by a link that is neither revoked nor expired, or by an open session of
 * an enabled account that may open the desk. Any other hidden participant on the media engine is unauthorized.
 */
export async function authorizedWatchers(
  tx: PlatformTx,
  conferenceIds: readonly string[],
  now: Date,
): Promise<WatcherRow[]> {
  if (conferenceIds.length === 0) return [];
  return filterAuthorized(tx, await tx.find(watcher, inArray(watcher.conferenceId, [...conferenceIds])), now);
}

/** Whether an identity is an authorized watcher of this conference. */
export async function isAuthorizedWatcher(
  tx: PlatformTx,
  conferenceId: string,
  identity: string,
  now: Date,
): Promise<boolean> {
  const rows = await tx.find(watcher, allOf(eq(watcher.conferenceId, conferenceId), eq(watcher.identity, identity)));
  return (await filterAuthorized(tx, rows, now)).length > 0;
}

async function filterAuthorized(tx: PlatformTx, rows: readonly WatcherRow[], now: Date): Promise<WatcherRow[]> {
  const links = await findActiveLinks(
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
      row.linkId === null
        ? accountId !== undefined && (await mayStillWatch(tx, row, accountId))
        : links.has(row.linkId);
    if (mayWatch && (await findTenant(tx, row.tenantId))?.enabled) valid.push(row);
  }
  return valid;
}
