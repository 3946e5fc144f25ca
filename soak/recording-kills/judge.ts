import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { clockTimeOf, recordingKeys, type RecordingIndex, type RecordingSegment } from '@rmeet/contract';
import { joinMp4, storedSegments } from '../../packages/recorder/src/files.ts';
import { picturesOf, probe, tonesOf } from '../../packages/recorder/test/film.ts';
import { isLit, isSteady, type Span } from './beacon.ts';
import type { Fault, FaultKind } from './faults.ts';
import { BEACON_TONE, type RecordedMeeting, type Told } from './meeting.ts';
import { plays } from './plays.ts';
import type { Product } from './product.ts';

/** Goals, ms. */
export const MOST_LOST = 1_000;
export const MOST_GAP = 5_000;
const MOST_BEYOND_OWN = 1_000;
/** A hole between two segments that is shorter is a matter of rounding and of one late picture, ms. */
const HOLE = 150;
/** The gap of the timeline and the hole between segments differ by less, ms. */
const SAME = 400;
/** After a gap, pictures begin with a key frame that has to be asked for, ms. */
const SETTLED = 2_500;
/** Sound and picture may be so much beside the time at which they were sent, ms. */
const BESIDE = 250;
/** A film has so many segments, so that what is decoded fits into memory. */
const AT_ONCE = 150;
const STEP = 0.1;
type Gap = RecordingIndex['gaps'][number];

/** What one fault did to one recording. Ms. */
export interface Effect {
  gap: number;
  /** Of what was received before the fault. */
  lost: number;
  /** How long the meeting itself was without media. */
  own: number;
}

export interface MeetingVerdict {
  /** By fault. */
  effects: Effect[];
  wrong: string[];
  seconds: number;
  looks: number;
}

/** The holes between segments that no gap names, and gaps without a hole. */
function judgeGaps(segments: readonly RecordingSegment[], gaps: readonly Gap[]): string[] {
  const holes = segments.slice(1).flatMap((next, n) => {
    const { at, duration } = segments[n]!;
    return Math.abs(next.at - at - duration) > HOLE ? [{ from: at + duration, to: next.at }] : [];
  });
  const isSame = (a: Span, b: Span): boolean => Math.abs(a.from - b.from) < SAME && Math.abs(a.to - b.to) < SAME;
  const say = ({ from, to }: Span): string => `from ${(from / 1_000).toFixed(2)} to ${(to / 1_000).toFixed(2)} s`;
  return [
    ...holes.filter((hole) => !gaps.some((gap) => isSame(gap, hole))).map((hole) => `no gap names a hole ${say(hole)}`),
    ...gaps
      .filter((gap) => gap.to - gap.from > HOLE && !holes.some((hole) => isSame(gap, hole)))
      .map((gap) => `there is no hole at the gap ${say(gap)} (${gap.reason})`),
  ];
}

const lengthOf = (spans: readonly Span[]): number => spans.reduce((sum, { from, to }) => sum + to - from, 0);

/** The effect of each fault on a recording: what happened until the next one. */
function effectsOf(faults: readonly Fault[], gaps: readonly Span[], ownGaps: readonly Span[]): Effect[] {
  return faults.map((fault, n) => {
    const until = faults[n + 1]?.from ?? Number.POSITIVE_INFINITY;
    const isOf = ({ from, to }: Span): boolean => to > fault.from && from < until - MOST_LOST;
    const own = gaps.filter(isOf);
    const lost = own.length === 0 ? 0 : fault.from - Math.min(...own.map(({ from }) => from));
    return { gap: lengthOf(own), lost: Math.max(0, lost), own: lengthOf(ownGaps.filter(isOf)) };
  });
}

/** Faults that leave no gap, and of which people in the meeting are not told. */
const UNNOTICED: ReadonlySet<FaultKind> = new Set<FaultKind>(['server', 's3', 'clock']);

/** What was told of the recording during faults that are not to be noticed. */
function judgeTold(faults: readonly Fault[], told: readonly Told[]): string[] {
  return faults.flatMap(({ kind, from }, n) => {
    const until = faults[n + 1]?.from ?? Number.POSITIVE_INFINITY;
    const heard = told.filter(({ at, status }) => at > from && at < until && status !== 'STOPPED');
    return UNNOTICED.has(kind) && heard.length > 0
      ? [`told of ${heard.map(({ status, trouble }) => `${status} ${trouble ?? ''}`.trim()).join()} (${kind})`]
      : [];
  });
}

