import type { Colour, Tone } from '@rmeet/participant';
import { LOOKS, picturesOf, tonesOf, type Heard, type Seen } from './film.ts';

/** A step of a script: what should be visible and audible from then on. Seconds since the recording began. */
export interface Mark {
  what: string;
  /** When the step began, and when it was complete. */
  from: number;
  to: number;
  /** Null: no picture on air. */
  colour: Colour | null;
  tones: Tone[];
}

/** A time that is not judged, seconds. */
export interface Pause {
  from: number;
  to: number;
}

/** Maximum delay of a switch, seconds. */
export const LATEST = 0.5;
/**
 * A picture may be older than the event that put it on air: it was captured before and sent after it. Seconds;
 * terminals that share their machine with all the others send late.
 */
const EARLIEST = 0.2;
/** Audio is checked in intervals of this length, seconds. */
const STRETCH = 0.1;

export interface Verdict {
  /** Moments with unexpected picture or audio, a sentence each. */
  breaches: string[];
  /**
   * For each step that changed the picture, without a pause during it: how long after its completion the new one was
   * visible, ms.
   */
  switches: { what: string; at: number; milliseconds: number }[];
  /** Number of checked moments. */
  looks: number;
}

/** The marks that may apply between two moments: the last one whose delay has passed, and later ones. */
function possible(marks: readonly Mark[], from: number, to: number): Mark[] {
  const settled = marks.findLastIndex((mark) => mark.to + LATEST <= from);
  return marks.slice(Math.max(0, settled)).filter((mark) => mark.from - EARLIEST <= to);
}

/** Sentences about moments, one for each interval with the same error. */
class Breaches {
  #stretches: { from: number; to: number; what: string }[] = [];
  #step: number;

  /** `step`: seconds between two checks. */
  constructor(step: number) {
    this.#step = step;
  }

  add(at: number, what: string): void {
    const last = this.#stretches.at(-1);
    if (last?.what === what && at - last.to < this.#step * 1.5) last.to = at;
    else this.#stretches.push({ from: at, to: at, what });
  }

  get sentences(): string[] {
    return this.#stretches.map(
      ({ from, to, what }) =>
        `${from === to ? `at ${from.toFixed(2)} s` : `from ${from.toFixed(2)} to ${to.toFixed(2)} s`} ${what}`,
    );
  }
}

/** What is visible and audible in a film, in order; `everySeconds`: between two looks at the picture. */
export interface Looks {
  pictures: readonly Seen[];
  /** Of stretches of a tenth of a second. */
  sounds: readonly Heard[];
  everySeconds?: number;
}

/** Compares a film with its script, twenty times a second for the picture and ten times for the audio. */
export async function judge(
  path: string,
  marks: readonly Mark[],
  pauses: readonly Pause[],
  seconds: number,
): Promise<Verdict> {
  return judgeLooks({ pictures: await picturesOf(path), sounds: await tonesOf(path, STRETCH) }, marks, pauses, seconds);
}

/** Compares what was seen and heard with the script. */
export function judgeLooks(looks: Looks, marks: readonly Mark[], pauses: readonly Pause[], seconds: number): Verdict {
  const { everySeconds = 1 / LOOKS } = looks;
  const isJudged = ({ at }: { at: number }): boolean =>
    at >= (marks[0]?.to ?? 0) + LATEST &&
    at < seconds - 0.2 &&
    !pauses.some(({ from, to }) => at > from - EARLIEST && at < to + EARLIEST);
  const pictures = looks.pictures.filter(isJudged);
  const sounds = looks.sounds.filter(isJudged);
  return {
    breaches: [...unseen(pictures, marks, everySeconds), ...unheard(sounds, marks)],
    switches: switchesOf(pictures, marks, pauses),
    looks: pictures.length + sounds.length,
  };
}

function unseen(pictures: readonly Seen[], marks: readonly Mark[], everySeconds: number): string[] {
  const breaches = new Breaches(everySeconds);
  for (const { at, colour } of pictures) {
    const expected = possible(marks, at, at);
    if (expected.some((mark) => mark.colour === colour)) continue;
    const wanted = expected.map((mark) => mark.colour ?? 'nobody').join(' or ');
    breaches.add(at, `${colour ?? 'nobody'} is seen, not ${wanted} (${expected[0]?.what ?? ''})`);
  }
  return breaches.sentences;
}

function unheard(sounds: readonly Heard[], marks: readonly Mark[]): string[] {
  const breaches = new Breaches(STRETCH);
  for (const { at, tones } of sounds) {
    const expected = possible(marks, at, at + STRETCH);
    const step = expected[0]?.what ?? '';
    const missing = (expected[0]?.tones ?? []).filter(
      (tone) => expected.every((mark) => mark.tones.includes(tone)) && !tones.includes(tone),
    );
    const strange = tones.filter((tone) => !expected.some((mark) => mark.tones.includes(tone)));
    if (missing.length > 0) breaches.add(at, `${missing.join()} Hz is not heard (${step})`);
    if (strange.length > 0) breaches.add(at, `${strange.join()} Hz is heard (${step})`);
  }
  return breaches.sentences;
}

/** How long after each step that changed the picture the new one was visible. */
function switchesOf(pictures: readonly Seen[], marks: readonly Mark[], pauses: readonly Pause[]): Verdict['switches'] {
  return marks.flatMap((mark, n) => {
    if (
      n === 0 ||
      mark.colour === marks[n - 1]!.colour ||
      pauses.some(({ from, to }) => to > mark.from && from < mark.to + LATEST)
    )
      return [];
    const seen = pictures.find(({ at, colour }) => at >= mark.from - EARLIEST && colour === mark.colour);
    return [
      {
        what: mark.what,
        at: mark.to,
        milliseconds: seen ? Math.round(Math.max(0, seen.at - mark.to) * 1_000) : Number.POSITIVE_INFINITY,
      },
    ];
  });
}

/** A position in each interval of the script where its picture has been visible for long enough. */
export function settledPlaces(marks: readonly Mark[], seconds: number): { at: number; colour: Colour | null }[] {
  return marks.flatMap(({ to, colour }, n) => {
    const at = to + LATEST + 0.5;
    return at + EARLIEST < (marks[n + 1]?.from ?? seconds) ? [{ at, colour }] : [];
  });
}
