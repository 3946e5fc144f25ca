import { and, asc, eq, isNull } from 'drizzle-orm';
import type { contract, Data, Input } from '@rmeet/contract';
import { allOf } from '../../../platform/db/conditions.ts';
import type { Db, TenantTx } from '../../../platform/db/index.ts';
import { AppError, type Context, type UserCaller } from '../../../platform/http/index.ts';
import { recordAudit } from '../../audit/index.ts';
import { findAccounts, isInvitable } from '../../accounts/users/index.ts';
import { findMeeting, manageMeeting, relationIn } from '../../meetings/index.ts';
import { recording, recordingGrant } from '../tables.ts';
import { rightsTo } from './access.ts';

type UserContext = Context<UserCaller>;
type Granted = Data<typeof contract.recordings.grantRecordIds>['granted'];

/** The accounts that a meeting's recordings were granted to, without former members. */
export async function grantedTo(tx: TenantTx, meetingId: string): Promise<Granted> {
  const grants = await tx.find(recordingGrant, eq(recordingGrant.meetingId, meetingId), {
    orderBy: [asc(recordingGrant.grantedAt), asc(recordingGrant.accountId)],
  });
  const accounts = await findAccounts(
    tx,
    grants.map(({ accountId }) => accountId),
  );
  const names = new Map(accounts.filter(isInvitable).map(({ id, name }) => [id, name]));
  return grants.flatMap(({ accountId }) => {
    const name = names.get(accountId);
    return name === undefined ? [] : [{ userId: accountId, name }];
  });
}

/** Who may watch a meeting's recordings, and the links to them. */
export function createGrants({ db, now, publicUrl }: { db: Db; now: () => Date; publicUrl: () => string | null }) {
  return {
    /** @throws AppError NOT_FOUND, FORBIDDEN, PARTICIPANT_UNKNOWN */
    async grant(
      context: UserContext,
      { query: { meetId }, body }: Input<typeof contract.recordings.grantRecordIds>,
    ): Promise<Data<typeof contract.recordings.grantRecordIds>> {
      const userIds = [...new Set(body.userIds)];
      return db.tenant(context.caller.tenantId, async (tx) => {
        const meeting = await manageMeeting(tx, meetId, context.caller, { lock: true });
        const accounts = await findAccounts(tx, userIds);
        if (accounts.length < userIds.length || !accounts.every(isInvitable)) throw new AppError('PARTICIPANT_UNKNOWN');
        const before = await grantedTo(tx, meetId);
        await tx.delete(recordingGrant, allOf(eq(recordingGrant.meetingId, meetId)));
        if (userIds.length > 0)
          await tx.insert(
            recordingGrant,
            userIds.map((accountId) => ({ meetingId: meetId, accountId, grantedAt: now() })),
          );
        const granted = await grantedTo(tx, meetId);
        const namesOf = (people: Granted): string[] => people.map(({ name }) => name);
        await recordAudit(tx, context, now(), {
          target: { kind: 'meeting', id: meetId, name: meeting.subject },
          before: { names: namesOf(before) },
          after: { names: namesOf(granted) },
        });
        return { granted };
      });
    },

    /** @throws AppError NOT_FOUND for a meeting of which the caller may see nothing */
    async links(
      { caller, origin }: UserContext,
      meetId: string,
    ): Promise<Data<typeof contract.recordings.getRecordLink>> {
      return db.tenant(caller.tenantId, async (tx) => {
        const meeting = await findMeeting(tx, meetId);
        if (!meeting) throw new AppError('NOT_FOUND');
        const where = and(eq(recording.meetingId, meetId), isNull(recording.deletedAt));
        const rows = await tx.find(recording, where, { orderBy: [asc(recording.startedAt), asc(recording.id)] });
        const rights = await rightsTo(tx, caller, rows);
        const watched = rows.filter(({ id }) => rights.get(id)?.watches);
        if (watched.length === 0 && (await relationIn(tx, caller, meeting)) === 'none') throw new AppError('NOT_FOUND');
        return {
          records: watched.map(({ id, subject, startedAt, duration }) => ({
            id,
            subject,
            startTime: startedAt.toISOString(),
            duration,
            link: `${publicUrl() ?? origin}/#/record-details/${id}`,
          })),
        };
      });
    },
  };
}

export type Grants = ReturnType<typeof createGrants>;
