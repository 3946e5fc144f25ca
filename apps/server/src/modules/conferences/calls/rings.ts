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
import { endRings, findCalls, findSpentRings, forgetDeclined } from './repo.ts';

/** How long somebody is rung. */
export const RING_TIME = 60_000;

type Of = Pick<ConferenceRow, 'id' | 'meetingId'>;

/** Somebody who is to be there: the host, an account invited, or an outside mail address. */
export type Invited = { target: string; account: AccountRow } | { target: string; participant: MeetingParticipantRow };

export const targetOf = (accountId: string): string => `U${accountId}`;

/** Everybody who is to be at a meeting, each once; accounts that are gone or disabled are not. */
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

/** Whoever a call was for. */
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

/** What rings, and that it stops: when somebody comes, declines, does not answer in time, or the conference is over. */
export function createRings({ db, push, now }: RingsDeps) {
  async function tellDesks(tx: TenantTx, conference: Of, invited: readonly Invited[]): Promise<void> {
    if (invited.length === 0) return;
    const calls = await findCalls(tx, conference.id);
    await publishToDesks(push, tx, conference, {
      type: 'inviteesChanged',
      invitees: invited.map((one) => presentInvited(one, calls.get(one.target), now())),
    });
  }

  /** Their desks are told first: topics are published on in alphabetical order. */
  async function tellOver(tx: TenantTx, conference: Of, rows: readonly CallRow[]): Promise<void> {
    const userIds = rows.flatMap(({ accountId }) => accountId ?? []);
    if (userIds.length === 0) return;
    const accounts = await findAccounts(tx, userIds);
    await tellDesks(
      tx,
      conference,
      accounts.map((account) => ({ target: targetOf(account.id), account })),
    );
    await push.publish(tx, 'user', { type: 'ringOver', meetId: conference.meetingId, userIds });
  }

  return {
    tellDesks,

    /** Somebody does not want to come. Nothing happens when it rings no more. */
    async decline(tx: TenantTx, conference: Of, accountId: string): Promise<void> {
      const at = now();
      await tellOver(
        tx,
        conference,
        await endRings(tx, conference.id, [targetOf(accountId)], { overAt: at, declinedAt: at }),
      );
    },

    /** Terminals have come or gone: whoever is there is rung no more, and desks see who is missing again. */
    async moved(tx: TenantTx, conference: ConferenceRow, termIds: readonly string[]): Promise<void> {
      const accountIds = new Set((await findTerminals(tx, termIds)).flatMap(({ accountId }) => accountId ?? []));
      if (accountIds.size === 0) return;
      const there = await accountsIn(tx, conference.id);
      const come = [...accountIds].filter((id) => there.has(id)).map(targetOf);
      if (come.length > 0) {
        await tellOver(tx, conference, await endRings(tx, conference.id, come, { overAt: now() }));
        await forgetDeclined(tx, conference.id, come);
      }
      if (come.length === accountIds.size) return;
      const meeting = await findMeeting(tx, conference.meetingId);
      const gone = meeting
        ? (await invitedTo(tx, meeting)).filter(
            (one) => 'account' in one && accountIds.has(one.account.id) && !there.has(one.account.id),
          )
        : [];
      await tellDesks(tx, conference, gone);
    },

    /** One round: stops what has rung long enough, or for a conference that is over. */
    async settle(): Promise<void> {
      const spent = await db.platform((tx) => findSpentRings(tx, now()));
      for (const [conferenceId, rows] of Map.groupBy(spent, (row) => row.conferenceId)) {
        const [first] = rows;
        if (!first) continue;
        await db.tenant(first.tenantId, async (tx) => {
          const conference = await findConference(tx, conferenceId);
          if (!conference) return;
          const at = now();
          // Somebody may have been called anew since the look.
          const ended = await endRings(
            tx,
            conferenceId,
            rows.map(({ target }) => target),
            { overAt: at },
            conference.endedAt ? undefined : at,
          );
          await tellOver(tx, conference, ended);
        });
      }
    },
  };
}

export type Rings = ReturnType<typeof createRings>;
