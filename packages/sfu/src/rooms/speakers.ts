import { SpeakerInfo } from '@livekit/protocol';

/** Levels are published in eighths, rounded up, so that small changes cause no messages. */
const STEPS = 8;

/** The active speakers as last published (LiveKit's SpeakersChanged). */
export class Speakers {
  #published = new Map<string, number>();

  /** The active speakers, loudest first. */
  get all(): SpeakerInfo[] {
    return [...this.#published]
      .toSorted((a, b) => b[1] - a[1])
      .map(([sid, level]) => new SpeakerInfo({ sid, level, active: true }));
  }

  /** Applies the current level of each participant (0 for silence, up to 1). Returns the changes to publish. */
  update(levels: Iterable<readonly [sid: string, level: number]>): SpeakerInfo[] {
    const before = this.#published;
    this.#published = new Map();
    for (const [sid, level] of levels) if (level > 0) this.#published.set(sid, Math.ceil(level * STEPS) / STEPS);
    const ended = [...before.keys()]
      .filter((sid) => !this.#published.has(sid))
      .map((sid) => new SpeakerInfo({ sid, level: 0, active: false }));
    return [...this.all.filter(({ sid, level }) => before.get(sid) !== level), ...ended];
  }

  clear(): void {
    this.#published.clear();
  }
}
