import {
  mediaScoreOf,
  type MediaScore,
  type MediaStream,
  type StayQuality,
  type TerminalReport,
} from '@rmeet/contract';

const MEASURES = ['loss', 'roundTrip', 'bitrateUp', 'bitrateDown'] as const;
type Measure = (typeof MEASURES)[number];

/** One value over many reports; the average is `sum` divided by `count`. */
interface Sum {
  count: number;
  sum: number;
  min: number;
  max: number;
}

/** How many reports were good, fair and poor, and the measured values; a value is missing until it was measured. */
export interface QualitySummary {
  scores: Record<MediaScore, number>;
  measures: Partial<Record<Measure, Sum>>;
}

/**
 * One report in this many determines the result of a stay: people remember a bad tenth, but not a single bad moment.
 */
const NOTICED = 10;

export const emptySummary = (): QualitySummary => ({ scores: { good: 0, fair: 0, poor: 0 }, measures: {} });

const bitrateOf = (streams: readonly MediaStream[], direction: MediaStream['direction']): number | null => {
  const rates = streams.flatMap((stream) =>
    stream.direction === direction && stream.end === 'terminal' ? (stream.bitrate ?? []) : [],
  );
  return rates.length === 0 ? null : rates.reduce((a, b) => a + b, 0);
};

function measuredBy({ streams, roundTrip }: TerminalReport): Record<Measure, number | null> {
  const losses = streams.flatMap(({ loss }) => loss ?? []);
  return {
    loss: losses.length === 0 ? null : Math.max(...losses),
    roundTrip,
    bitrateUp: bitrateOf(streams, 'up'),
    bitrateDown: bitrateOf(streams, 'down'),
  };
}

/** Adds one report to a summary, in place, because there are thousands of reports. */
export function addReport(summary: QualitySummary, report: TerminalReport): void {
  summary.scores[mediaScoreOf(report)] += 1;
  const measured = measuredBy(report);
  for (const measure of MEASURES) {
    const value = measured[measure];
    if (value === null || !Number.isFinite(value)) continue;
    const known = summary.measures[measure];
    if (!known) summary.measures[measure] = { count: 1, sum: value, min: value, max: value };
    else
      Object.assign(known, {
        count: known.count + 1,
        sum: known.sum + value,
        min: Math.min(known.min, value),
        max: Math.max(known.max, value),
      });
  }
}

function sumOf(one: Sum | undefined, other: Sum | undefined): Sum | undefined {
  if (!one || !other) return one ?? other;
  return {
    count: one.count + other.count,
    sum: one.sum + other.sum,
    min: Math.min(one.min, other.min),
    max: Math.max(one.max, other.max),
  };
}

/** Merges two summaries. */
export function together(one: QualitySummary, other: QualitySummary): QualitySummary {
  const measures: QualitySummary['measures'] = {};
  for (const measure of MEASURES) {
    const sum = sumOf(one.measures[measure], other.measures[measure]);
    if (sum) measures[measure] = sum;
  }
  const { good, fair, poor } = one.scores;
  return {
    scores: { good: good + other.scores.good, fair: fair + other.scores.fair, poor: poor + other.scores.poor },
    measures,
  };
}

const rounded = (value: number): number => Math.round(value * 10) / 10;

function present(sum: Sum | undefined): StayQuality['loss'] {
  return sum ? { min: rounded(sum.min), average: rounded(sum.sum / sum.count), max: rounded(sum.max) } : null;
}

/** A summary for readers; null if nothing was reported. `poor` and `fair` apply from a tenth of the reports. */
export function presentQuality({ scores: { good, fair, poor }, measures }: QualitySummary): StayQuality | null {
  const total = good + fair + poor;
  if (total === 0) return null;
  const score = poor * NOTICED >= total ? 'poor' : (fair + poor) * NOTICED >= total ? 'fair' : 'good';
  return {
    score,
    loss: present(measures.loss),
    roundTrip: present(measures.roundTrip),
    bitrateUp: present(measures.bitrateUp),
    bitrateDown: present(measures.bitrateDown),
  };
}
