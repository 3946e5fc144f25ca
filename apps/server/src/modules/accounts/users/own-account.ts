import type { contract, Input, UserSession } from '@rmeet/contract';
import type { TenantTx } from '../../../platform/db/index.ts';
import { AppError, type AccountCaller, type Context } from '../../../platform/http/index.ts';
import { changed, recordAudit } from '../../audit/index.ts';
import { passwordRulesOf, placeOf } from '../tenants/index.ts';
import { changeDetails, passwordChanged, setOwnPassword } from './accounts.ts';
import { checkNewPassword, spentPasswords } from './password-rules.ts';
import { hashPassword, mustHaveRoomToHash, verifyPassword } from './passwords.ts';
import type { UserDeps } from './ports.ts';
import { findAccount, findTenantOf } from './repo.ts';
import type { AccountRow } from './tables.ts';

type AccountContext = Context<AccountCaller>;
type SelfBody = Input<typeof contract.users.updateSelf>['body'];
type PasswordBody = Input<typeof contract.users.changePassword>['body'];

const AUDITED = ['name', 'phone', 'email', 'locale'] as const;
const targetOf = (row: AccountRow) => ({ kind: 'account', id: row.id, name: row.name });

/** Actions of users and operators on their own account. */
// oxlint-disable-next-line max-lines-per-function -- four short methods, and one that changes the password
export function createOwnAccount({ db, now, sessions, guesses, directories, openPassword }: UserDeps) {
  async function own(tx: TenantTx, { userId }: AccountCaller): Promise<AccountRow> {
    const row = await findAccount(tx, userId);
    if (!row) throw new AppError('UNAUTHORIZED');
    return row;
  }

  return {
    update: ({ caller, ...context }: AccountContext, { name, phoneNumber, email, locale }: SelfBody): Promise<void> =>
      db.tenant(caller.tenantId, async (tx) => {
        const before = await own(tx, caller);
        const after = await changeDetails(tx, before, { name, phone: phoneNumber, email, locale });
        if (!after) throw new AppError('SERVICE_BUSY');
        await recordAudit(tx, { caller, ...context }, now(), {
          target: targetOf(after),
          ...changed(before, after, AUDITED),
        });
        if (before.name !== after.name) await sessions.accessChanged(tx, [after.id]);
      }),

    /** Changes the password; the account's other sessions end. Hashing stays outside the transactions. */
    async changePassword({ caller, ...context }: AccountContext, body: PasswordBody): Promise<void> {
      const [oldPassword, newPassword] = [await openPassword(body.oldPassword), await openPassword(body.newPassword)];
      if (oldPassword === undefined || newPassword === undefined) throw new AppError('PASSWORD_UNREADABLE');
      const { before, rules, spent } = await db.tenant(caller.tenantId, async (tx) => {
        const [row, tenant] = [await own(tx, caller), await findTenantOf(tx)];
        if (!tenant) throw new AppError('UNAUTHORIZED');
        return {
          before: row,
          rules: passwordRulesOf(tenant),
          spent: await spentPasswords(tx, row, passwordRulesOf(tenant)),
        };
      });
      if (before.managedBy === 'directory') {
        await guesses.admit(caller.userId);
        await directories.changePassword(before, oldPassword, newPassword);
        await guesses.forget(caller.userId);
        return db.tenant(caller.tenantId, (tx) => passwordChanged(tx, sessions, { caller, ...context }, before, now()));
      }
      // Before the attempt is counted: a busy server is no failed attempt.
      mustHaveRoomToHash();
      await guesses.admit(caller.userId);
      if (!(await verifyPassword(oldPassword, before.passwordHash))) throw new AppError('PASSWORD_WRONG');
      await guesses.forget(caller.userId);
      await checkNewPassword(newPassword, before.account, rules, spent);
      const passwordHash = await hashPassword(newPassword);
      await db.tenant(caller.tenantId, async (tx) => {
        const row = await own(tx, caller);
        // The password was changed meanwhile, so the old one is wrong.
        if (row.passwordHash !== before.passwordHash) throw new AppError('PASSWORD_WRONG');
        await setOwnPassword(tx, sessions, { caller, ...context }, { of: row, passwordHash, now: now() });
      });
    },

    async listSessions({ caller }: AccountContext): Promise<UserSession[]> {
      const [open, places] = await db.tenant(caller.tenantId, async (tx) => {
        const tenant = await findTenantOf(tx);
        return [await sessions.listOpen(tx, caller.userId), tenant?.secondFactor.places ?? []] as const;
      });
      return open.map(({ id, address, userAgent, method, secondFactor, createdAt, lastSeenAt }) => ({
        id,
        address,
        userAgent,
        method,
        secondFactor,
        place: placeOf(places, address),
        createdAt: createdAt.toISOString(),
        lastSeenAt: lastSeenAt.toISOString(),
        isCurrent: id === caller.sessionId,
      }));
    },

    endSession: ({ caller, ...context }: AccountContext, sessionId: string): Promise<void> =>
      db.tenant(caller.tenantId, async (tx) => {
        if (!(await sessions.endOwn(tx, caller.userId, sessionId))) throw new AppError('NOT_FOUND');
        await recordAudit(tx, { caller, ...context }, now(), {
          target: { kind: 'session', id: sessionId, name: caller.name },
          before: { open: true },
          after: { open: false },
        });
      }),
  };
}

export type OwnAccount = ReturnType<typeof createOwnAccount>;
