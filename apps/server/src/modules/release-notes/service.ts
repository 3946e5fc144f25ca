import { eq } from 'drizzle-orm';
import { PLATFORM_TENANT_ID, type contract, type Data, type UpgradeFrequency } from '@rmeet/contract';
import type { Db, PlatformTx } from '../../platform/db/index.ts';
import type { AccountCaller, Context, Handlers } from '../../platform/http/index.ts';
import { findAccount } from '../accounts/users/index.ts';
import { notesDue } from './due.ts';
import { RELEASE_NOTES } from './notes.ts';
import { installedVersion, releaseNoteReminder } from './tables.ts';

/** The version that runs: that of the newest note (a test compares it with package.json). */
const VERSION = RELEASE_NOTES[0].version;

/** Remembers when this version first ran here. */
export async function rememberVersion(tx: PlatformTx, now: Date): Promise<void> {
  const values = { version: VERSION, tenantId: PLATFORM_TENANT_ID, installedAt: now };
  await tx.insert(installedVersion, values, 'nothing');
}

/** Release notes for accounts of tenants and of the platform. */
export function createReleaseNotes({ db, now }: { db: Db; now: () => Date }): Handlers<typeof contract.memo> {
  async function read({ caller }: Context<AccountCaller>, all: boolean): Promise<Data<typeof contract.memo.read>> {
    const installed = await db.tenant(PLATFORM_TENANT_ID, (tx) =>
      tx.findOne(installedVersion, eq(installedVersion.version, VERSION)),
    );
    return db.tenant(caller.tenantId, async (tx) => {
      const choice = await tx.findOne(releaseNoteReminder, eq(releaseNoteReminder.accountId, caller.userId));
      const due = notesDue(RELEASE_NOTES, choice, { now: now(), session: caller.sessionId });
      const account = await findAccount(tx, caller.userId);
      // To an account that came after the installation, nothing in this version is new.
      const knewAnother = !!account && !!installed && account.createdAt < installed.installedAt;
      return {
        version: VERSION,
        records: all ? [...RELEASE_NOTES] : due,
        remind: knewAnother && due.length > 0,
        upgradeFrequency: choice?.frequency ?? null,
      };
    });
  }

  async function putOff({ caller }: Context<AccountCaller>, frequency: UpgradeFrequency): Promise<null> {
    const choice = { frequency, version: VERSION, putOffAt: now(), sessionId: caller.sessionId };
    const done = frequency === 'NEVER' ? { doneVersion: VERSION } : {};
    await db.tenant(caller.tenantId, (tx) =>
      tx.insert(
        releaseNoteReminder,
        { accountId: caller.userId, ...choice, ...done },
        { target: releaseNoteReminder.accountId, set: { ...choice, ...done } },
      ),
    );
    return null;
  }

  return {
    read: (context, { query }) => read(context, query.all),
    saveRemindMemo: (context, { query }) => putOff(context, query.upgradeFrequency),
  };
}
