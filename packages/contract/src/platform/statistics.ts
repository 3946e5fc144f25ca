import { z } from 'zod';
import { API_BASE, MEETING_TYPES } from '../constants.ts';
import { page, pageQuery } from '../http/envelope.ts';
import { route } from '../http/route.ts';
import { numericId } from '../meetings/meeting-types.ts';
import { isTimeZone } from '../rooms/rooms.ts';

/** What one answer covers at most. */
export const STATISTICS_LIMITS = {
  /** Days of a period. */
  days: 1_830,
  /** Values of a series: days, weeks or months. */
  buckets: 800,
  /** Rows of a breakdown. */
  rows: 200,
  /** Days that are counted again by one call. */
  recountDays: 366,
  recipients: 20,
} as const;

export const STATISTIC_UNITS = ['day', 'week', 'month'] as const;
export type StatisticUnit = (typeof STATISTIC_UNITS)[number];

/**
 * Everything that is counted. Minutes have one decimal; `peak` is the maximum of the period, `storageBytes` the value
 * at its end, everything else a sum.
 */
export const MEASURES = [
  /** Meetings booked to begin then, and how many of these were cancelled. */
  'booked',
  'cancelled',
  /** Conferences that began then, and how long they were held. */
  'meetings',
  'minutes',
  /** Different people who took part; only for one day, week or month, because they cannot be added up. */
  'people',
  /** Terminals that were inside, how long together, and at most at one time in one conference. */
  'terminals',
  'terminalMinutes',
  'peak',
  /** People who were called into a conference, and who declined. */
  'calls',
  'declined',
  'recordings',
  'recordedMinutes',
  'recordedBytes',
  'broadcasts',
  'viewers',
  'watchedMinutes',
  /** Different meeting rooms that were booked, their bookings, and for how long. */
  'rooms',
  'roomBookings',
  'roomMinutes',
  /** Bookings of media resources, and their time multiplied by their ports. */
  'resourceBookings',
  'portMinutes',
  /** Minutes that terminals reported as good, fair and bad. */
  'goodMinutes',
  'fairMinutes',
  'badMinutes',
  'signIns',
  'storageBytes',
] as const;
export type Measure = (typeof MEASURES)[number];

/** Null: not known for this cut. */
export const statisticFigures = z.record(z.enum(MEASURES), z.number().nullable());
export type StatisticFigures = z.infer<typeof statisticFigures>;

/** By what a breakdown splits a period. */
export const STATISTIC_DIMENSIONS = [
  'department',
  'type',
  'tenant',
  'room',
  'resource',
  'cause',
  'qualityDepartment',
  'network',
  'device',
  'method',
  'storage',
] as const;
export type StatisticDimension = (typeof STATISTIC_DIMENSIONS)[number];

/**
 * Why minutes were bad: packets were lost, the delay was long, or sound came irregularly or the connection broke.
 * `none`: there were no bad ones.
 */
export const QUALITY_CAUSES = ['loss', 'delay', 'other', 'none'] as const;
export type QualityCause = (typeof QUALITY_CAUSES)[number];

/** What stored bytes belong to. */
export const STORAGE_KINDS = ['recordings', 'exports', 'chatFiles', 'meetingFiles'] as const;
export type StorageKind = (typeof STORAGE_KINDS)[number];

/** Far days have years that dates in ISO 8601 write otherwise. */
const day = z.iso.date().refine((text) => text >= '2000-01-01' && text <= '2199-12-31');
const DAY = 86_400_000;
const daysOf = ({ from, to }: { from: string; to: string }): number =>
  Math.round((Date.parse(to) - Date.parse(from)) / DAY) + 1;

const cut = z.object({
  /** Operators may name a tenant, else it is about all; all other callers read their own. */
  tenantId: z.uuid().optional(),
  /** First and last day, in each tenant's time zone. */
  from: day,
  to: day,
  /** The department of the meeting's host, or of the person for quality and sign-ins; those below it included. */
  department: z.string().trim().max(300).optional(),
  type: z.enum(MEETING_TYPES).optional(),
});
const LONGEST = { message: `at most ${STATISTICS_LIMITS.days} days, and the last not before the first`, path: ['to'] };
const isPeriod = (query: { from: string; to: string }): boolean =>
  daysOf(query) >= 1 && daysOf(query) <= STATISTICS_LIMITS.days;
