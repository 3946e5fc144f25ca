import { all, type Case, type CallArgs, type Setting } from './case-setting.ts';
import { statisticSetting } from '../../../src/modules/statistics/tables.ts';
import { accountOf, type AccountName } from './world.ts';

const DAYS = 30 * 86_400_000;

/** The days until today, of `north`. */
const ofNorth =
  (more: object = {}) =>
  ({ server, north }: Setting): CallArgs => {
    const now = server.clock.now();
    const dayOf = (at: Date): string => at.toISOString().slice(0, 10);
    return { query: { tenantId: north, from: dayOf(new Date(now.getTime() - DAYS)), to: dayOf(now), ...more } };
  };
const none = () => ({});

export const statisticsCases: Record<string, Case> = {
  'statistics.query': { expected: all, args: ofNorth() },
  'statistics.breakdown': { expected: all, args: ofNorth({ by: 'department' }) },
  'statistics.meetings': { expected: all, args: ofNorth() },
  'statistics.export': { expected: all, args: ofNorth() },
  'statistics.report': { expected: all, args: ofNorth() },
  'statistics.text': { expected: all, args: ofNorth({ unit: 'week' }) },
  'statistics.settings': { expected: all, args: none },
  'statistics.saveSettings': {
    expected: all,
    args: async ({ server }, caller) => {
      const tenantId = server.people.get(accountOf(caller as AccountName))?.tenantId ?? '';
      const row = await server.db.tenant(tenantId, (tx) => tx.findOne(statisticSetting));
      return {
        body: {
          timeZone: 'Asia/Shanghai',
          recipients: [`report${row?.version ?? 0}@example.org`],
          locale: 'en',
          version: row?.version ?? 0,
        },
      };
    },
  },
  'statistics.recount': {
    // All callers count their own tenant, operators the one they name.
    expected: all,
    args: (setting) => {
      const { query } = ofNorth()(setting);
      return { body: query };
    },
  },
  'diagnostics.log': { expected: all, args: none },
  'diagnostics.summary': { expected: all, args: none },
  'diagnostics.bundle': { expected: all, args: none },
};
