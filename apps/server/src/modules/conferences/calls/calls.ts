import type { CommandAnswer, Ring } from '@rmeet/contract';
import type { Db, TenantTx } from '../../../platform/db/index.ts';
import { AppError, type Context, type UserCaller } from '../../../platform/http/index.ts';
import type { Mail } from '../../../platform/mail/index.ts';
import type { Push } from '../../../platform/push/index.ts';
import { findMeeting } from '../../meetings/index.ts';
import type { MeetingRow } from '../../meetings/tables.ts';
import type { Notification, WebPushPort } from '../../web-push/index.ts';
import { findAccount } from '../../accounts/users/index.ts';
import { impossible } from '../control/engine.ts';
import type { Control, ControlContext, Authorization } from '../control/index.ts';
import { findConference, findRunning, findTerminal } from '../repo.ts';
import type { CallRow, ConferenceRow } from '../tables.ts';
import { findCalls, findRinging, putCalls } from './repo.ts';
import type { RingMail } from './ring-mail.ts';
import { accountsIn, invitedTo, RING_TIME, targetOf, type Invited, type Rings } from './rings.ts';

/** Minimum time between two mails about a conference to one address, ms. */
const MAIL_INTERVAL = 120_000;

type UserContext = Context & { caller: UserCaller };

export interface CallsDeps {
  db: Db;
  push: Push;
  mail: Mail;
  now: () => Date;
  control: Control;
  rings: Rings;
  ringMail: RingMail;
  webPush: WebPushPort;
}

/** A call to make now: accounts are rung, and people with an address get a mail unless they got one recently. */
interface OutgoingCall {
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

/** The ring for browsers in which the app is not open. */
const notificationOf = (
  { id, number, subject }: MeetingRow,
  { calledBy, until }: Pick<CallRow, 'calledBy' | 'until'>,
): Notification => ({
  texts: {
    zh: { title: `${calledBy} 正在呼叫您参加会议`, body: subject },
    en: { title: `${calledBy} is calling you into a meeting`, body: subject },
  },
  path: `/join?number=${number}`,
  tag: `ring-${id}`,
  expiresAt: until,
  isRing: true,
});

const remaining = (until: number, now: Date): number => Math.max(0, until - now.getTime());

/** Milliseconds until the next mail may be sent. */
const mailCooldown = (call: CallRow | undefined, now: Date): number =>
  call?.mailedAt ? remaining(call.mailedAt.getTime() + MAIL_INTERVAL, now) : 0;

/**
 * Milliseconds until a person may be called again: a ring ends first, a person who declined is left alone for as long
 * as it would have rung, and mails have a minimum interval.
 */
function cooldown(invited: Invited, call: CallRow | undefined, now: Date): number {
  if (!('account' in invited)) return mailCooldown(call, now);
  return !call || (call.overAt !== null && call.declinedAt === null) ? 0 : remaining(call.until.getTime(), now);
}

async function meetingOf(tx: TenantTx, { meetingId }: ConferenceRow): Promise<MeetingRow> {
  const meeting = await findMeeting(tx, meetingId);
  if (!meeting) throw new AppError('CONFERENCE_OVER');
  return meeting;
}

/** The person that a call names: an invited one, or the person of a terminal that was in the conference. */
async function targetPerson(
  tx: TenantTx,
  conference: ConferenceRow,
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

/** Calls invited people who have not joined: by a ring in the app, and by a mail with the link. */
export class Calls {
  readonly #deps: CallsDeps;

  constructor(deps: CallsDeps) {
    this.#deps = deps;
  }

  /** Calls everybody who is absent, except people who are being rung or have just declined. */
  callAll(context: ControlContext, meetId: string): Promise<CommandAnswer> {
    const { db, mail, control, now } = this.#deps;
    return db.tenant(context.caller.tenantId, async (tx) => {
      const authorization = await control.commanding(tx, context, meetId, 'call');
      const { conference } = authorization;
      const meeting = await meetingOf(tx, conference);
      const present = await accountsIn(tx, conference.id);
      const calls = await findCalls(tx, conference.id);
      const absent = (await invitedTo(tx, meeting)).filter((one) => !('account' in one && present.has(one.account.id)));
      const callable = absent.filter(
        (one) => ('account' in one || mail.isConfigured) && cooldown(one, calls.get(one.target), now()) === 0,
      );
      const outgoing = callable.map((one) => this.#outgoing(one, calls.get(one.target)));
      return this.#execute(tx, authorization, meeting, outgoing, context);
    });
  }

  /**
   * Calls one person, by `U` and an account's id, `M` and the id of an outside invitation, or their former termId.
   *
   * @throws AppError CALL_TARGET_UNKNOWN if no invited and absent person is named, TOO_MANY_REQUESTS if the person was
   *   called just now, VERB_IMPOSSIBLE if only mail reaches the person and none can be sent
   */
  call(context: ControlContext, meetId: string, target: string): Promise<CommandAnswer> {
    const { db, mail, control, now } = this.#deps;
    return db.tenant(context.caller.tenantId, async (tx) => {
      const authorization = await control.commanding(tx, context, meetId, 'call');
      const { conference } = authorization;
      const meeting = await meetingOf(tx, conference);
      const invited = await targetPerson(tx, conference, meeting, target);
      if ('account' in invited && (await accountsIn(tx, conference.id)).has(invited.account.id))
        throw new AppError('CALL_TARGET_UNKNOWN');
      if (!('account' in invited) && !mail.isConfigured) throw impossible('notConfigured', context.locale);
      const earlier = (await findCalls(tx, conference.id)).get(invited.target);
      const rest = cooldown(invited, earlier, now());
      if (rest > 0) throw new AppError('TOO_MANY_REQUESTS', { seconds: Math.ceil(rest / 1_000) });
      return this.#execute(tx, authorization, meeting, [this.#outgoing(invited, earlier)], context);
    });
  }

  /** Stops ringing people; does nothing for those who are not rung. */
  cancel(context: ControlContext, meetId: string, targets: readonly string[]): Promise<CommandAnswer> {
    const { db, control, rings } = this.#deps;
    return db.tenant(context.caller.tenantId, async (tx) => {
      const { conference, by } = await control.commanding(tx, context, meetId, 'cancelCall');
      const command = { verb: 'cancelCall' as const, targets: [...targets] };
      const { commandId, step } = await control.execute(tx, conference, command, by, context);
      await rings.cancel(tx, conference, targets);
      return { commandId, version: step.version, affected: step.affected };
    });
  }

  /** The rings of the caller's account, the oldest first, for pages that open or reconnect meanwhile. */
  ringing({ caller }: UserContext): Promise<Ring[]> {
    const { db, now } = this.#deps;
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
  }

  /**
   * The caller declines a call. Does nothing if the ring has ended.
   *
   * @throws AppError NOT_FOUND if they were never called to this running meeting
   */
  async decline({ caller }: UserContext, meetId: string): Promise<void> {
    const { db, rings } = this.#deps;
    await db.tenant(caller.tenantId, async (tx) => {
      const conference = await findRunning(tx, meetId);
      const call = conference && (await findCalls(tx, conference.id)).get(targetOf(caller.userId));
      if (!conference || !call) throw new AppError('NOT_FOUND');
      await rings.decline(tx, conference, caller.userId);
    });
  }

  #outgoing(invited: Invited, earlier: CallRow | undefined): OutgoingCall {
    const { mail, now } = this.#deps;
    const byMail = mail.isConfigured && addressOf(invited) !== '' && mailCooldown(earlier, now()) === 0;
    return { invited, earlier, byMail };
  }

  /**
   * Rings these accounts, within the transaction of a command that was executed; not those that ring already or have
   * just declined. No mail is sent: they get another one.
   */
  async ring(
    tx: TenantTx,
    authorization: Authorization,
    meeting: MeetingRow,
    invited: readonly Invited[],
    context: ControlContext,
  ): Promise<void> {
    const { now } = this.#deps;
    const calls = await findCalls(tx, authorization.conference.id);
    const outgoing = invited
      .map((one) => ({ invited: one, earlier: calls.get(one.target), byMail: false }))
      .filter(({ invited: one, earlier }) => cooldown(one, earlier, now()) === 0);
    await this.#dial(tx, authorization, meeting, outgoing, context);
  }

  /** Executes the command and makes the calls, in the transaction that found them. */
  async #execute(
    tx: TenantTx,
    authorization: Authorization,
    meeting: MeetingRow,
    outgoing: readonly OutgoingCall[],
    context: ControlContext,
  ): Promise<CommandAnswer> {
    const { conference, by } = authorization;
    const targets = outgoing.map(({ invited }) => invited.target);
    const { commandId, step } = await this.#deps.control.execute(
      tx,
      conference,
      { verb: 'call', targets },
      by,
      context,
    );
    await this.#dial(tx, authorization, meeting, outgoing, context);
    return { commandId, version: step.version, affected: step.affected };
  }

