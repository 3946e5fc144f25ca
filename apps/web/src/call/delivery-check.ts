import type { MediaStream as ReportedStream, TerminalReport } from '@rmeet/contract';
import type { MediaSample, MediaSource } from './media-types.ts';

/** Looks in a row, two seconds apart, before anything is claimed: slow machines and reconnects take some. */
const LOOKS = 5;
const REPORTED: Record<MediaSource, ReportedStream['source']> = {
  camera: 'camera',
  microphone: 'microphone',
  screen: 'screenShare',
  screenAudio: 'screenShareAudio',
};

/**
 * Finds out which of our sources reach nobody though they are sent: where the engine's answer takes nothing of them, or
 * where packets go out, somebody is there, and the engine tells neither of a receiver nor by receiver reports (RFC
 * 3550) that they come. Where nothing goes out nothing is learnt: muted sources, and pictures that nobody looks at,
 * rest.
 */
export class Reach {
  readonly #vain = new Map<MediaSource, number>();

  /** Takes what was seen since the last look; answers what reaches nobody. */
  look(
    { streams }: Pick<TerminalReport, 'streams'>,
    { onAir, hasCompany }: Pick<MediaSample, 'onAir' | 'hasCompany'>,
  ): MediaSource[] {
    for (const source of this.#vain.keys()) if (!onAir.has(source)) this.#vain.delete(source);
    for (const [source, taken] of onAir) {
      const sent = streams.filter((stream) => stream.direction === 'up' && stream.source === REPORTED[source]);
      const isReported = sent.some(({ end }) => end === 'engine');
      const isSent = sent.some(({ end }) => end === 'terminal');
      if (taken === 'refused' || (taken === 'unknown' && isSent && hasCompany && !isReported))
        this.#vain.set(source, (this.#vain.get(source) ?? 0) + 1);
      else if (taken === 'received' || isReported) this.#vain.delete(source);
    }
    return [...this.#vain].filter(([, looks]) => looks >= LOOKS).map(([source]) => source);
  }
}
