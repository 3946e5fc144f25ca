import type { Meeting } from '@rmeet/contract';
import type { Interval } from '../../../lib/rooms/index.ts';
import { placeIn, type TimeRow } from './days.ts';

/** When a meeting is booked for. */
export function timesOf({ startTime, duration }: Pick<Meeting, 'startTime' | 'duration'>): Interval {
  const start = Date.parse(startTime);
  return { start, end: start + duration * 60_000 };
}

/** A meeting with the times it is shown at, which differ from its own while it is moved. */
export interface Shown {
  meeting: Meeting;
  times: Interval;
}

/** The part of a meeting that lies in an interval, as a day; null when none does. */
export function partIn({ times }: Shown, interval: Interval): { begins: boolean; ends: boolean } | null {
  if (times.end <= interval.start || times.start >= interval.end) return null;
  return { begins: times.start >= interval.start, ends: times.end <= interval.end };
}

/** In the order in which people read a day: what begins first, of those the longest, and always the same. */
export function inOrder(a: Shown, b: Shown): number {
  return a.times.start - b.times.start || b.times.end - a.times.end || a.meeting.meetId.localeCompare(b.meeting.meetId);
}

/** What takes an interval of a column: from row to row. */
interface Block {
  from: number;
  until: number;
}

/** Which of `lanes` columns a block begins in, and over how many it may spread because they are free. */
export interface Lane {
  lane: number;
  span: number;
  lanes: number;
}

/**
 * Places overlapping blocks side by side: each takes the first lane that is free when it begins, and then as many
 * of those to its right as stay free while it lasts. Blocks that hang together by overlapping share a number of lanes;
 * others have their own. Answers are in the order of `blocks`, which may have any.
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

/** A meeting's part in one day of a time grid. */
export interface Segment extends Block, Lane {
  shown: Shown;
  begins: boolean;
  ends: boolean;
}

/** What one day of a time grid shows. Even the shortest meeting is a row high, so that its name can be read. */
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
