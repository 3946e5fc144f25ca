import type { contract, Input, StatisticsSettings } from '@rmeet/contract';
import { eq } from 'drizzle-orm';
import { allOf } from '../../platform/db/conditions.ts';
import type { Db, TenantTx } from '../../platform/db/index.ts';
import { AppError, type AccountCaller, type Context } from '../../platform/http/index.ts';
import type { Mail } from '../../platform/mail/index.ts';
import { findTenant } from '../accounts/tenants/index.ts';
import { changed, recordAudit } from '../audit/index.ts';
import { DEFAULT_ZONE } from './calendar.ts';
import { statisticSetting, type StatisticSettingRow } from './tables.ts';

type AccountContext = Context<AccountCaller>;
type Body = Input<typeof contract.statistics.saveSettings>['body'];
type Settings = Omit<StatisticSettingRow, 'tenantId'>;

const AT_FIRST: Settings = {
  timeZone: DEFAULT_ZONE,
  recipients: [],
  locale: 'zh',
  reportedMonth: null,
  isStale: false,
  version: 0,
};
const AUDITED = ['timeZone', 'recipients', 'locale'] as const;

/** The settings of a transaction's tenant. */
export async function findSettings(tx: TenantTx): Promise<Settings> {
  return (await tx.findOne(statisticSetting)) ?? AT_FIRST;
}

interface SettingsDeps {
  db: Db;
  now: () => Date;
  mail: Pick<Mail, 'isConfigured'>;
  /** Counts a tenant's days soon, in the background. */
  countSoon: (tenantId: string) => void;
}

/** Time zone and recipients of the monthly report; operators have those of the platform. */
export function createStatisticsSettings({ db, now, mail, countSoon }: SettingsDeps) {
  const present = ({ timeZone, recipients, locale, version }: Settings): StatisticsSettings => ({
    timeZone,
    recipients,
    locale,
    canMail: mail.isConfigured,
    version,
  });

  return {
    show: ({ caller }: AccountContext): Promise<StatisticsSettings> =>
      db.tenant(caller.tenantId, async (tx) => present(await findSettings(tx))),

    /** @throws AppError CHANGED_MEANWHILE */
    async save(context: AccountContext, { version, ...given }: Body): Promise<StatisticsSettings> {
      const { tenantId } = context.caller;
      return db.tenant(tenantId, async (tx) => {
        const before = await findSettings(tx);
        const isStale = before.isStale || before.timeZone !== given.timeZone;
        const next = { ...given, recipients: [...new Set(given.recipients)], isStale, version: version + 1 };
        const isCurrent = allOf(eq(statisticSetting.tenantId, tenantId), eq(statisticSetting.version, version));
        const [row] =
          version === 0
            ? await tx.insert(statisticSetting, next, 'nothing')
            : await tx.update(statisticSetting, next, isCurrent);
        if (!row) throw new AppError('CHANGED_MEANWHILE');
        await recordAudit(tx, context, now(), {
          target: { kind: 'tenant', id: tenantId, name: (await findTenant(tx, tenantId))?.name ?? '' },
          ...changed(before, row, AUDITED),
        });
        if (isStale) tx.afterCommit(() => countSoon(tenantId));
        return present(row);
      });
    },
  };
}

export type StatisticsSettingsService = ReturnType<typeof createStatisticsSettings>;
