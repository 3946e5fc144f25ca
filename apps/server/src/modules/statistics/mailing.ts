import { and, eq, isNull, lt, or, sql } from 'drizzle-orm';
import { z } from 'zod';
import type { Db } from '../../platform/db/index.ts';
import { PLATFORM_TENANT_ID } from '../../platform/db/index.ts';
import type { Jobs } from '../../platform/jobs/types.ts';
import type { Log } from '../../platform/log/log.ts';
import { htmlOf, MailRefused, type Mail } from '../../platform/mail/index.ts';
import { findTenant } from '../accounts/tenants/index.ts';
import { bucketOf, dayOf, plusDays, wholeSpan } from './calendar.ts';
import { readReport, reportPdf, summaryLines, type Report } from './report.ts';
import { findSettings } from './settings.ts';
import { statisticSetting } from './tables.ts';
import { REPORT_MAIL, reportWord } from './words.ts';

export const REPORT_JOB = 'statistics-report';
/** One mail to one recipient; `month` is its first day. */
export const reportJob = z.object({ tenantId: z.uuid(), month: z.iso.date(), to: z.string() });
type ReportJob = z.output<typeof reportJob>;

interface MailingDeps {
  db: Db;
  jobs: Jobs;
  mail: Mail;
  log: Log;
  now: () => Date;
}

/** Sends the report of each month to those who are to have it. */
export function createMailing({ db, jobs, mail, log, now }: MailingDeps) {
  async function reportOf(tenantId: string, month: string): Promise<Report> {
    const span = wholeSpan('month', { from: month, to: month });
    const { locale, owner } = await db.tenant(tenantId, async (tx) => ({
      locale: (await findSettings(tx)).locale,
      owner: (await findTenant(tx, tenantId))?.name ?? '',
    }));
    if (tenantId === PLATFORM_TENANT_ID)
      return db.platform((tx) => readReport(tx, span, { owner: reportWord('platform', locale), locale }));
    return db.tenant(tenantId, (tx) => readReport(tx, span, { owner, locale }));
  }

  return {
    /** Queues the mails about the last month of every tenant whose month is over, once for each month. */
    async queue(): Promise<void> {
      if (!mail.isConfigured) return;
      const settings = await db.platform((tx) =>
        tx.find(statisticSetting, sql`cardinality(${statisticSetting.recipients}) > 0`),
      );
      for (const { tenantId, timeZone } of settings) {
        const month = bucketOf('month', plusDays(bucketOf('month', dayOf(now(), timeZone)), -1));
        await db.tenant(tenantId, async (tx) => {
          const isDue = or(isNull(statisticSetting.reportedMonth), lt(statisticSetting.reportedMonth, month));
          const [claimed] = await tx.update(
            statisticSetting,
            { reportedMonth: month },
            and(eq(statisticSetting.tenantId, tenantId), isDue),
          );
          for (const to of claimed?.recipients ?? []) await jobs.send(tx, REPORT_JOB, { tenantId, month, to });
        });
      }
    },

    /** Sends one of them. A mail server that refuses it for good is logged; every other failure is tried again. */
    async send({ tenantId, month, to }: ReportJob): Promise<void> {
      const report = await reportOf(tenantId, month);
      const { owner, locale } = report;
      const words = { owner, month: month.slice(0, 7), lines: summaryLines(report) };
      const text = REPORT_MAIL[locale].text(words);
      const subject = REPORT_MAIL[locale].subject(words).replace(/\s+/g, ' ');
      try {
        await mail.send({
          to,
          subject,
          text: `${text}\n`,
          html: htmlOf(text),
          attachments: [{ name: `${subject}.pdf`, type: 'application/pdf', content: await reportPdf(report, now()) }],
        });
      } catch (error) {
        if (!(error instanceof MailRefused)) throw error;
        log.warn({ error, tenantId, month }, 'A report was refused by the mail server');
      }
    },
  };
}

export type Mailing = ReturnType<typeof createMailing>;
