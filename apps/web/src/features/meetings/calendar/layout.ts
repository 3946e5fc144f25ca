import type { Meeting } from '@rmeet/contract';
import type { Interval } from '../../../lib/rooms/index.ts';
import { placeIn, type TimeRow } from './days.ts';

/** The booked interval of a meeting. */
export function timesOf({ startTime, duration }: Pick<Meeting, 'startTime' | 'duration'>): Interval {
  const start = Date.parse(startTime);
  return { start, end: start + duration * 60_000 };
}

/** A meeting with the times it is shown at, which differ from its own while it is being moved. */
export interface Shown {
  meeting: Meeting;
  times: Interval;
}

/** The part of a meeting within an interval, such as a day; null if there is none. */
export function partIn({ times }: Shown, interval: Interval): { begins: boolean; ends: boolean } | null {
  if (times.end <= interval.start || times.start >= interval.end) return null;
  return { begins: times.start >= interval.start, ends: times.end <= interval.end };
}

/** Reading order within a day: earliest start first, then the longest, with a stable order for equal ones. */
export function inOrder(a: Shown, b: Shown): number {
  return a.times.start - b.times.start || b.times.end - a.times.end || a.meeting.meetId.localeCompare(b.meeting.meetId);
}

/** A block that occupies an interval of a column, in rows. */
interface Block {
  from: number;
  until: number;
}

/** The lane of `lanes` that a block starts in, and the number of free lanes it may spread over. */
export interface Lane {
  lane: number;
  span: number;
  lanes: number;
}

/**
 * Places overlapping blocks side by side: each takes the first lane that is free at its start, and then as many lanes
 * to its right as stay free until its end. Blocks connected by overlaps share a number of lanes; others have their own.
 * The result is in the order of `blocks`, which may be unsorted.
 */
export function lanesOf(blocks: readonly Block[]): readonly Lane[] {
  const result = new Map<Block, Lane>();
  const overlaps = (a: Block, b: Block) => a.from < b.until && b.from < a.until;
  const settle = (group: readonly { block: Block; lane: number }[]) => {
    const lanes = Math.max(0, ...group.map(({ lane }) => lane + 1));
    for (const { block, lane } of group) {
      const blocking = group
        .filter((other) => other.lane > lane && overlaps(other.block, block))
        .map((other) => other.lane);
      result.set(block, { lane, span: Math.min(lanes, ...blocking) - lane, lanes });
    }
  };

  let group: { block: Block; lane: number }[] = [];
  let groupEnd = -Infinity;
  for (const block of [...blocks].sort((a, b) => a.from - b.from || b.until - a.until)) {
    if (block.from >= groupEnd) {
      settle(group);
      group = [];
      groupEnd = -Infinity;
    }
    const taken = new Set(group.filter((other) => overlaps(other.block, block)).map(({ lane }) => lane));
    let lane = 0;
    while (taken.has(lane)) lane += 1;
    group.push({ block, lane });
    groupEnd = Math.max(groupEnd, block.until);
  }
  settle(group);
  return blocks.map((block) => result.get(block) ?? { lane: 0, span: 1, lanes: 1 });
}

/** The part of a meeting within one day of a time grid. */
export interface Segment extends Block, Lane {
  shown: Shown;
  begins: boolean;
  ends: boolean;
}

/** The segments of one day of a time grid. Even the shortest meeting is one row high, so that its name is readable. */
export function segmentsOf(
  shown: readonly Shown[],
  rows: readonly TimeRow[],
  day: number,
  interval: Interval,
): readonly Segment[] {
  const parts = [...shown].sort(inOrder).flatMap((one) => {
    const part = partIn(one, interval);
    if (part === null) return [];
    const from = Math.min(part.begins ? placeIn(rows, day, one.times.start) : 0, rows.length - 1);
    const end = part.ends ? placeIn(rows, day, one.times.end, true) : rows.length;
    return [{ shown: one, ...part, from, until: Math.max(end, from + 1) }];
  });
  const lanes = lanesOf(parts);
  return parts.map((part, index) => Object.assign(part, lanes[index] ?? { lane: 0, span: 1, lanes: 1 }));
}
