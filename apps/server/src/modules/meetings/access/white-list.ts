import { and, asc, eq, inArray, or } from 'drizzle-orm';
import type { contract, Input, WhiteList } from '@rmeet/contract';
import { newId, type Db, type TenantTx } from '../../../platform/db/index.ts';
import { AppError, type Context, type Handlers, type UserCaller } from '../../../platform/http/index.ts';
import { findAccount, findAccounts } from '../../accounts/users/index.ts';
import { changed, recordAudit } from '../../audit/index.ts';
import type { ConferencePort } from '../ports.ts';
import { isOver } from '../status.ts';
import { meetingWhiteList, type MeetingRow, type WhiteListRow } from '../tables.ts';
import { manageMeeting } from './access.ts';

type UserContext = Context<UserCaller>;
type Body = Input<typeof contract.whiteList.write>['body'];
type Entry = { accountId: string } | { department: string } | { phone: string };

/** A department and all above it, to which its people also belong. */
function pathsOf(department: string): string[] {
  const levels = department.split('/').filter((level) => level !== '');
  return levels.map((_, at) => levels.slice(0, at + 1).join('/'));
}

/** Whether an account may enter without an invitation, by itself or by its department. */
export async function isOnWhiteList(
  tx: Pick<TenantTx, 'findOne'>,
  meetingId: string,
  accountId: string,
): Promise<boolean> {
  const person = await findAccount(tx, accountId);
  if (!person) return false;
  const paths = pathsOf(person.department);
  const isMeant = or(
    eq(meetingWhiteList.accountId, accountId),
    paths.length > 0 ? inArray(meetingWhiteList.department, paths) : undefined,
  );
  return (await tx.findOne(meetingWhiteList, and(eq(meetingWhiteList.meetingId, meetingId), isMeant))) !== undefined;
}

const rowsOf = (tx: TenantTx, meetingId: string): Promise<WhiteListRow[]> =>
  tx.find(meetingWhiteList, eq(meetingWhiteList.meetingId, meetingId), { orderBy: [asc(meetingWhiteList.position)] });

/** Normalized entries: no spaces and hyphens in numbers, no empty levels in paths, no duplicates. */
function entriesOf({ userIds, departments, numbers }: Body): Entry[] {
  const paths = departments.map((path) => pathsOf(path).at(-1) ?? '').filter((path) => path !== '');
  return [
    ...[...new Set(userIds)].map((accountId) => ({ accountId })),
    ...[...new Set(paths)].map((department) => ({ department })),
    ...[...new Set(numbers.map((number) => number.replaceAll(/[\s-]/g, '')))].map((phone) => ({ phone })),
  ];
}

async function present(tx: TenantTx, rows: readonly WhiteListRow[]): Promise<WhiteList> {
  const people = new Map(
    (
      await findAccounts(
        tx,
        rows.flatMap(({ accountId }) => accountId ?? []),
      )
    ).map((row) => [row.id, row]),
  );
  return {
    users: rows.flatMap(({ accountId }) => {
      const person = people.get(accountId ?? '');
      return person && person.deletedAt === null
        ? [{ userId: person.id, name: person.name, department: person.department }]
        : [];
    }),
    departments: rows.flatMap(({ department }) => department ?? []),
    numbers: rows.flatMap(({ phone }) => phone ?? []),
  };
}

/** For the audit log: telephone numbers by their count. */
const audited = ({ users, departments, numbers }: WhiteList) => ({
  users: users.map(({ name }) => name),
  departments,
  numbers: numbers.length,
});

export interface WhiteListDeps {
  db: Db;
  now: () => Date;
  conferences: Pick<ConferencePort, 'holdForWhiteList'>;
}

/** Who may enter meetings without an invitation. */
export function createWhiteLists({ db, now, conferences }: WhiteListDeps) {
  return {
    /** @throws AppError NOT_FOUND, FORBIDDEN */
    read: (context: UserContext, id: string): Promise<WhiteList> =>
      db.tenant(context.caller.tenantId, async (tx) => {
        await manageMeeting(tx, id, context.caller, { lock: false });
        return present(tx, await rowsOf(tx, id));
      }),

    /**
     * People in the waiting room who are on the new list are admitted at once.
     *
     * @throws AppError NOT_FOUND, FORBIDDEN, MEETING_ENDED, PARTICIPANT_UNKNOWN
     */
    write: (context: UserContext, id: string, body: Body): Promise<WhiteList> =>
      db.tenant(context.caller.tenantId, async (tx) => {
        await manageMeeting(tx, id, context.caller, { lock: false });
        const letIn = await conferences.holdForWhiteList(tx, id);
        const row: MeetingRow = await manageMeeting(tx, id, context.caller, { lock: true });
        if (isOver(row, now())) throw new AppError('MEETING_ENDED');
        const before = await present(tx, await rowsOf(tx, id));
        const known = await findAccounts(tx, body.userIds);
        if (
          known.length < new Set(body.userIds).size ||
          known.some(({ kind, deletedAt }) => kind !== 'user' || deletedAt !== null)
        )
          throw new AppError('PARTICIPANT_UNKNOWN');
        await tx.delete(meetingWhiteList, eq(meetingWhiteList.meetingId, id));
        const entries = entriesOf(body);
        if (entries.length > 0)
          await tx.insert(
            meetingWhiteList,
            entries.map((entry, position) => Object.assign({ id: newId(), meetingId: id, position }, entry)),
          );
        const after = await present(tx, await rowsOf(tx, id));
        const difference = changed(audited(before), audited(after), ['users', 'departments', 'numbers']);
        await recordAudit(tx, context, now(), { target: { kind: 'meeting', id, name: row.subject }, ...difference });
        await letIn();
        return after;
      }),
  };
}

export const whiteListRoutes = (
  whiteLists: ReturnType<typeof createWhiteLists>,
): Handlers<typeof contract.whiteList> => ({
  read: (context, { params }) => whiteLists.read(context, params.id),
  write: (context, { params, body }) => whiteLists.write(context, params.id, body),
});