const cutQuery = cut.refine(isPeriod, LONGEST);
const seriesQuery = cut
  .extend({ unit: z.enum(STATISTIC_UNITS).default('day') })
  .refine(isPeriod, LONGEST)
  .refine((query) => query.unit !== 'day' || daysOf(query) <= STATISTICS_LIMITS.buckets, {
    message: `at most ${STATISTICS_LIMITS.buckets} days by day`,
    path: ['unit'],
  });
const listQuery = cut
  .extend(pageQuery)
  .extend({
    /** Part of a meeting's name or number, or of its host's name. */
    keyword: z.string().trim().max(100).optional(),
    sort: z.enum(['startedAt', 'minutes']).default('startedAt'),
    order: z.enum(['ASC', 'DESC']).default('DESC'),
  })
  .refine(isPeriod, LONGEST);

const period = z.object({ from: day, to: day });

/** A period's figures, those of the period before it, and its days, weeks or months. */
export const statisticsAnswer = z.object({
  period,
  /** As many months or weeks before it, if it is whole ones; else as many days. */
  before: period,
  unit: z.enum(STATISTIC_UNITS),
  /** IANA name; null over several tenants, each of which has its own. */
  timeZone: z.string().nullable(),
  /** When the newest of its days was counted; null if none was. */
  countedAt: z.iso.datetime().nullable(),
  /** Its last day is not over. */
  isRunning: z.boolean(),
  totals: statisticFigures,
  totalsBefore: statisticFigures,
  /** In order, without gaps; `start` is the first day of a bucket, also if the period begins later. */
  buckets: z.array(z.object({ start: day, figures: statisticFigures })),
});
export type StatisticsAnswer = z.infer<typeof statisticsAnswer>;

/** One part of a period. */
export const statisticPart = z.object({
  /** Its department path, type, id, cause, network, device code, method or kind. */
  key: z.string(),
  /** What people call it; empty if only the page has words for the key. */
  name: z.string(),
  figures: z.partialRecord(z.enum(MEASURES), z.number().nullable()),
});
export type StatisticPart = z.infer<typeof statisticPart>;

/** One conference behind the figures. */
export const countedMeeting = z.object({
  /** Id of the conference, which its record in the history has, too. */
  id: z.uuid(),
  numericId,
  subject: z.string(),
  type: z.enum(MEETING_TYPES),
  tenantName: z.string(),
  host: z.string(),
  department: z.string(),
  startedAt: z.iso.datetime(),
  minutes: z.number(),
  terminals: z.number().int(),
  badMinutes: z.number(),
});
export type CountedMeeting = z.infer<typeof countedMeeting>;

const address = z.email().max(254);
/** How an organisation's, or the platform's, statistics are made and sent. */
export const statisticsSettings = z.object({
  /** IANA name of the zone in which days begin. */
  timeZone: z.string(),
  /** Mail addresses that receive the report of each month; empty: it is not sent. */
  recipients: z.array(z.string()),
  locale: z.enum(['zh', 'en']),
  /** Whether this server can send mail. */
  canMail: z.boolean(),
  version: z.number().int(),
});
export type StatisticsSettings = z.infer<typeof statisticsSettings>;

const FIGURES = Object.fromEntries(MEASURES.map((measure) => [measure, 12])) as Record<Measure, number>;
const query = { from: '2026-11-01', to: '2026-11-30' };
const reads = { callers: ['user', 'operator'], permission: 'statistics:read' } as const;
const manages = { callers: ['user', 'operator'], permission: 'statistics:manage' } as const;
const exampleId = '0198f6a2-7e6d-7c40-9a11-5b1f0e3c2d10';

