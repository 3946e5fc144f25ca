import { NO_CONTROL, type ConferenceRole } from '@rmeet/conference';
import type { contract, Input } from '@rmeet/contract';
import type { Db, PlatformTx } from '../../../platform/db/index.ts';
import { AppError, type Context, type UserCaller } from '../../../platform/http/index.ts';
import type { SecretBox } from '../../../platform/secrets/index.ts';
import { countFailure } from '../../accounts/auth/index.ts';
import { findTenant } from '../../accounts/tenants/index.ts';
import { openGuestLink } from '../../guests/index.ts';
import type { GuestTokenRow } from '../../guests/tables.ts';
import {
  findFixedNumber,
  findMeetingByNumber,
  hasConference,
  isEarly,
  isHeld,
  isOnWhiteList,
  isOver,
  meetingEarly,
  presentStart,
  refusalToOpen,
  relationIn,
} from '../../meetings/index.ts';
import type { MeetingRow } from '../../meetings/tables.ts';
import { awaitsHost, mustWait, roleOf, type EntryRights } from '../policy.ts';
import { findRunning } from '../repo.ts';
import { capacityRefusal } from './capacity.ts';
import { checkPassword, mustDelay, numberGuesser } from './guesses.ts';

type JoinBody = Input<typeof contract.conferences.join>['body'];
type ByNumber = Pick<JoinBody, 'numericId' | 'meetId' | 'password'>;
export type Joiner = Context & { caller: UserCaller | { kind: 'anyone' } };

export const GUEST: EntryRights = { role: 'guest', belongs: false };

export interface Found extends EntryRights {
  meeting: MeetingRow;
  /** The guest link used, if any. */
  guestToken: GuestTokenRow | null;
}

/** A person who may join, if there is a place. */
export interface Admissible extends Found {
  name: string;
}

export interface AdmissionDeps {
  db: Db;
  secrets: SecretBox;
  now: () => Date;
}

/** Decides who may join a meeting. */
export function createAdmission(deps: AdmissionDeps) {
  const { db } = deps;
  return {
    /** Checks whether a joiner may join. Throws the errors of the contract's join. */
    async check(joiner: Joiner, body: JoinBody): Promise<Admissible> {
      if (joiner.caller.kind !== 'user' && !body.name) throw new AppError('NAME_REQUIRED');
      const decision = await db.platform((tx) => decide(deps, tx, joiner, body));
      if (decision instanceof AppError) throw decision;
      return decision;
    },
  };
}

export type Admissions = ReturnType<typeof createAdmission>;

/** The meeting of a number, and of a series the chosen one. */
export const meetingOf = (
  tx: PlatformTx,
  { numericId = '', meetId }: Omit<ByNumber, 'password'>,
  now: Date,
): Promise<MeetingRow | undefined> => findMeetingByNumber(tx, numericId, now, meetId);

/** What an account may do in a meeting; for others, what a guest may. */
export async function entryRightsOf(
  tx: PlatformTx,
  caller: Joiner['caller'],
  meeting: MeetingRow,
): Promise<EntryRights> {
  if (caller.kind !== 'user') return GUEST;
  const relation = await relationIn(tx, caller, meeting);
  const isColleague = caller.tenantId === meeting.tenantId;
  return {
    role: roleOf(relation, isColleague),
    belongs: relation !== 'none' || (isColleague && (await isOnWhiteList(tx, meeting.id, caller.userId))),
  };
}

/** The meeting of a number or a guest link, and the joiner's rights. A guest link replaces number and password. */
async function find(deps: AdmissionDeps, tx: PlatformTx, joiner: Joiner, body: JoinBody): Promise<AppError | Found> {
  const { caller, address } = joiner;
  if (body.resource === undefined) return findByNumber(deps, tx, joiner, body);
  const link = await openGuestLink(tx, body.resource, address, deps.now());
  if (link instanceof AppError) return link;
  return { meeting: link.meeting, ...(await entryRightsOf(tx, caller, link.meeting)), guestToken: link.token };
}

