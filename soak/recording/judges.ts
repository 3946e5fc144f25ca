import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { clockTimeOf, type RecordingTrack } from '@rmeet/contract';
import type { Colour } from '@rmeet/participant';
import { joinMp4 } from '../../packages/recorder/src/index.ts';
import { LOOKS, picturesOf, probe, tonesOf } from '../../packages/recorder/test/film.ts';
import { judgeLooks, LATEST, type Looks, type Verdict } from '../../packages/recorder/test/judge.ts';
import { inPlayer } from '../../packages/recorder/test/player.ts';
import type { Stage, StageMark } from '../../packages/recorder/test/stage.ts';
import { gstreamerPictures, gstreamerSounds } from './gstreamer.ts';
import type { RecordingPage, SeenAt } from './page.ts';
import { concatenated, trackFolder, type StoredRecording } from './product.ts';
import { beepsIn, flashesIn, offsetsOf, skewsOf } from './sync.ts';
import { isCrowded, type PlacedPicture, type Witness } from './witness.ts';
import type { RunningServer } from '@rmeet/testkit';

const run = promisify(execFile);

/** A recorded meeting, and what is known of it. */
export interface Case {
  server: RunningServer;
  stage: Stage<string>;
  stored: StoredRecording;
  witness: Witness;
  /** For files that are made on the way. */
  folder: string;
}

/** What one judge found. */
export interface Finding {
  what: string;
  looks: number;
  breaches: string[];
}

const HALF = 0.5;
/** Shorter stretches, in seconds, are not looked at. */
const SHORT = 0.1;
/** Picture and sound are at most this far apart, ms. */
const WITHIN_MS = 80;

const finding = (what: string, { looks, breaches }: Pick<Verdict, 'looks' | 'breaches'>): Finding => ({
  what,
  looks,
  breaches,
});

/** The script as a track has it: `pictures` and `tones` say what of a mark the track shows. */
function trackScript(
  { stage, stored: { index } }: Case,
  id: string,
  of: (mark: StageMark) => Pick<StageMark, 'colour' | 'tones'>,
) {
  const { marks, ...others } = stage.scriptOf(index, id);
  const shown = (mark: StageMark): StageMark => ({ ...mark, ...of(mark) });
  return { ...others, marks: marks.map(shown) };
}

/** The name of the participant that a track is of. */
function nameOf({ stage }: Case, { termId }: RecordingTrack): string {
  return stage.names.find((name) => stage.termIds(name).includes(termId ?? ''))!;
}

/** The programme in an MP4 by ffmpeg, GStreamer and Chromium, and its segments. */
export async function* judgeProgramme(judged: Case, mp4: string): AsyncGenerator<Finding> {
  const { stage, stored } = judged;
  const { marks, pauses, seconds } = stage.scriptOf(stored.index);
  const by = (what: string, looks: Looks): Finding => finding(what, judgeLooks(looks, marks, pauses, seconds));
  yield by('programme, MP4, ffmpeg', { pictures: await picturesOf(mp4), sounds: await tonesOf(mp4) });
  yield judgeFile('programme, MP4, ffprobe', mp4, seconds);
  yield by('programme, MP4, GStreamer', { pictures: await gstreamerPictures(mp4), sounds: await gstreamerSounds(mp4) });
  const chromium: Looks = { pictures: [], sounds: [], everySeconds: HALF };
  await inPlayer(mp4, async ({ duration, colourAt, tones }) => {
    const pictures = [];
    for (let at = 0; at < duration; at += HALF) pictures.push({ at, colour: await colourAt(at) });
    Object.assign(chromium, { pictures, sounds: await tones() });
  });
  yield by('programme, MP4, Chromium', chromium);
  yield judgeCmaf(judged);
}

/** The segments of the programme as they are stored, by GStreamer. */
async function judgeCmaf(judged: Case): Promise<Finding> {
  const { server, stage, stored, folder } = judged;
  const { marks, pauses, seconds } = stage.scriptOf(stored.index);
  const all: Verdict[] = [];
  const stretches = await concatenated(server, stored, 'programme', folder);
  // The last picture may be all of a stretch, and no frame of sound is as short.
  for (const { path, from, seconds: length } of stretches.filter((stretch) => stretch.seconds > SHORT)) {
    const move = <T extends { at: number }>(one: T): T => ({ ...one, at: one.at + from });
    const isInside = ({ at }: { at: number }): boolean => at < from + length - 1 / LOOKS;
    const pictures = (await gstreamerPictures(path)).map(move).filter(isInside);
    const sounds = (await gstreamerSounds(path)).map(move).filter(isInside);
    all.push(judgeLooks({ pictures, sounds }, marks, pauses, seconds));
  }
  return {
    what: 'programme, CMAF, GStreamer',
    looks: all.reduce((sum, { looks }) => sum + looks, 0),
    breaches: all.flatMap(({ breaches }) => breaches),
  };
}

