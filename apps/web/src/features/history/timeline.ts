import type { HeldRecord } from '@rmeet/contract';

/** A part of the timeline, in percent of its width. */
export interface Bar {
  key: string;
  left: number;
  width: number;
}

export interface Row {
  id: string;
  name: string;
  bars: Bar[];
}

const MINUTE = 60_000;
/** Possible distances between two labels of the axis. */
const STEPS = [1, 2, 5, 10, 15, 30, 60, 120, 240, 480].map((minutes) => minutes * MINUTE);
/** Minimum width of a bar, so that it is visible; percent. */
const LEAST_WIDTH = 0.6;

const shareOf = (at: number, from: number, length: number): number =>
  Math.min(100, Math.max(0, ((at - from) / length) * 100));

/** The bars of all people whose times are known, over the duration of the meeting, and the times on its axis. Pure. */
export function timelineOf(
  { startedAt, endedAt, attendance }: Pick<HeldRecord, 'startedAt' | 'endedAt' | 'attendance'>,
  now: number,
  marks: number,
) {
  const from = Date.parse(startedAt);
  const length = Math.max(MINUTE, (endedAt === null ? now : Date.parse(endedAt)) - from);
  const rows: Row[] = attendance
    .filter(({ stays }) => stays.length > 0)
    .map(({ id, name, stays }) => ({
      id,
      name,
      bars: stays.map(({ termId, joinedAt, leftAt }) => {
        const left = Math.min(100 - LEAST_WIDTH, shareOf(Date.parse(joinedAt), from, length));
        const right = shareOf(leftAt === null ? now : Date.parse(leftAt), from, length);
        return { key: `${termId} ${joinedAt}`, left, width: Math.max(LEAST_WIDTH, right - left) };
      }),
    }));
  const step = STEPS.find((each) => length / each <= marks) ?? Math.ceil(length / marks / MINUTE) * MINUTE;
  const first = Math.ceil(from / step) * step;
  const axis = Array.from(
    { length: Math.floor((from + length - first) / step) + 1 },
    (_, i) => first + i * step,
  ).filter((at) => at <= from + length);
  return { rows, axis: axis.map((at) => ({ at, left: shareOf(at, from, length) })) };
}
