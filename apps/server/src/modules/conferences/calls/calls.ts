import type { CommandAnswer, Ring } from '@rmeet/contract';
import type { Db, TenantTx } from '../../../platform/db/index.ts';
import { AppError, type Context, type UserCaller } from '../../../platform/http/index.ts';
import type { Mail } from '../../../platform/mail/index.ts';
import type { Push } from '../../../platform/push/index.ts';
import { findMeeting } from '../../meetings/index.ts';
import type { MeetingRow } from '../../meetings/tables.ts';
import { findAccount } from '../../accounts/users/index.ts';
import { impossible } from '../control/engine.ts';
import type { Control, ControlContext, Standing } from '../control/index.ts';
import { findConference, findRunning, findTerminal } from '../repo.ts';
import type { CallRow, ConferenceRow } from '../tables.ts';
import { findCalls, findRinging, putCalls } from './repo.ts';
import type { RingMail } from './ring-mail.ts';
import { accountsIn, invitedTo, RING_TIME, targetOf, type Invited, type Rings } from './rings.ts';

/** One address gets a mail about a conference no more often than this. */
const MAIL_GAP = 120_000;

type UserContext = Context & { caller: UserCaller };

export interface CallsDeps {
  db: Db;
  push: Push;
  mail: Mail;
  now: () => Date;
  control: Control;
  rings: Rings;
  ringMail: RingMail;
}

/** Somebody to be called now: accounts by a ring, and whoever has an address by mail, if it is not too soon for one. */
interface Reach {
  invited: Invited;
  earlier: CallRow | undefined;
  byMail: boolean;
}

const addressOf = (invited: Invited): string =>
  'account' in invited ? invited.account.email : (invited.participant.email ?? '');

const presentRing = (
  { id, number, subject }: MeetingRow,
  { calledBy, until }: Pick<CallRow, 'calledBy' | 'until'>,
): Ring => ({ meetId: id, numericId: number, subject, from: calledBy, until: until.toISOString() });