/** No complaint of ffmpeg, the right length, and times that only grow. */
async function judgeFile(what: string, path: string, seconds: number): Promise<Finding> {
  const breaches: string[] = [];
  const { complaints, seconds: length } = await probe(path);
  if (complaints !== '') breaches.push(complaints);
  if (Math.abs(length - seconds) > 0.2) breaches.push(`it lasts ${length} s, not ${seconds.toFixed(2)} s`);
  const shown = ['-show_entries', 'packet=stream_index,dts_time', '-of', 'csv=p=0'];
  const { stdout } = await run('ffprobe', ['-v', 'error', ...shown, path], { maxBuffer: 1 << 28 });
  const last = new Map<string, number>();
  // Packets with a new description of their stream have a line more, which is empty.
  const lines = stdout.split('\n').filter((line) => line !== '' && line !== ',');
  for (const line of lines) {
    const [stream = '', dts = ''] = line.split(',');
    const before = last.get(stream) ?? Number.NEGATIVE_INFINITY;
    if (!(Number(dts) > before)) breaches.push(`stream ${stream}: ${dts} s follows ${before} s`);
    last.set(stream, Number(dts));
  }
  return { what, looks: lines.length, breaches };
}

/** A terminal's track in a file, by ffmpeg and, for one that was saved, by the others. */
async function judgeTrack(judged: Case, track: RecordingTrack, mp4: string, isSaved: boolean): Promise<Finding[]> {
  const { kind, id } = track;
  const name = nameOf(judged, track);
  const hasPicture = kind !== 'microphone';
  const own = judged.stage.toneOf(name);
  const { marks, pauses, seconds } = trackScript(judged, id, ({ pictures, tones }) => ({
    colour: pictures.get(`${kind} ${name}`) ?? null,
    tones: hasPicture ? [] : tones.filter((tone) => tone === own),
  }));
  const by = (what: string, { pictures = [], sounds = [] }: Partial<Looks>, every = 1 / LOOKS): Finding =>
    finding(
      `${kind} of ${name}, ${what}`,
      judgeLooks({ pictures, sounds, everySeconds: every }, marks, pauses, seconds),
    );
  const found = [
    by('ffmpeg', hasPicture ? { pictures: await picturesOf(mp4) } : { sounds: await tonesOf(mp4) }),
    await judgeFile(`${kind} of ${name}, ffprobe`, mp4, seconds),
  ];
  if (!isSaved) return found;
  found.push(
    by('GStreamer', hasPicture ? { pictures: await gstreamerPictures(mp4) } : { sounds: await gstreamerSounds(mp4) }),
  );
  await inPlayer(mp4, async ({ duration, colourAt, tones }) => {
    const pictures = [];
    if (hasPicture) for (let at = 0; at < duration; at += HALF) pictures.push({ at, colour: await colourAt(at) });
    found.push(by('Chromium', { pictures, sounds: hasPicture ? [] : await tones() }, HALF));
  });
  return found;
}

/** All tracks of terminals; `saved`: those that the product has made an MP4 of, by track. */
export async function judgeTracks(judged: Case, saved: ReadonlyMap<string, string>): Promise<Finding[]> {
  const { server, stored, folder } = judged;
  const found: Finding[] = [];
  for (const track of stored.index.tracks.filter(({ kind }) => kind !== 'programme')) {
    const mp4 = saved.get(track.id) ?? join(folder, `${track.id}.mp4`);
    if (!saved.has(track.id)) await joinMp4(trackFolder(server, stored.id, track.id), mp4);
    found.push(...(await judgeTrack(judged, track, mp4, saved.has(track.id))));
  }
  return [...found, judgeCoverage(judged)];
}

