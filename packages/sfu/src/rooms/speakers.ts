import { SpeakerInfo } from '@livekit/protocol';

/** Levels are told in eighths, rounded up, so that small changes make no messages. */
const STEPS = 8;

/** Who speaks, as the others were last told (LiveKit's SpeakersChanged). */
export class Speakers {
  #told = new Map<string, number>();

  /** Those who speak, loudest first. */
  get all(): SpeakerInfo[] {
    return [...this.#told]
      .toSorted((a, b) => b[1] - a[1])
      .map(([sid, level]) => new SpeakerInfo({ sid, level, active: true }));
  }

  /** Takes the present level (0 to 1, 0 silent) of each participant; gives what others have to be told. */
  update(levels: Iterable<readonly [sid: string, level: number]>): SpeakerInfo[] {
    const before = this.#told;
    this.#told = new Map();
    for (const [sid, level] of levels) if (level > 0) this.#told.set(sid, Math.ceil(level * STEPS) / STEPS);
    const ended = [...before.keys()]
      .filter((sid) => !this.#told.has(sid))
      .map((sid) => new SpeakerInfo({ sid, level: 0, active: false }));
    return [...this.all.filter(({ sid, level }) => before.get(sid) !== level), ...ended];
  }

  clear(): void {
    this.#told.clear();
  }
}
