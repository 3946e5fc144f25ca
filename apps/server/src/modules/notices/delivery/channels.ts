import type { NoticeChannel, NOTICE_FAILURES } from '@rmeet/contract';
import type { TenantTx } from '../../../platform/db/index.ts';
import type { Mail } from '../../../platform/mail/index.ts';
import { permissionCodesOf } from '../../accounts/permissions/index.ts';
import { findTenant } from '../../accounts/tenants/index.ts';
import { findAccounts } from '../../accounts/users/index.ts';
import type { BlockedChannels } from '../../meetings/index.ts';
import type { Recipient } from '../recipients.ts';
import type { Settings } from '../settings.ts';

/** A channel to a recipient, and why it does not work although it is the only one. */
export interface ChannelOption {
  channel: NoticeChannel;
  failure: (typeof NOTICE_FAILURES)[number] | null;
}

interface ChannelDeps {
  mail: Pick<Mail, 'isConfigured'>;
  settings: Settings;
}

/** Determines the channels to recipients. */
export function createChannels({ mail, settings }: ChannelDeps) {
  /** Why text messages cannot be sent for a host's meetings; null if they can. */
  async function smsFailure(tx: TenantTx, hostId: string): Promise<BlockedChannels['sms']> {
    if (!(await settings.gatewayOf(tx))) return 'notConfigured';
    const [host] = await findAccounts(tx, [hostId]);
    const tenant = await findTenant(tx, tx.tenantId);
    const mayUse = host && tenant && (await permissionCodesOf(tx, host, tenant)).includes('sys:sms');
    return mayUse ? null : 'notPermitted';
  }

  const noMail = mail.isConfigured ? null : 'notConfigured';
  return {
    /** Why a host's meetings cannot use a channel at all; null if they can. */
    blocked: async (tx: TenantTx, hostId: string): Promise<BlockedChannels> => ({
      mail: noMail,
      sms: await smsFailure(tx, hostId),
    }),

    /**
     * The channels to each of these recipients, for a host's meeting. Accounts of the tenant always have the notice
     * centre, and mail and text messages if they have an address or number and the server can send. Other people have
     * one channel; if it does not work, the reason is included.
     */
    async of(
      tx: TenantTx,
      hostId: string,
      recipients: readonly Recipient[],
    ): Promise<(recipient: Recipient) => ChannelOption[]> {
      const accounts = new Map(
        (
          await findAccounts(
            tx,
            recipients.flatMap(({ accountId }) => accountId ?? []),
          )
        ).map((row) => [row.id, row]),
      );
      const wantsSms = recipients.some(
        ({ accountId, phone }) => phone !== null || (accountId !== null && accounts.get(accountId)?.phone !== ''),
      );
      const noSms = wantsSms ? await smsFailure(tx, hostId) : null;
      return ({ accountId, email }) => {
        if (accountId === null)
          return email === null ? [{ channel: 'sms', failure: noSms }] : [{ channel: 'mail', failure: noMail }];
        const account = accounts.get(accountId);
        if (!account?.enabled) return [];
        return [
          { channel: 'centre', failure: null },
          ...(account.email !== '' && noMail === null ? [{ channel: 'mail', failure: null } as const] : []),
          ...(account.phone !== '' && noSms === null ? [{ channel: 'sms', failure: null } as const] : []),
        ];
      };
    },
  };
}

export type Channels = ReturnType<typeof createChannels>;
