import type { MediaStream as ReportedStream, TerminalReport } from '@rmeet/contract';
import type { MediaSample, MediaSource } from './media-types.ts';

/** Consecutive checks, two seconds apart, before a source is reported: slow machines and reconnects need several. */
const LOOKS = 5;
const REPORTED: Record<MediaSource, ReportedStream['source']> = {
  camera: 'camera',
  microphone: 'microphone',
  screen: 'screenShare',
  screenAudio: 'screenShareAudio',
};

/**
 * Finds our sources that are sent but not received: the engine's SDP answer rejects them, or packets are sent to a room
 * with other participants while the engine reports neither a subscriber nor receiver reports (RFC 3550). Sources that
 * send nothing, such as muted ones and unwatched pictures, are ignored.
 */
export class DeliveryCheck {
  readonly #vain = new Map<MediaSource, number>();

  /** Adds one check; returns the sources that are not received. */
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
