import { isBeingRecorded } from '@rmeet/conference';
import {
  NAMES_INSIDE,
  type contract,
  type Input,
  type MeetingAhead,
  type PeopleInside,
  type PreJoin,
} from '@rmeet/contract';
import type { PlatformTx, TenantTx } from '../../../platform/db/index.ts';
import { AppError, type UserCaller } from '../../../platform/http/index.ts';
import { entryLookOf, tenantOf } from '../../accounts/tenants/index.ts';
import { findAccount } from '../../accounts/users/index.ts';
import { findFixedNumber, isEarly, isOver } from '../../meetings/index.ts';
import type { MeetingRow } from '../../meetings/tables.ts';
import type { EntryRights } from '../policy.ts';
import { findPresent, findRunning } from '../repo.ts';
import { entryRightsOf, findByNumber, GUEST, meetingOf, type AdmissionDeps, type Joiner } from './admission.ts';
import { checkPassword } from './guesses.ts';

type Query = { numericId: string; meetId?: string | undefined };
type LookUpBody = Input<typeof contract.conferences.lookUp>['body'];

/** What the join page shows before joining. */
export function createBeforeJoining(deps: AdmissionDeps) {
  const { db } = deps;
  return {
    /**
     * What an account has to enter to join by a number. Reveals nothing about meetings that the account does not belong
     * to, not even whether they exist, so it does not help to guess numbers.
     */
    preJoin(caller: UserCaller, query: Query): Promise<PreJoin> {
      return db.platform((tx) => preJoin(deps, tx, caller, query));
    },

    /** The meeting of a number and its password. Throws the errors of the contract's look-up. */
    async lookUp(joiner: Joiner, body: LookUpBody): Promise<PreJoin> {
      const found = await db.platform((tx) => lookUp(deps, tx, joiner, body));
      if (found instanceof AppError) throw found;
      return found;
    },
  };
}

export type BeforeJoining = ReturnType<typeof createBeforeJoining>;

async function preJoin(deps: AdmissionDeps, tx: PlatformTx, caller: UserCaller, query: Query): Promise<PreJoin> {
  const meeting = await meetingOf(tx, query, deps.now());
  const rights = meeting && meeting.cancelledAt === null ? await entryRightsOf(tx, caller, meeting) : GUEST;
  if (!meeting || !rights.belongs)
    return { asksPassword: (await findFixedNumber(tx, query.numericId))?.id !== caller.userId, meeting: null };
  return { asksPassword: false, meeting: await present(deps, tx, meeting, rights) };
}

/** Checks as joining does, in the same order. Refusals are returned, because counted guesses have to be committed. */
async function lookUp(
  deps: AdmissionDeps,
  tx: PlatformTx,
  joiner: Joiner,
  body: LookUpBody,
): Promise<AppError | PreJoin> {
  const found = await findByNumber(deps, tx, joiner, body);
  if (found instanceof AppError) return found;
  const { meeting, belongs } = found;
  if (meeting.cancelledAt) return new AppError('MEETING_CANCELLED');
  if (isOver(meeting, deps.now())) return new AppError('MEETING_ENDED');
  if (!belongs) {
    // Its number alone admits to the waiting room, but reveals nothing.
    if (meeting.passwordSealed === null) return { asksPassword: false, meeting: null };
    const refusal = await checkPassword(deps, tx, meeting, body.password, joiner.address, 'look');
    if (refusal) return refusal;
  }
  return { asksPassword: false, meeting: await present(deps, tx, meeting, found) };
}

async function present(
  { now }: AdmissionDeps,
  tx: PlatformTx,
  meeting: MeetingRow,
  { role, belongs }: EntryRights,
): Promise<MeetingAhead> {
  const { id: meetId, subject, startTime, duration, e2ee } = meeting;
  const early = role === 'host' && meeting.status === 'SCHEDULE' && isEarly(meeting, now());
  const host = await findAccount(tx, meeting.hostId);
  return {
    meetId,
    subject,
    hostName: host?.name ?? '',
    startTime: startTime.toISOString(),
    duration,
    early,
    e2ee,
    recorded: await isRecorded(tx, meeting),
    inside: await insideNow(tx, meetId, belongs),
    look: entryLookOf(await tenantOf(tx, meeting.tenantId)),
  };
}

/** Whether a meeting is being recorded, or will be as soon as it begins. */
export async function isRecorded(
  tx: PlatformTx | TenantTx,
  { id, autoRecord }: Pick<MeetingRow, 'id' | 'autoRecord'>,
): Promise<boolean> {
  const running = await findRunning(tx, id);
  return running ? isBeingRecorded(running.control) : autoRecord;
}

/**
 * Who is in a meeting now. Names are for people who belong to it: a number and its password, or a guest link, may have
 * been passed on.
 */
async function insideNow(tx: PlatformTx, meetId: string, withNames: boolean): Promise<PeopleInside> {
  const running = await findRunning(tx, meetId);
  if (!running) return { count: 0, names: [] };
  const inside = (await findPresent(tx, [running.id])).filter(({ state }) => state === 'admitted');
  return { count: inside.length, names: withNames ? inside.slice(0, NAMES_INSIDE).map(({ name }) => name) : [] };
}