/** How people who are invited and not there are called: a ring in the app, and a mail with the way in. */
export function createCalls({ db, push, mail, now, control, rings, ringMail }: CallsDeps) {
  const until = (time: number): number => Math.max(0, time - now().getTime());
  const mailRest = (call: CallRow | undefined): number =>
    call?.mailedAt ? until(call.mailedAt.getTime() + MAIL_GAP) : 0;

  /**
   * Milliseconds until somebody may be called again: a ring is left to end, whoever has declined one has their peace
   * for as long as it would have rung, and addresses are not written to all the time.
   */
  function restOf(invited: Invited, call: CallRow | undefined): number {
    if (!('account' in invited)) return mailRest(call);
    return !call || (call.overAt !== null && call.declinedAt === null) ? 0 : until(call.until.getTime());
  }

  const reachOf = (invited: Invited, earlier: CallRow | undefined): Reach => ({
    invited,
    earlier,
    byMail: mail.isConfigured && addressOf(invited) !== '' && mailRest(earlier) === 0,
  });

  /** Stores and tells the calls; the command has been told before. */
  async function reach(
    tx: TenantTx,
    { conference, by }: Standing,
    meeting: MeetingRow,
    reaches: readonly Reach[],
    context: ControlContext,
  ): Promise<void> {
    const at = now();
    const silentAt = new Date(at.getTime() + RING_TIME);
    await putCalls(
      tx,
      reaches.map(({ invited, earlier, byMail }) => {
        const ring =
          'account' in invited
            ? { accountId: invited.account.id, until: silentAt, overAt: null }
            : { accountId: null, until: at, overAt: at };
        const mailed = byMail
          ? { mailedAt: at, mail: 'SENDING' as const }
          : { mailedAt: earlier?.mailedAt ?? null, mail: earlier?.mail ?? 'none' };
        return {
          conferenceId: conference.id,
          target: invited.target,
          calledAt: at,
          calledBy: by.name,
          declinedAt: null,
          ...ring,
          ...mailed,
        };
      }),
    );
    await rings.tellDesks(
      tx,
      conference,
      reaches.map(({ invited }) => invited),
    );
    const userIds = reaches.flatMap(({ invited }) => ('account' in invited ? [invited.account.id] : []));
    if (userIds.length > 0) {
      await push.publish(tx, 'user', {
        type: 'ring',
        ...presentRing(meeting, { calledBy: by.name, until: silentAt }),
        userIds,
      });
    }
    const targets = reaches.flatMap(({ invited, byMail }) => (byMail ? [invited.target] : []));
    if (targets.length > 0) {
      const { tenantId, id } = conference;
      const mailing = { tenantId, conferenceId: id, targets, from: by.name, locale: context.locale };
      // Not within the transaction: a queue that is just starting may want the database first.
      tx.afterCommit(() => ringMail.send(mailing));
    }
  }

  /** The command for these calls, within the transaction that has found them. */
  async function carryOut(
    tx: TenantTx,
    standing: Standing,
    meeting: MeetingRow,
    reaches: readonly Reach[],
    context: ControlContext,
  ): Promise<CommandAnswer> {
    const targets = reaches.map(({ invited }) => invited.target);
    const { commandId, step } = await control.execute(
      tx,
      standing.conference,
      { verb: 'call', targets },
      standing.by,
      context,
    );
    await reach(tx, standing, meeting, reaches, context);
    return { commandId, version: step.version, concerned: step.concerned };
  }

  async function meetingOf(tx: TenantTx, { meetingId }: ConferenceRow): Promise<MeetingRow> {
    const meeting = await findMeeting(tx, meetingId);
    if (!meeting) throw new AppError('CONFERENCE_OVER');
    return meeting;
  }

  /** Whom a call names: somebody invited, or the person of a terminal that was inside. */
  async function calledBy(
    tx: TenantTx,
    { conference }: Standing,
    meeting: MeetingRow,
    target: string,
  ): Promise<Invited> {
    const invited = (await invitedTo(tx, meeting)).find((one) => one.target === target);
    if (invited) return invited;
    const terminal = await findTerminal(tx, target);
    const wasInside =
      terminal?.conferenceId === conference.id && (terminal.state === 'lost' || terminal.state === 'left');
    const account = wasInside && terminal.accountId !== null ? await findAccount(tx, terminal.accountId) : undefined;
    if (!account?.enabled) throw new AppError('CALL_TARGET_UNKNOWN');
    return { target: targetOf(account.id), account };
  }

  return {
    /** Calls everybody who is not there; whoever is rung already, or has just declined, is left alone. */
    callAll(context: ControlContext, meetId: string): Promise<CommandAnswer> {
      return db.tenant(context.caller.tenantId, async (tx) => {
        const standing = await control.commanding(tx, context, meetId, 'call');
        const meeting = await meetingOf(tx, standing.conference);
        const there = await accountsIn(tx, standing.conference.id);
        const calls = await findCalls(tx, standing.conference.id);
        const absent = (await invitedTo(tx, meeting)).filter((one) => !('account' in one && there.has(one.account.id)));
        const callable = absent.filter(
          (one) => ('account' in one || mail.isConfigured) && restOf(one, calls.get(one.target)) === 0,
        );
        const reaches = callable.map((one) => reachOf(one, calls.get(one.target)));
        return carryOut(tx, standing, meeting, reaches, context);
      });
    },

    /**
     * Calls one person, by `U` and an account's id, `M` and the id of an outside invitation, or the termId they had.
     *
     * @throws AppError CALL_TARGET_UNKNOWN where nobody invited and absent is meant, TOO_MANY_REQUESTS where they
     *   were called just now,
     * VERB_IMPOSSIBLE where only mail reaches them and none can be sent
     */
    call(context: ControlContext, meetId: string, target: string): Promise<CommandAnswer> {
      return db.tenant(context.caller.tenantId, async (tx) => {
        const standing = await control.commanding(tx, context, meetId, 'call');
        const meeting = await meetingOf(tx, standing.conference);
        const invited = await calledBy(tx, standing, meeting, target);
        if ('account' in invited && (await accountsIn(tx, standing.conference.id)).has(invited.account.id))
          throw new AppError('CALL_TARGET_UNKNOWN');
        if (!('account' in invited) && !mail.isConfigured) throw impossible('notConfigured', context.locale);
        const earlier = (await findCalls(tx, standing.conference.id)).get(invited.target);
        const rest = restOf(invited, earlier);
        if (rest > 0) throw new AppError('TOO_MANY_REQUESTS', { seconds: Math.ceil(rest / 1_000) });
        return carryOut(tx, standing, meeting, [reachOf(invited, earlier)], context);
      });
    },

    /** What rings for the caller, the oldest call first: for pages that open, or come back, while it does. */
    ringing({ caller }: UserContext): Promise<Ring[]> {
      return db.tenant(caller.tenantId, async (tx) => {
        const calls = await findRinging(tx, caller.userId, now());
        const presented = await Promise.all(
          calls.map(async (call) => {
            const conference = await findConference(tx, call.conferenceId);
            const meeting = conference && !conference.endedAt ? await findMeeting(tx, conference.meetingId) : undefined;
            return meeting ? [presentRing(meeting, call)] : [];
          }),
        );
        return presented.flat();
      });
    },

    /**
     * The caller does not want to come. Nothing happens when they are rung no more.
     *
     * @throws AppError NOT_FOUND where they were never called to this meeting as it runs
     */
    async decline({ caller }: UserContext, meetId: string): Promise<void> {
      await db.tenant(caller.tenantId, async (tx) => {
        const conference = await findRunning(tx, meetId);
        const call = conference && (await findCalls(tx, conference.id)).get(targetOf(caller.userId));
        if (!conference || !call) throw new AppError('NOT_FOUND');
        await rings.decline(tx, conference, caller.userId);
      });
    },
  };
}

export type Calls = ReturnType<typeof createCalls>;
