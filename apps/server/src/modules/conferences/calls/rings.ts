import type { DeskInvitee } from '@rmeet/contract';
import type { Db, TenantTx } from '../../../platform/db/index.ts';
import type { Push } from '../../../platform/push/index.ts';
import { findMeeting, findParticipants } from '../../meetings/index.ts';
import type { MeetingParticipantRow, MeetingRow } from '../../meetings/tables.ts';
import { findAccounts } from '../../accounts/users/index.ts';
import type { AccountRow } from '../../accounts/users/tables.ts';
import { publishToDesks } from '../desk/events.ts';
import { presentInvitee, presentMailInvitee } from '../desk/present.ts';
import { findConference, findPresent, findTerminals } from '../repo.ts';
import type { CallRow, ConferenceRow } from '../tables.ts';
import { endRings, findCalls, findSpentRings, forgetAnswers } from './repo.ts';

/** How long an invited person is rung, ms. */
export const RING_TIME = 60_000;

type Of = Pick<ConferenceRow, 'id' | 'meetingId'>;

/** A person who is expected: the host, an invited account, or an outside mail address. */
export type Invited = { target: string; account: AccountRow } | { target: string; participant: MeetingParticipantRow };

export const targetOf = (accountId: string): string => `U${accountId}`;

/** Everybody who is expected in a meeting, each once, without deleted and disabled accounts. */
export async function invitedTo(tx: TenantTx, meeting: Pick<MeetingRow, 'id' | 'hostId'>): Promise<Invited[]> {
  const participants = await findParticipants(tx, [meeting.id]);
  const ids = new Set([meeting.hostId, ...participants.flatMap(({ accountId }) => accountId ?? [])]);
  const accounts = (await findAccounts(tx, [...ids])).filter(({ enabled }) => enabled);
  return [
    ...accounts.map((account) => ({ target: targetOf(account.id), account })),
    ...participants
      .filter(({ email }) => email !== null)
      .map((participant) => ({ target: `M${participant.id}`, participant })),
  ];
}

/** The person that a call was for. */
export async function calledAs(
  tx: TenantTx,
  { id, hostId }: Pick<MeetingRow, 'id' | 'hostId'>,
  { target, accountId }: Pick<CallRow, 'target' | 'accountId'>,
): Promise<Invited | undefined> {
  if (accountId === null) return (await invitedTo(tx, { id, hostId })).find((one) => one.target === target);
  const [account] = await findAccounts(tx, [accountId]);
  return account?.enabled ? { target, account } : undefined;
}

/** Accounts with a terminal inside or waiting. */
export async function accountsIn(tx: TenantTx, conferenceId: string): Promise<Set<string>> {
  return new Set((await findPresent(tx, [conferenceId])).flatMap(({ accountId }) => accountId ?? []));
}

export const presentInvited = (invited: Invited, call: CallRow | undefined, now: Date): DeskInvitee =>
  'account' in invited
    ? presentInvitee(invited.account.id, invited.account, call, now)
    : presentMailInvitee(invited.participant, call);

export interface RingsDeps {
  db: Db;
  push: Push;
  now: () => Date;
}

/** Sends desks the state of invited people. */
async function notifyDesks(
  { push, now }: RingsDeps,
  tx: TenantTx,
  conference: Of,
  invited: readonly Invited[],
): Promise<void> {
  if (invited.length === 0) return;
  const calls = await findCalls(tx, conference.id);
  await publishToDesks(push, tx, conference, {
    type: 'inviteesChanged',
    invitees: invited.map((one) => presentInvited(one, calls.get(one.target), now())),
  });
}

/** Tells desks and the called people that rings have ended. Desks first: topics are published in alphabetical order. */
async function notifyEnded(deps: RingsDeps, tx: TenantTx, conference: Of, rows: readonly CallRow[]): Promise<void> {
  const userIds = rows.flatMap(({ accountId }) => accountId ?? []);
  if (userIds.length === 0) return;
  const accounts = await findAccounts(tx, userIds);
  const invited = accounts.map((account) => ({ target: targetOf(account.id), account }));
  await notifyDesks(deps, tx, conference, invited);
  await deps.push.publish(tx, 'user', { type: 'ringOver', meetId: conference.meetingId, userIds });
}

/** Ends rings of one conference whose time is over, or all of them if it has ended. */
async function endSpentRings(deps: RingsDeps, tx: TenantTx, conferenceId: string, rows: CallRow[]): Promise<void> {
  const conference = await findConference(tx, conferenceId);
  if (!conference) return;
  const at = deps.now();
  const targets = rows.map(({ target }) => target);
  // A person may have been called again since the rows were read.
  const ended = await endRings(tx, conferenceId, targets, { overAt: at }, conference.endedAt ? undefined : at);
  await notifyEnded(deps, tx, conference, ended);
}

/** Ends rings: when the person joins, declines or does not answer in time, or when the conference ends. */
export function createRings(deps: RingsDeps) {
  const { db, now } = deps;
  return {
    notifyDesks: (tx: TenantTx, conference: Of, invited: readonly Invited[]): Promise<void> =>
      notifyDesks(deps, tx, conference, invited),

    /** A person declines. Does nothing if the ring has ended. */
    async decline(tx: TenantTx, conference: Of, accountId: string): Promise<void> {
      const at = now();
      const ended = await endRings(tx, conference.id, [targetOf(accountId)], { overAt: at, declinedAt: at });
      await notifyEnded(deps, tx, conference, ended);
    },

    /** Stops ringing people. Does nothing for those who are not rung. */
    async cancel(tx: TenantTx, conference: Of, targets: readonly string[]): Promise<void> {
      await notifyEnded(deps, tx, conference, await endRings(tx, conference.id, targets, { overAt: now() }));
    },

    /** Terminals have entered or left: ends the rings of people who are there, and tells desks who is missing again. */
    async moved(tx: TenantTx, conference: ConferenceRow, termIds: readonly string[]): Promise<void> {
      const accountIds = new Set((await findTerminals(tx, termIds)).flatMap(({ accountId }) => accountId ?? []));
      if (accountIds.size === 0) return;
      const present = await accountsIn(tx, conference.id);
      const arrived = [...accountIds].filter((id) => present.has(id)).map(targetOf);
      if (arrived.length > 0) {
        await notifyEnded(deps, tx, conference, await endRings(tx, conference.id, arrived, { overAt: now() }));
        await forgetAnswers(tx, conference.id, arrived);
      }
      if (arrived.length === accountIds.size) return;
      const meeting = await findMeeting(tx, conference.meetingId);
      const invited = meeting ? await invitedTo(tx, meeting) : [];
      const gone = invited.filter(
        (one) => 'account' in one && accountIds.has(one.account.id) && !present.has(one.account.id),
      );
      await notifyDesks(deps, tx, conference, gone);
    },

    /** Ends all rings whose time is over or whose conference has ended. */
    async settle(): Promise<void> {
      const spent = await db.platform((tx) => findSpentRings(tx, now()));
      for (const [conferenceId, rows] of Map.groupBy(spent, (row) => row.conferenceId)) {
        const [first] = rows;
        if (first) await db.tenant(first.tenantId, (tx) => endSpentRings(deps, tx, conferenceId, rows));
      }
    },
  };
}

export type Rings = ReturnType<typeof createRings>;
