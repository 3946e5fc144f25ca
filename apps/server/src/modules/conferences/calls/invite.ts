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

/** Invites people to running meetings, as booking does, and shows who is expected. */
export function createInvites({ db, push, now, control, rings, calls, notices }: InviteDeps) {
  /** @throws AppError VERB_IMPOSSIBLE if a channel is not configured, FORBIDDEN if the host may not use it */
  async function checkChannels(
    tx: TenantTx,
    { hostId }: MeetingRow,
    people: People,
    { locale }: ControlContext,
  ): Promise<void> {
    const blocked = await notices.blockedChannels(tx, hostId);
    const kinds = new Set(people.map(({ kind }) => kind));
    const reasons = [kinds.has('mail') ? blocked.mail : null, kinds.has('phone') ? blocked.sms : null];
    if (reasons.includes('notConfigured')) throw impossible('notConfigured', locale);
    if (reasons.includes('notPermitted')) throw new AppError('FORBIDDEN');
  }

  async function meetingIn(tx: TenantTx, { conference }: Authorization, lock: boolean): Promise<MeetingRow> {
    const meeting = await findMeeting(tx, conference.meetingId, lock);
    if (!meeting) throw new AppError('CONFERENCE_OVER');
    return meeting;
  }

  return {
    /**
     * Invites people and, if wanted, rings those of the organisation who are not inside, all in one transaction.
     *
     * @throws AppError PARTICIPANT_UNKNOWN, INVITEES_FULL, RESOURCE_FULL, VERB_IMPOSSIBLE, FORBIDDEN
     */
    invite(context: ControlContext, meetId: string, { people, ring }: InviteRequest): Promise<CommandAnswer> {
      return db.tenant(context.caller.tenantId, async (tx) => {
        const authorization = await control.commanding(tx, context, meetId, 'invite');
        const { conference, by } = authorization;
        const inviterId = inviterOf(context, authorization);
        const meeting = await meetingIn(tx, authorization, true);
        await checkChannels(tx, meeting, people, context);
        const participants = await inviteMore(tx, meeting, people, now());
        const accountIds = participants.flatMap(({ accountId }) => accountId ?? []);
        const names = new Map((await findAccounts(tx, accountIds)).map(({ id, name }) => [id, name]));
        const named = participants.map((one) => namedIn(one, names));
        // Topics are published in alphabetical order: `activity`, `meeting:ID`, `user`.
        await announceMeeting(push, tx, meeting.id);
        const { commandId, step } = await control.execute(
          tx,
          conference,
          { verb: 'invite', targets: named.map(({ target }) => target), names: named.map(({ name }) => name) },
          by,
          context,
        );
        const targets = new Set(named.map(({ target }) => target));
        const expected = (await invitedTo(tx, meeting)).filter(({ target }) => targets.has(target));
        const inside = await accountsIn(tx, conference.id);
        const toRing = expected.filter((one) => ring && 'account' in one && !inside.has(one.account.id));
        await rings.notifyDesks(tx, conference, expected.filter((one) => !toRing.includes(one)));
        await calls.ring(tx, authorization, meeting, toRing, context);
        await notices.meetingChanged(tx, { caller: { userId: inviterId } }, meeting.id);
        return { commandId, version: step.version, affected: step.affected };
      });
    },

    /**
     * Everybody expected, with the state of their call, and which channels reach people outside.
     *
     * @throws AppError FORBIDDEN for callers who may not invite
     */
    inviting(context: ControlContext, meetId: string): Promise<Data<typeof contract.conferences.inviting>> {
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
    },
  };
}

export type Invites = ReturnType<typeof createInvites>;
