import { and, eq, gt, lte } from 'drizzle-orm';
import { HOST_KEY_SECONDS, type contract, type Data, type ErrorCode, type Input } from '@rmeet/contract';
import type { Db, PlatformTx, TenantTx } from '../../platform/db/index.ts';
import {
  AppError,
  networkOf,
  type AccountCaller,
  type Context,
  type Handlers,
  type UserCaller,
} from '../../platform/http/index.ts';
import { hashToken, newToken } from '../../platform/secrets/index.ts';
import { countFailure, standingOf, type Guesser } from '../accounts/auth/index.ts';
import { findMeeting, findMeetingByNumber, isManagedBy, isOver, relationIn } from '../meetings/index.ts';
import type { MeetingRow } from '../meetings/tables.ts';
import { hostKey, type HostKeyRow } from './tables.ts';

type Calls = typeof contract.hostKeys;
type StartBody = Input<Calls['startByZak']>['body'];

export interface HostKeyDeps {
  db: Db;
  now: () => Date;
  sessions: { callerOf(sessionId: string): Promise<AccountCaller | ErrorCode> };
  /** Joins a meeting (module conferences). */
  join: Handlers<typeof contract.conferences>['join'];
}

/** Wrong keys for one meeting from all addresses, counted before those of the address. */
const meetingGuesser = (number: string): Guesser => ({
  scope: 'host-key-meeting',
  key: [number],
  free: 20,
  delay: 2,
  maxDelay: 300,
});
/** Wrong keys from one network. */
const addressGuesser = (address: string): Guesser => ({
  scope: 'host-key',
  key: [networkOf(address)],
  free: 50,
  delay: 2,
  maxDelay: 300,
});

/** Counts a wrong key, at the meeting before the address, and returns the refusal. */
async function refuseKey(tx: PlatformTx, number: string, address: string, now: Date): Promise<AppError> {
  const guessers = [meetingGuesser(number), addressGuesser(address)];
  for (const guesser of guessers) {
    const { wait } = await standingOf(tx, guesser, now);
    if (wait > 0) return new AppError('TOO_MANY_REQUESTS', { seconds: wait });
  }
  for (const guesser of guessers) await countFailure(tx, guesser, now);
  return new AppError('HOST_KEY_INVALID');
}

/**
 * The meeting of a number, for its host and those who may stand in.
 *
 * @throws AppError NOT_FOUND without a visible meeting, FORBIDDEN for others who see it, MEETING_ENDED
 */
async function startedBy(tx: TenantTx, caller: UserCaller, number: string, now: Date): Promise<MeetingRow> {
  const meeting = await findMeetingByNumber(tx, number, now);
  const relation = meeting ? await relationIn(tx, caller, meeting) : 'none';
  if (!meeting || relation === 'none') throw new AppError('NOT_FOUND');
  if (!(await isManagedBy(tx, caller, meeting))) throw new AppError('FORBIDDEN');
  if (isOver(meeting, now)) throw new AppError('MEETING_ENDED');
  return meeting;
}

/**
 * Uses up a key. Refusals are returned, because counted guesses have to be committed. A right key is never delayed:
 * 256 bits cannot be guessed.
 */
async function useKey(
  tx: PlatformTx,
  { numericId, zak }: StartBody,
  address: string,
  now: Date,
): Promise<HostKeyRow | AppError> {
  const right = and(eq(hostKey.hash, hashToken(zak)), eq(hostKey.number, numericId), gt(hostKey.expiresAt, now));
  const [row] = await tx.delete(hostKey, right);
  return row ?? refuseKey(tx, numericId, address, now);
}

/** Keys with which hosts start their meetings from outside clients. */
export function createHostKeys({ db, now, sessions, join }: HostKeyDeps) {
  /** The host behind a key, with the rights of now. @throws AppError HOST_KEY_INVALID */
  async function hostOf({ sessionId, tenantId, meetingId, accountId }: HostKeyRow) {
    const caller = await sessions.callerOf(sessionId);
    if (typeof caller === 'string' || caller.kind !== 'user' || caller.userId !== accountId)
      throw new AppError('HOST_KEY_INVALID');
    return db.tenant(tenantId, async (tx) => {
      const meeting = await findMeeting(tx, meetingId);
      if (!meeting || !(await isManagedBy(tx, caller, meeting))) throw new AppError('HOST_KEY_INVALID');
      return { caller, meeting };
    });
  }

  return {
    /** @throws AppError NOT_FOUND, FORBIDDEN, MEETING_ENDED */
    async issue({ caller }: Context<UserCaller>, number: string): Promise<Data<Calls['getHostZak']>> {
      const zak = newToken();
      const at = now();
      const expiresAt = new Date(at.getTime() + HOST_KEY_SECONDS * 1_000);
      await db.tenant(caller.tenantId, async (tx) => {
        const meeting = await startedBy(tx, caller, number, at);
        const of = { number, sessionId: caller.sessionId, hash: hashToken(zak), expiresAt };
        await tx.delete(hostKey, lte(hostKey.expiresAt, at));
        await tx.insert(
          hostKey,
          { ...of, meetingId: meeting.id, accountId: caller.userId },
          { target: [hostKey.accountId, hostKey.meetingId], set: of },
        );
      });
      return { zak, numericId: number, expiresAt: expiresAt.toISOString() };
    },

    /** @throws AppError HOST_KEY_INVALID, TOO_MANY_REQUESTS, and those of joining */
    async start(context: Context, body: StartBody): Promise<Data<Calls['startByZak']>> {
      const used = await db.platform((tx) => useKey(tx, body, context.address, now()));
      if (used instanceof AppError) throw used;
      const { caller, meeting } = await hostOf(used);
      const { zak: _, ...rest } = body;
      return join({ ...context, caller }, { body: { ...rest, meetId: meeting.id, early: true } });
    },
  };
}

export type HostKeys = ReturnType<typeof createHostKeys>;
