import type { contract } from '@rmeet/contract';
import type { Handlers } from '../../platform/http/index.ts';
import type { StatisticsService } from './service.ts';
import type { StatisticsSettingsService } from './settings.ts';

export const statisticsRoutes = (
  statistics: StatisticsService,
  settings: StatisticsSettingsService,
): Handlers<typeof contract.statistics> => ({
  query: (context, { query }) => statistics.query(context, query),
  breakdown: (context, { query }) => statistics.breakdown(context, query),
  meetings: (context, { query }) => statistics.meetings(context, query),
  export: (context, { query }) => statistics.export(context, query),
  report: (context, { query }) => statistics.report(context, query),
  text: (context, { query }) => statistics.text(context, query),
  settings: (context) => settings.show(context),
  saveSettings: (context, { body }) => settings.save(context, body),
  recount: (context, { body }) => statistics.recount(context, body),
});