export const statistics = {
  query: route({
    method: 'GET',
    path: `${API_BASE}/statistics/query`,
    ...reads,
    summary: 'The figures of a period, compared with the period before it, by day, week or month.',
    input: { query: seriesQuery },
    data: statisticsAnswer,
    errors: [],
    example: {
      query,
      data: {
        period: query,
        before: { from: '2026-10-01', to: '2026-10-31' },
        unit: 'day',
        timeZone: 'Asia/Shanghai',
        countedAt: '2026-11-20T08:11:00.000Z',
        isRunning: true,
        totals: FIGURES,
        totalsBefore: FIGURES,
        buckets: [{ start: '2026-11-01', figures: FIGURES }],
      },
    },
  }),
  breakdown: route({
    method: 'GET',
    path: `${API_BASE}/statistics/breakdown`,
    ...reads,
    summary: 'The figures of a period by department, type, room, cause of bad quality and so on; the largest first.',
    input: { query: cut.extend({ by: z.enum(STATISTIC_DIMENSIONS) }).refine(isPeriod, LONGEST) },
    data: z.object({ parts: z.array(statisticPart), isCut: z.boolean() }),
    errors: [],
    example: {
      query: { ...query, by: 'type' },
      data: { parts: [{ key: 'NETWORK_MEETING', name: '', figures: { meetings: 12, minutes: 540.5 } }], isCut: false },
    },
  }),
  meetings: route({
    method: 'GET',
    path: `${API_BASE}/statistics/meetings`,
    ...reads,
    summary: 'The conferences behind the figures of a period, as far as their details are kept.',
    input: { query: listQuery },
    data: page(countedMeeting),
    errors: [],
    example: {
      query,
      data: {
        records: [
          {
            id: exampleId,
            numericId: '482913057',
            subject: 'Ward round',
            type: 'NETWORK_MEETING',
            tenantName: 'north',
            host: 'Alice',
            department: '医院/外科',
            startedAt: '2026-11-20T08:00:00.000Z',
            minutes: 45.5,
            terminals: 6,
            badMinutes: 0.5,
          },
        ],
        total: 1,
        current: 1,
        size: 20,
      },
    },
  }),
  export: route({
    method: 'GET',
    path: `${API_BASE}/statistics/export`,
    ...reads,
    download: true,
    summary: 'The days, weeks or months of a period as an Excel workbook.',
    input: { query: seriesQuery },
    data: z.null(),
    errors: ['TICKET_INVALID'],
    example: { query, data: null },
  }),
  report: route({
    method: 'GET',
    path: `${API_BASE}/statistics/report`,
    ...reads,
    download: true,
    summary: 'The report of a period as a PDF document, as it is mailed for each month.',
    input: { query: cutQuery },
    data: z.null(),
    errors: ['TICKET_INVALID'],
    example: { query, data: null },
  }),
  text: route({
    method: 'GET',
    path: '/api/reports/statistics.csv',
    ...reads,
    download: true,
    summary: 'The days, weeks or months of a period as a text file (CSV), by the header authorization.',
    input: { query: seriesQuery },
    data: z.null(),
    errors: ['TICKET_INVALID'],
    example: { query, data: null },
  }),
  settings: route({
    method: 'GET',
    path: `${API_BASE}/statistics/settings`,
    ...manages,
    summary: 'Time zone of the statistics and recipients of the monthly report: of the own organisation or platform.',
    input: {},
    data: statisticsSettings,
    errors: [],
    example: {
      data: {
        timeZone: 'Asia/Shanghai',
        recipients: ['alice@example.org'],
        locale: 'zh',
        canMail: true,
        version: 1,
      },
    },
  }),
  saveSettings: route({
    method: 'PUT',
    path: `${API_BASE}/statistics/settings`,
    ...manages,
    audit: true,
    summary: 'Changes them. After a change of the time zone, days are counted again from what is still stored.',
    input: {
      body: z.object({
        timeZone: z.string().max(60).refine(isTimeZone),
        recipients: z.array(address).max(STATISTICS_LIMITS.recipients),
        locale: z.enum(['zh', 'en']),
        version: z.number().int().min(0),
      }),
    },
    data: statisticsSettings,
    errors: ['CHANGED_MEANWHILE'],
    example: {
      body: { timeZone: 'Asia/Shanghai', recipients: ['alice@example.org'], locale: 'zh', version: 0 },
      data: { timeZone: 'Asia/Shanghai', recipients: ['alice@example.org'], locale: 'zh', canMail: true, version: 1 },
    },
  }),
  recount: route({
    method: 'POST',
    path: `${API_BASE}/statistics/recount`,
    ...manages,
    audit: true,
    summary: 'Counts days again from their details. Days whose details were deleted stay as they are.',
    limit: { by: 'caller', max: 6, seconds: 60 },
    timeout: 120_000,
    input: {
      body: z
        .object({ tenantId: z.uuid().optional(), from: day, to: day })
        .refine((body) => daysOf(body) >= 1 && daysOf(body) <= STATISTICS_LIMITS.recountDays, {
          message: `at most ${STATISTICS_LIMITS.recountDays} days, and the last not before the first`,
          path: ['to'],
        }),
    },
    data: z.object({
      /** Parts of days that were counted again, and that stay because details of theirs were deleted. */
      counted: z.number().int(),
      kept: z.number().int(),
    }),
    errors: ['TENANT_REQUIRED'],
    example: { body: query, data: { counted: 210, kept: 0 } },
  }),
};