  /** Makes the calls. */
  async #dial(
    tx: TenantTx,
    authorization: Authorization,
    meeting: MeetingRow,
    outgoing: readonly OutgoingCall[],
    context: ControlContext,
  ): Promise<void> {
    const { rings } = this.#deps;
    const { conference, by } = authorization;
    const at = this.#deps.now();
    const until = new Date(at.getTime() + RING_TIME);
    await this.#store(tx, authorization, outgoing, at, until);
    await rings.notifyDesks(
      tx,
      conference,
      outgoing.map(({ invited }) => invited),
    );
    await this.#ring(tx, meeting, outgoing, { calledBy: by.name, until });
    this.#mail(tx, authorization, outgoing, context);
  }

  async #store(
    tx: TenantTx,
    { conference, by }: Authorization,
    outgoing: readonly OutgoingCall[],
    at: Date,
    until: Date,
  ): Promise<void> {
    const rows = outgoing.map(({ invited, earlier, byMail }) => {
      const ring =
        'account' in invited
          ? { accountId: invited.account.id, until, overAt: null }
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
    });
    await putCalls(tx, rows);
  }

  async #ring(
    tx: TenantTx,
    meeting: MeetingRow,
    outgoing: readonly OutgoingCall[],
    call: Pick<CallRow, 'calledBy' | 'until'>,
  ): Promise<void> {
    const userIds = outgoing.flatMap(({ invited }) => ('account' in invited ? [invited.account.id] : []));
    if (userIds.length === 0) return;
    const { push, webPush } = this.#deps;
    await push.publish(tx, 'user', { type: 'ring', ...presentRing(meeting, call), userIds });
    await webPush.notify(tx, userIds, notificationOf(meeting, call));
  }

  #mail(
    tx: TenantTx,
    { conference: { tenantId, id }, by }: Authorization,
    outgoing: readonly OutgoingCall[],
    { locale }: ControlContext,
  ): void {
    const targets = outgoing.flatMap(({ invited, byMail }) => (byMail ? [invited.target] : []));
    if (targets.length === 0) return;
    const job = { tenantId, conferenceId: id, targets, from: by.name, locale };
    // Not within the transaction: a queue that is just starting may need the database first.
    tx.afterCommit(() => this.#deps.ringMail.send(job));
  }
}