/** Every picture that was sent has its track at every half second, and no other has one. */
function judgeCoverage({ stage, stored: { index } }: Case): Finding {
  const breaches: string[] = [];
  const { marks, pauses } = stage;
  const end = index.tracks.find(({ kind }) => kind === 'programme')!.segments.at(-1)!;
  let looks = 0;
  const keys = stage.names.flatMap((name) => [`camera ${name}`, `screen ${name}`]);
  for (let at = HALF; at < (end.at + end.duration) / 1_000 - HALF; at += HALF) {
    if (
      [...index.gaps.map(({ from, to }) => ({ from: from / 1_000, to: to / 1_000 })), ...pauses].some(
        (gap) => at > gap.from - 0.7 && at < gap.to + 0.7,
      )
    )
      continue;
    const near = marks.filter((mark, n) => mark.from <= at + 0.2 && (marks[n + 1]?.to ?? Infinity) + 2 * LATEST > at);
    for (const key of keys) {
      const [kind, name] = key.split(' ') as [string, string];
      const expected = new Set(near.map(({ pictures }) => pictures.has(key)));
      if (expected.size !== 1) continue;
      looks += 1;
      const isThere = index.tracks.some(
        (track) =>
          track.kind === kind &&
          stage.termIds(name).includes(track.termId ?? '') &&
          track.segments.some((segment) => at * 1_000 >= segment.at && at * 1_000 < segment.at + segment.duration),
      );
      if (!expected.has(isThere)) breaches.push(`at ${at} s the ${key} ${isThere ? 'is there' : 'is missing'}`);
    }
  }
  return { what: 'tracks are there when they should be', looks, breaches };
}

/** The programme in the product's player, at its own speed. */
export async function judgePlayed({ stage, stored }: Case, page: RecordingPage): Promise<Finding> {
  const { marks, pauses, seconds } = stage.scriptOf(stored.index);
  return finding("programme, the product's player", judgeLooks(await page.played(), marks, pauses, seconds));
}

const CLOSE = 0.004;
const isSame = (a: PlacedPicture, b: PlacedPicture): boolean =>
  a.key === b.key && (['x', 'y', 'width', 'height'] as const).every((side) => Math.abs(a[side] - b[side]) < CLOSE);

/** The meeting as it was seen, at every half second, against the layout of then. */
export async function judgeSeen(judged: Case, page: RecordingPage): Promise<Finding> {
  const { stage, stored, witness } = judged;
  const { segments } = stored.index.tracks.find(({ kind }) => kind === 'programme')!;
  const { seconds } = stage.scriptOf(stored.index);
  const breaches: string[] = [];
  let looks = 0;
  let ties = 0;
  // Who speaks when it begins has the floor after 0.7 s.
  for (let position = 2 * HALF; position < seconds - HALF; position += HALF) {
    const clock = clockTimeOf(segments, position * 1_000);
    const seen = await page.seenAt(position);
    const layouts = witness.layoutsAt(clock + stage.began, seen.screen);
    const at = `at ${(clock / 1_000).toFixed(1)} s`;
    looks += 1;
    if (!seen.isCalm) breaches.push(`${at} pictures were not drawn within 8 s`);
    if (!layouts.some((layout) => isSameLayout(seen.cells, layout))) {
      if (layouts.some((layout) => isSameButForTies(seen.cells, layout))) ties += 1;
      else breaches.push(`${at} [${wordsOf(seen.cells)}] is seen, not ${layouts.map(wordsOf).join(' or ')}`);
    }
    breaches.push(...wrongColours(judged, seen, clock / 1_000).map((what) => `${at} ${what}`));
  }
  return { what: `as it was seen (${ties} with others of those who spoke at once in small places)`, looks, breaches };
}

type Placed = readonly PlacedPicture[];

/** With more pictures than the player shows, those that it shows have to be among them. */
function isSameLayout(cells: Placed, layout: Placed): boolean {
  if (isCrowded(layout)) return cells.length <= 9 && cells.every(({ key }) => layout.some((one) => one.key === key));
  return cells.length === layout.length && cells.every((cell) => layout.some((one) => isSame(one, cell)));
}

/**
 * The same places, and the same picture in the largest one. Of several people who speak all the time, each viewer of
 * the meeting saw those in the small places who had begun last since that viewer came.
 */
function isSameButForTies(cells: Placed, layout: Placed): boolean {
  const largest = (some: Placed): PlacedPicture | undefined =>
    some.toSorted((a, b) => b.width * b.height - a.width * a.height || a.y - b.y || a.x - b.x)[0];
  return (
    cells.length === layout.length &&
    largest(cells)?.key === largest(layout)?.key &&
    cells.every((cell) => layout.some((one) => isSame({ ...one, key: cell.key }, cell)))
  );
}

