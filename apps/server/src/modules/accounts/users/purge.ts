import { eq } from 'drizzle-orm';
import type { TenantTx } from '../../../platform/db/index.ts';
import { announcementAudience, announcementRead } from '../../announcements/tables.ts';
import { broadcastAllowed } from '../../live/tables.ts';
import { recordingGrant } from '../../recordings/tables.ts';
import { releaseNoteReminder } from '../../release-notes/tables.ts';
import { knownDevice, session } from '../auth/tables.ts';
import { accountPermission } from '../permissions/tables.ts';
import { accountRole } from '../roles/tables.ts';
import { directoryAccount } from '../directories/tables.ts';
import { accountIdentity } from '../sso/tables.ts';
import type { AccountSessions } from './ports.ts';
import { accountCertificate, certificateChallenge } from '../certificates/tables.ts';
import { account, formerPassword, invitation } from './tables.ts';

/**
 * Removes sessions, grants and personal data of a deleted account. Its row stays, because meetings refer to it.
 */
export async function purgeAccount(
  tx: TenantTx,
  sessions: Pick<AccountSessions, 'eraseFactors'>,
  id: string,
): Promise<void> {
  await tx.delete(session, eq(session.accountId, id));
  await tx.delete(knownDevice, eq(knownDevice.accountId, id));
  await sessions.eraseFactors(tx, id);
  await tx.delete(accountIdentity, eq(accountIdentity.accountId, id));
  await tx.delete(accountCertificate, eq(accountCertificate.accountId, id));
  await tx.delete(certificateChallenge, eq(certificateChallenge.accountId, id));
  await tx.delete(accountRole, eq(accountRole.accountId, id));
  await tx.delete(accountPermission, eq(accountPermission.accountId, id));
  await tx.delete(recordingGrant, eq(recordingGrant.accountId, id));
  await tx.delete(broadcastAllowed, eq(broadcastAllowed.accountId, id));
  await tx.delete(announcementAudience, eq(announcementAudience.accountId, id));
  await tx.delete(announcementRead, eq(announcementRead.accountId, id));
  await tx.delete(releaseNoteReminder, eq(releaseNoteReminder.accountId, id));
  await tx.delete(formerPassword, eq(formerPassword.accountId, id));
  await tx.delete(invitation, eq(invitation.accountId, id));
  await tx.delete(directoryAccount, eq(directoryAccount.accountId, id));
  // A name that no account can have.
  await tx.update(
    account,
    {
      account: `#${id}`,
      name: '',
      email: '',
      phone: '',
      department: '',
      passwordHash: '',
      isTenantAdmin: false,
      managedBy: 'local',
      lastLoginAt: null,
    },
    eq(account.id, id),
  );
}
