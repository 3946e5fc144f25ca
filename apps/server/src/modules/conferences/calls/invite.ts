import type { CommandAnswer, CommandRequest, contract, Data, ExpectedPerson } from '@rmeet/contract';
import type { Db, TenantTx } from '../../../platform/db/index.ts';
import { AppError } from '../../../platform/http/index.ts';
import type { Push } from '../../../platform/push/index.ts';
import { announceMeeting, findMeeting, findParticipants, inviteMore, type NoticePort } from '../../meetings/index.ts';
import type { MeetingParticipantRow, MeetingRow } from '../../meetings/tables.ts';
import { findAccounts } from '../../accounts/users/index.ts';
import type { Authorization, Control, ControlContext } from '../control/index.ts';
import { authorize } from '../control/authorization.ts';
import { impossible } from '../control/engine.ts';
import { presentPhoneInvitee } from '../desk/present.ts';
import { mayCommand } from '../policy.ts';
import { findCalls } from './repo.ts';
import { accountsIn, invitedTo, presentInvited, targetOf, type Invited, type Rings } from './rings.ts';
import type { Calls } from './calls.ts';

type InviteRequest = Extract<CommandRequest, { verb: 'invite' }>;
type People = InviteRequest['people'];

export interface InviteDeps {
  db: Db;
  push: Push;
  now: () => Date;
  control: Control;
  rings: Rings;
  calls: Pick<Calls, 'ring'>;
  notices: NoticePort;
}

/** The account in whose name people are invited. @throws AppError FORBIDDEN for guests and desks opened by a link */
function inviterOf({ caller }: ControlContext, { me }: Authorization): string {
  const accountId = caller.kind === 'user' ? caller.userId : (me?.accountId ?? null);
  if (accountId === null) throw new AppError('FORBIDDEN');
  return accountId;
}

/** How a command names a participant; accounts by the id that calls use. */
function namedIn({ id, accountId, email, phone, name }: MeetingParticipantRow, names: ReadonlyMap<string, string>) {
  if (accountId !== null) return { target: targetOf(accountId), name: names.get(accountId) ?? '' };
  return email === null ? { target: `P${id}`, name: name || (phone ?? '') } : { target: `M${id}`, name: email };
}

async function meetingIn(tx: TenantTx, { conference }: Authorization, lock: boolean): Promise<MeetingRow> {
  const meeting = await findMeeting(tx, conference.meetingId, lock);
  if (!meeting) throw new AppError('CONFERENCE_OVER');
  return meeting;
}

/** Invites people to running meetings, as booking does, and shows who is expected. */
export class Invites {
  readonly #deps: InviteDeps;

  constructor(deps: InviteDeps) {
    this.#deps = deps;
  }

  /**
   * Invites people and, if wanted, rings those of the organisation who are not inside, all in one transaction.
   *
   * @throws AppError PARTICIPANT_UNKNOWN, INVITEES_FULL, RESOURCE_FULL, VERB_IMPOSSIBLE, FORBIDDEN
   */
  invite(context: ControlContext, meetId: string, { people, ring }: InviteRequest): Promise<CommandAnswer> {
    const { db, push, now, control, notices } = this.#deps;
    return db.tenant(context.caller.tenantId, async (tx) => {
      const authorization = await control.commanding(tx, context, meetId, 'invite');
      const inviterId = inviterOf(context, authorization);
      const meeting = await meetingIn(tx, authorization, true);
      await this.#checkChannels(tx, meeting, people, context);
      const participants = await inviteMore(tx, meeting, people, now());
      const accountIds = participants.flatMap(({ accountId }) => accountId ?? []);
      const names = new Map((await findAccounts(tx, accountIds)).map(({ id, name }) => [id, name]));
      const named = participants.map((one) => namedIn(one, names));
      const command = {
        verb: 'invite' as const,
        targets: named.map(({ target }) => target),
        names: named.map(({ name }) => name),
      };
      // Topics are published in alphabetical order: `activity`, `meeting:ID`, `user`.
      await announceMeeting(push, tx, meeting.id);
      const { conference, by } = authorization;
      const { commandId, step } = await control.execute(tx, conference, command, by, context);
      await this.#call(tx, authorization, meeting, { targets: command.targets, ring }, context);
      await notices.meetingChanged(tx, { caller: { userId: inviterId } }, meeting.id);
      return { commandId, version: step.version, affected: step.affected };
    });
  }

  /**
   * Everybody expected, with the state of their call, and which channels reach people outside.
   *
   * @throws AppError FORBIDDEN for callers who may not invite
   */
  inviting(context: ControlContext, meetId: string): Promise<Data<typeof contract.conferences.inviting>> {
    const { db, now, notices } = this.#deps;
    return db.tenant(context.caller.tenantId, async (tx) => {
      const authorization = await authorize(tx, context.caller, meetId, false);
      if (!mayCommand(authorization.parts, 'invite')) throw new AppError('FORBIDDEN');
      inviterOf(context, authorization);
      const { conference } = authorization;
      const meeting = await meetingIn(tx, authorization, false);
      const newest = await findCalls(tx, conference.id);
      const inside = await accountsIn(tx, conference.id);
      const present = (one: Invited): ExpectedPerson => {
        const invitee = presentInvited(one, newest.get(one.target), now());
        return 'account' in one && inside.has(one.account.id) ? { ...invitee, state: 'inside' } : invitee;
      };
      const parties = (await findParticipants(tx, [meeting.id])).filter(({ phone }) => phone !== null);
      return {
        invitees: [...(await invitedTo(tx, meeting)).map(present), ...parties.map(presentPhoneInvitee)],
        ...(await notices.blockedChannels(tx, meeting.hostId)),
      };
    });
  }

  /** @throws AppError VERB_IMPOSSIBLE if a channel is not configured, FORBIDDEN if the host may not use it */
  async #checkChannels(
    tx: TenantTx,
    { hostId }: MeetingRow,
    people: People,
    { locale }: ControlContext,
  ): Promise<void> {
    const blocked = await this.#deps.notices.blockedChannels(tx, hostId);
    const kinds = new Set(people.map(({ kind }) => kind));
    const reasons = new Set([kinds.has('mail') ? blocked.mail : null, kinds.has('phone') ? blocked.sms : null]);
    if (reasons.has('notConfigured')) throw impossible('notConfigured', locale);
    if (reasons.has('notPermitted')) throw new AppError('FORBIDDEN');
  }

  /** Rings those of the targets who have an account and are not inside, and tells desks and rooms about the others. */
  async #call(
    tx: TenantTx,
    authorization: Authorization,
    meeting: MeetingRow,
    { targets, ring }: { targets: readonly string[]; ring: boolean },
    context: ControlContext,
  ): Promise<void> {
    const { rings, calls } = this.#deps;
    const { conference } = authorization;
    const expected = (await invitedTo(tx, meeting)).filter(({ target }) => targets.includes(target));
    const inside = await accountsIn(tx, conference.id);
    const toRing = expected.filter((one) => ring && 'account' in one && !inside.has(one.account.id));
    const others = expected.filter((one) => !toRing.includes(one));
    await rings.notifyDesks(tx, conference, others);
    await calls.ring(tx, authorization, meeting, toRing, context);
  }
}