function wordsOf(some: Placed): string {
  const shortened = (key: string): string => `${key.slice(0, 6)}${key.endsWith('-screen') ? '*' : ''}`;
  const wordOf = ({ key, x, y, width, height }: PlacedPicture): string =>
    `${shortened(key)} ${[x, y, width, height].map((share) => share.toFixed(2)).join()}`;
  return some
    .toSorted((a, b) => (a.key < b.key ? -1 : 1))
    .map(wordOf)
    .join('; ');
}

/** Pictures in another colour than their terminals sent. */
function wrongColours({ stage }: Case, { cells }: SeenAt, at: number): string[] {
  const near = stage.marks.filter(
    (mark, n) => mark.from <= at + 0.3 && (stage.marks[n + 1]?.to ?? Infinity) + 2 * LATEST > at,
  );
  return cells.flatMap(({ key, kind, colour }) => {
    const name = stage.names.find((one) => stage.termIds(one).includes(key.replace(/-screen$/, '')));
    const allowed = new Set<Colour | null>(near.map(({ pictures }) => pictures.get(`${kind} ${name}`) ?? null));
    if (near.length === 0 || allowed.has(colour)) return [];
    const wanted = [...allowed].map((one) => one ?? 'nothing').join(' or ');
    return [`the ${kind} of ${name} is ${colour ?? 'nothing'}, not ${wanted}`];
  });
}

/** How far apart picture and sound are, and both from the clap itself. */
interface Sync {
  finding: Finding;
  /** Ms; `lacking`: pictures without a sound. */
  figures: { what: string; count: number; lacking: number; least: number; median: number; most: number }[];
}

/** The clap in the programme, and in the tracks of its sender; `mp4` by track. */
export async function judgeSync(
  { stage, stored: { index } }: Case,
  mp4: ReadonlyMap<string, string>,
  sender: string,
): Promise<Sync> {
  const unixOf = (track: string, places: readonly number[]): number[] => {
    const { segments } = index.tracks.find(({ id }) => id === track)!;
    return places.map((second) => index.startsAt + clockTimeOf(segments, second * 1_000));
  };
  const programme = mp4.get('programme')!;
  const { marks, pauses, seconds } = stage.scriptOf(index);
  const isOnAir = (second: number): boolean => {
    const mark = marks.findLast(({ to }) => to + LATEST < second);
    const isChanging = marks.some(({ from, to }) => from < second + HALF && to + LATEST >= second);
    return (
      mark?.colour === stage.colourOf(sender) &&
      mark.tones.includes(stage.toneOf(sender)) &&
      !isChanging &&
      second < seconds - HALF &&
      !pauses.some(({ from, to }) => from - HALF < second && second < to + HALF)
    );
  };
  const flashes = (await flashesIn(programme)).filter(isOnAir);
  const beeps = await beepsIn(programme);
  const figures = [figureOf('programme: sound after picture', skewsOf(flashes, beeps))];
  figures.push(figureOf('programme: picture after the clap', offsetsOf(unixOf('programme', flashes))));
  const termId = stage.termIds(sender)[0]!;
  const tracks = { picture: `camera-${termId}`, sound: `microphone-${termId}` };
  const camera = mp4.get(tracks.picture);
  const microphone = mp4.get(tracks.sound);
  if (camera)
    figures.push(
      figureOf('camera: picture after the clap', offsetsOf(unixOf(tracks.picture, await flashesIn(camera)))),
    );
  if (microphone)
    figures.push(
      figureOf('microphone: sound after the clap', offsetsOf(unixOf(tracks.sound, await beepsIn(microphone)))),
    );
  const breaches = figures.flatMap(({ what, count, lacking, least, most }) =>
    count > 0 && lacking === 0 && least >= -WITHIN_MS && most <= WITHIN_MS
      ? []
      : [`${what}: ${least} to ${most} ms, ${count} times, and ${lacking} pictures without a sound`],
  );
  return {
    finding: {
      what: 'sound and picture within 80 ms',
      looks: figures.reduce((sum, { count }) => sum + count, 0),
      breaches,
    },
    figures,
  };
}

function figureOf(what: string, values: readonly number[]): Sync['figures'][number] {
  const found = values.filter((value) => !Number.isNaN(value)).toSorted((a, b) => a - b);
  const at = (part: number): number => found[Math.min(found.length - 1, Math.floor(found.length * part))] ?? Number.NaN;
  const lacking = values.length - found.length;
  return { what, count: found.length, lacking, least: at(0), median: at(0.5), most: at(1) };
}