/** Whether the effect of a fault is allowed; if not, why. */
function breachOf({ kind, from, to }: Fault, { gap, lost, own }: Effect): string | undefined {
  if (lost > MOST_LOST) return `${lost} ms of what was received are lost (${kind})`;
  if (kind === 'recorder' && gap > MOST_GAP) return `a gap of ${gap} ms (${kind})`;
  if (kind === 'recorder' && gap === 0) return `no gap (${kind})`;
  if (kind === 'media' && gap > own + MOST_BEYOND_OWN)
    return `a gap of ${gap} ms, while media was away for ${own} ms (${kind})`;
  if (kind === 'disk' && Math.abs(gap - (to - from)) > MOST_GAP)
    return `a gap of ${gap} ms, while the disk was full for ${to - from} ms (${kind})`;
  if (UNNOTICED.has(kind) && gap > 0) return `a gap of ${gap} ms (${kind})`;
  return undefined;
}

/** Compares films with what was sent; times that are not judged are Unix ms. */
async function judgeFilm(
  folder: string,
  index: RecordingIndex,
  segments: RecordingSegment[],
  { colour, tone }: RecordedMeeting,
  unjudged: readonly Span[],
): Promise<{ wrong: string[]; looks: number }> {
  const wrong: string[] = [];
  let looks = 0;
  const films = await mkdtemp(join(tmpdir(), 'rmeet-judged-'));
  for (let first = 0; first < segments.length; first += AT_ONCE) {
    const part = segments.slice(first, first + AT_ONCE);
    const film = join(films, `${first}.mp4`);
    const listed = storedSegments(index, { id: '', kind: 'programme', termId: null, name: '', segments: part });
    await joinMp4({ segments: listed, read: (name) => readFile(join(folder, name)) }, film);
    const { complaints } = await probe(film);
    if (complaints !== '') wrong.push(`ffmpeg says: ${complaints.slice(0, 300)}`);
    const timeOf = (second: number): number => index.startsAt + clockTimeOf(part, second * 1_000);
    const isJudged = (at: number): boolean => !unjudged.some(({ from, to }) => at > from && at < to);
    for (const seen of await picturesOf(film)) {
      const at = timeOf(seen.at);
      if (!isJudged(at)) continue;
      looks += 1;
      if (seen.colour !== colour)
        wrong.push(`at ${((at - index.startsAt) / 1_000).toFixed(2)} s: ${seen.colour ?? 'a card'}, not ${colour}`);
    }
    for (const heard of await tonesOf(film, STEP)) {
      const at = timeOf(heard.at);
      const around = { from: at - BESIDE, to: at + STEP * 1_000 + BESIDE };
      if (!isJudged(at) || !isSteady(around)) continue;
      looks += 1;
      const expected = isLit(at) ? [tone, BEACON_TONE] : [tone];
      if (heard.tones.join() !== expected.join())
        wrong.push(
          `at ${((at - index.startsAt) / 1_000).toFixed(2)} s: ${heard.tones.join()} Hz, not ${expected.join()}`,
        );
    }
    await rm(film);
  }
  await rm(films, { recursive: true });
  return { wrong, looks };
}

/** Judges a complete recording by its files, its timeline and its playlist. */
export async function judgeMeeting(
  product: Product,
  meeting: RecordedMeeting,
  faults: readonly Fault[],
  stalls: readonly Span[],
): Promise<MeetingVerdict> {
  const index = await meeting.index();
  const { segments } = index.tracks.find(({ kind }) => kind === 'programme')!;
  const gaps = await meeting.timelineGaps();
  const inTime = (span: Span): Span => ({ from: index.startsAt + span.from, to: index.startsAt + span.to });
  const missing = gaps.map(inTime);
  const effects = effectsOf(faults, missing, meeting.ownGaps);
  const folder = dirname(product.stored(recordingKeys.init(meeting.recordingId, 'programme', 1)));
  const seconds = lengthOf(segments.map(({ duration }) => ({ from: 0, to: duration }))) / 1_000;
  const begun = index.startsAt + segments[0]!.at + SETTLED;
  const around = (spans: readonly Span[], after: number): Span[] =>
    spans.map(({ from, to }) => ({ from: from - BESIDE * 2, to: to + after }));
  const film = await judgeFilm(folder, index, segments, meeting, [
    { from: 0, to: begun },
    ...around(missing, SETTLED),
    ...around(meeting.ownGaps, SETTLED),
    ...around(stalls, BESIDE * 2),
    { from: meeting.endedAt - SETTLED, to: Number.POSITIVE_INFINITY },
  ]);
  const wrong = [
    ...effects.flatMap((effect, n) => breachOf(faults[n]!, effect) ?? []),
    ...judgeTold(faults, meeting.told),
    ...judgeGaps(segments, gaps),
    ...film.wrong,
    ...(await plays(meeting, seconds)),
  ];
  return { effects, wrong, seconds, looks: film.looks };
}
