import {
  REMINDER_DEFAULT,
  type contract,
  type Data,
  type Input,
  type NoticeSettings,
  type SmsGateway,
} from '@rmeet/contract';
import { eq } from 'drizzle-orm';
import { allOf } from '../../platform/db/conditions.ts';
import type { Db, TenantTx } from '../../platform/db/index.ts';
import { AppError, type Context, type UserCaller } from '../../platform/http/index.ts';
import type { Mail } from '../../platform/mail/index.ts';
import type { SecretBox } from '../../platform/secrets/index.ts';
import { SmsForbidden, type Gateway, type Sms } from '../../platform/sms/index.ts';
import { changed, recordAudit } from '../audit/index.ts';
import { findTenant } from '../accounts/tenants/index.ts';
import { noticeSetting, type NoticeSettingRow } from './tables.ts';

type UserContext = Context<UserCaller>;
type Body = Input<typeof contract.notices.saveSettings>['body'];

interface SettingsDeps {
  db: Db;
  secrets: SecretBox;
  now: () => Date;
  mail: Pick<Mail, 'isConfigured'>;
  sms: Sms;
}

const bindingOf = (tenantId: string): string => `sms-gateway:${tenantId}`;
const ORIGINAL = { reminderMinutes: REMINDER_DEFAULT, gateway: null, gatewaySecretSealed: null, version: 0 } as const;
const TEST_TEXT = {
  zh: '这是一条来自会议平台的测试短信。',
  en: 'This is a test message of the meeting platform.',
} as const;

/** The settings in the audit log. */
function audited({ reminderMinutes, gateway }: NoticeSettings): Record<string, unknown> & { reminderMinutes: number } {
  return { reminderMinutes, gateway: gateway?.url ?? '', hasGatewaySecret: gateway?.hasSecret ?? false };
}

async function find(tx: TenantTx): Promise<Omit<NoticeSettingRow, 'tenantId'>> {
  return (await tx.findOne(noticeSetting)) ?? ORIGINAL;
}

/** The sealed secret to store. A secret is never sent to another server than the one it was entered for. */
function sealedSecret(
  secrets: SecretBox,
  tenantId: string,
  gateway: NonNullable<Body['gateway']>,
  before: Omit<NoticeSettingRow, 'tenantId'>,
): string | null {
  if (gateway.secret !== undefined)
    return gateway.secret === '' ? null : secrets.seal(gateway.secret, bindingOf(tenantId));
  if (before.gateway === null || before.gatewaySecretSealed === null) return null;
  if (new URL(before.gateway.url).origin !== new URL(gateway.url).origin) throw new AppError('SMS_SECRET_NEEDED');
  return before.gatewaySecretSealed;
}

async function target(tx: TenantTx) {
  return { kind: 'tenant', id: tx.tenantId, name: (await findTenant(tx, tx.tenantId))?.name ?? '' };
}

function present(
  { mail, sms }: Pick<SettingsDeps, 'mail' | 'sms'>,
  { reminderMinutes, gateway, gatewaySecretSealed, version }: Omit<NoticeSettingRow, 'tenantId'>,
): NoticeSettings {
  return {
    reminderMinutes: reminderMinutes as NoticeSettings['reminderMinutes'],
    hasMail: mail.isConfigured,
    smsSource: gateway ? 'tenant' : sms.ofPlatform ? 'platform' : 'none',
    gateway: gateway && { ...gateway, hasSecret: gatewaySecretSealed !== null },
    version,
  };
}

/** Stores settings unless they were changed meanwhile. Throws CHANGED_MEANWHILE. */
async function store(
  tx: TenantTx,
  values: Pick<NoticeSettingRow, 'reminderMinutes' | 'gateway' | 'gatewaySecretSealed'>,
  version: number,
): Promise<NoticeSettingRow> {
  const next = { ...values, version: version + 1 };
  const isCurrent = allOf(eq(noticeSetting.tenantId, tx.tenantId), eq(noticeSetting.version, version));
  const [row] =
    version === 0 ? await tx.insert(noticeSetting, next, 'nothing') : await tx.update(noticeSetting, next, isCurrent);
  if (!row) throw new AppError('CHANGED_MEANWHILE');
  return row;
}

/** When people are reminded of meetings, and how text messages are sent. */
export function createSettings({ db, secrets, now, mail, sms }: SettingsDeps) {
  async function gatewayOf(tx: TenantTx): Promise<Gateway | null> {
    const { gateway, gatewaySecretSealed } = await find(tx);
    if (!gateway) return sms.ofPlatform;
    return {
      ...gateway,
      secret: gatewaySecretSealed === null ? '' : secrets.open(gatewaySecretSealed, bindingOf(tx.tenantId)),
      isTrusted: false,
    };
  }

  return {
    gatewayOf,
    /** How long before its start people are reminded of a meeting, in minutes; 0: not at all. */
    reminderMinutes: async (tx: TenantTx): Promise<number> => (await find(tx)).reminderMinutes,

    show: ({ caller }: UserContext): Promise<NoticeSettings> =>
      db.tenant(caller.tenantId, async (tx) => present({ mail, sms }, await find(tx))),

    /** @throws AppError CHANGED_MEANWHILE, SMS_SECRET_NEEDED, SMS_GATEWAY_FORBIDDEN */
    async save(context: UserContext, { reminderMinutes, gateway: given, version }: Body): Promise<NoticeSettings> {
      const { tenantId } = context.caller;
      if (given && !sms.mayBeAt(given.url)) throw new AppError('SMS_GATEWAY_FORBIDDEN');
      return db.tenant(tenantId, async (tx) => {
        const before = await find(tx);
        const gatewaySecretSealed = given ? sealedSecret(secrets, tenantId, given, before) : null;
        const { secret: _, ...gateway }: Partial<SmsGateway> & { secret?: string | undefined } = given ?? {};
        const values = { reminderMinutes, gateway: given ? (gateway as SmsGateway) : null, gatewaySecretSealed };
        const after = await store(tx, values, version);
        const [shown, earlier] = [present({ mail, sms }, after), present({ mail, sms }, before)];
        await recordAudit(tx, context, now(), {
          target: await target(tx),
          ...changed(audited(earlier), audited(shown), ['reminderMinutes', 'gateway', 'hasGatewaySecret']),
        });
        return shown;
      });
    },

    /**
     * Sends a text message through the gateway and waits for the response.
     *
     * @throws AppError SMS_NOT_CONFIGURED, SMS_GATEWAY_FORBIDDEN, SMS_FAILED
     */
    async test(context: UserContext, phone: string): Promise<Data<typeof contract.notices.testSms>> {
      const gateway = await db.tenant(context.caller.tenantId, gatewayOf);
      if (!gateway) throw new AppError('SMS_NOT_CONFIGURED');
      try {
        await sms.send(gateway, { phone, text: TEST_TEXT[context.locale] });
      } catch (error) {
        if (error instanceof SmsForbidden) throw new AppError('SMS_GATEWAY_FORBIDDEN');
        const reason = (error as Error).message.replace(/^.*\((.*)\)\.$/, '$1');
        throw new AppError('SMS_FAILED', { reason });
      }
      await db.tenant(context.caller.tenantId, async (tx) =>
        recordAudit(tx, context, now(), { target: await target(tx), after: { tested: true } }),
      );
      return null;
    },
  };
}

export type Settings = ReturnType<typeof createSettings>;
