import type { default as Hls, Fragment } from 'hls.js/light';

/** Seconds before a hole at which browsers may already stall. */
const EDGE = 0.3;
/** Seconds behind a hole from which there surely is something to play. */
const BEHIND = 0.05;

/** Passes over segments that are not stored. */
export class Holes {
  readonly #hls: Hls;
  readonly #video: HTMLVideoElement;
  readonly #moves: boolean;
  readonly #missing: Fragment[] = [];

  /** @param moves the video itself goes on behind a hole; pictures beside the programme follow it instead */
  constructor(hls: Hls, video: HTMLVideoElement, moves: boolean) {
    this.#hls = hls;
    this.#video = video;
    this.#moves = moves;
  }

  /** Notes a segment that is not stored. False if nothing else is left to play. */
  add(fragment: Fragment): boolean {
    const all = this.#hls.latestLevelDetails?.fragments.length ?? 0;
    if (fragment.sn === 'initSegment' || this.#missing.length + 1 >= all) return false;
    // As if the playlist said so: EXT-X-GAP, RFC 8216bis.
    fragment.gap = true;
    fragment.tagList.push(['GAP']);
    this.#missing.push(fragment);
    this.#hls.startLoad();
    if (this.#video.readyState < HTMLMediaElement.HAVE_FUTURE_DATA) this.pass();
    return true;
  }

  /** The video waits: if it does so at a hole, it goes on behind it. */
  readonly pass = (): void => {
    if (!this.#moves) return;
    const at = this.#video.currentTime;
    const hole = this.#missing.find(({ start, duration }) => at >= start - EDGE && at < start + duration);
    if (hole) this.#video.currentTime = hole.start + hole.duration + BEHIND;
  };
}