/** The meeting of a number; wrong numbers are counted. */
export async function findByNumber(
  deps: AdmissionDeps,
  tx: PlatformTx,
  joiner: Joiner,
  body: ByNumber,
): Promise<AppError | Found> {
  const { caller, address } = joiner;
  const now = deps.now();
  const meeting = await meetingOf(tx, body, now);
  const rights = meeting ? await entryRightsOf(tx, caller, meeting) : GUEST;
  const tenant = meeting && (await findTenant(tx, meeting.tenantId));
  const served = tenant?.enabled ? meeting : undefined;
  if (!rights.belongs) {
    const refusal = await mustDelay(tx, now, numberGuesser(address));
    // Wrong numbers from the same network do not delay a guest who knows number and password. Wrong passwords count.
    if (refusal && !(served && (await knowsPassword(deps, tx, served, body, address)))) return refusal;
  }
  const idle = !meeting || isOver(meeting, now) ? await refusalOfFixedNumber(deps, tx, joiner, body) : null;
  if (idle) return idle;
  // A local meeting cannot be joined. Only those who belong to it learn that it exists.
  if (served && (rights.belongs || hasConference(served))) return { meeting: served, ...rights, guestToken: null };
  await countFailure(tx, numberGuesser(address), now);
  return new AppError('MEETING_NUMBER_UNKNOWN');
}

/** Whether a guest gave the right password of a meeting that has one. */
async function knowsPassword(
  deps: AdmissionDeps,
  tx: PlatformTx,
  meeting: MeetingRow,
  { password }: ByNumber,
  address: string,
): Promise<boolean> {
  return meeting.passwordSealed !== null && (await checkPassword(deps, tx, meeting, password, address)) === null;
}

/**
 * The refusal for a fixed number without a running meeting, which its owner has to start. Only the owner, and those who
 * know the password, learn about it.
 */
async function refusalOfFixedNumber(
  deps: AdmissionDeps,
  tx: PlatformTx,
  { caller, address }: Joiner,
  { numericId = '', password }: ByNumber,
): Promise<AppError | null> {
  const fixed = await findFixedNumber(tx, numericId);
  const tenant = fixed && (await findTenant(tx, fixed.tenantId));
  if (!fixed || !tenant?.enabled) return null;
  const isOwner = caller.kind === 'user' && caller.userId === fixed.id;
  return (
    (isOwner ? null : await checkPassword(deps, tx, fixed, password, address)) ??
    new AppError('FIXED_NUMBER_NOT_STARTED', { host: fixed.owner })
  );
}

/**
 * Checks the start time. A host may open the meeting at any time before its end, but has to confirm that it is early.
 */
function checkTime(
  meeting: MeetingRow,
  role: ConferenceRole,
  { early }: JoinBody,
  locale: 'zh' | 'en',
  now: Date,
): AppError | null {
  if (isHeld(meeting) || !isEarly(meeting, now)) return null;
  if (role === 'host') return early ? null : meetingEarly(meeting, locale);
  return new AppError('MEETING_NOT_STARTED', { startTime: presentStart(meeting, locale) });
}

/**
 * Checks in this order: whether the meeting exists, whether it is over, the password, the start time, the key (whether
 * the joiner claims to have it), and the tenant's places (checked again when the place is taken; here so that no empty
 * conference opens). So the start time is not revealed without the password, and no guest has to enter the password of
 * a meeting that is over. Refusals are returned instead of thrown, because counted guesses have to be committed.
 */
async function decide(
  deps: AdmissionDeps,
  tx: PlatformTx,
  joiner: Joiner,
  body: JoinBody,
): Promise<AppError | Admissible> {
  const { caller } = joiner;
  const found = await find(deps, tx, joiner, body);
  if (found instanceof AppError) return found;
  const { meeting } = found;
  if (meeting.cancelledAt) return new AppError('MEETING_CANCELLED');
  if (isOver(meeting, deps.now())) return new AppError('MEETING_ENDED');
  const refusal = await refusalToJoin(deps, tx, joiner, body, found);
  return refusal ?? { ...found, name: body.name || (caller.kind === 'user' ? caller.name : '') };
}

/** Why a meeting that is not over cannot be joined; null if it can. */
async function refusalToJoin(
  deps: AdmissionDeps,
  tx: PlatformTx,
  { address, locale }: Joiner,
  body: JoinBody,
  found: Found,
): Promise<AppError | null> {
  const { meeting, role, belongs, guestToken } = found;
  const needsPassword = !belongs && guestToken === null;
  const wrongPassword = needsPassword ? await checkPassword(deps, tx, meeting, body.password, address) : null;
  const running = await findRunning(tx, meeting.id);
  const control = running?.control ?? NO_CONTROL;
  const waits = mustWait(found, meeting, control.waitingRoom) || awaitsHost(role, meeting, control);
  const closed = refusalToOpen(meeting);
  return (
    wrongPassword ??
    (closed ? new AppError(closed) : null) ??
    checkTime(meeting, role, body, locale, deps.now()) ??
    (meeting.e2ee && !body.e2ee ? new AppError('E2EE_KEY_REQUIRED') : null) ??
    (waits ? null : await capacityRefusal(tx.asTenant(meeting.tenantId), 1))
  );
}
