import { and, eq, isNull, ne } from 'drizzle-orm';
import type { TenantTx } from '../../platform/db/index.ts';
import type { Log } from '../../platform/log/log.ts';
import type { Mail } from '../../platform/mail/index.ts';
import { account } from '../accounts/users/tables.ts';
import type { WebhookRow } from './tables.ts';

const TEXTS = {
  zh: ({ name, url }: WebhookRow) => ({
    subject: `Webhook 已停用：${name}`,
    text: `Webhook「${name}」（${url}）已连续一天无法投递，现已停用，不再接收事件。请修复接收端后，在管理后台的“API 客户端”页面重新启用。`,
  }),
  en: ({ name, url }: WebhookRow) => ({
    subject: `Webhook stopped: ${name}`,
    text:
      `Nothing could be delivered to the webhook "${name}" (${url}) for a day. It is stopped, and takes no further ` +
      'events. Mend the receiver, then enable it again on the page "API clients" of the management system.',
  }),
};

/** Mails the administrators of a tenant, after the commit, that a webhook was stopped. */
export function createStopNotice({ mail, log }: { mail: Mail; log: Log }) {
  return async (tx: TenantTx, row: WebhookRow): Promise<void> => {
    log.warn({ webhookId: row.id, tenantId: row.tenantId }, 'A webhook failed for a day and was stopped');
    if (!mail.isConfigured) return;
    const admins = await tx.find(
      account,
      and(
        eq(account.kind, 'user'),
        eq(account.isTenantAdmin, true),
        eq(account.enabled, true),
        isNull(account.deletedAt),
        ne(account.email, ''),
      ),
    );
    tx.afterCommit(async () => {
      for (const { email, locale } of admins) {
        try {
          await mail.send({ to: email, ...TEXTS[locale](row) });
        } catch (error) {
          log.warn({ error, webhookId: row.id }, 'A mail about a stopped webhook was not sent');
        }
      }
    });
  };
}
