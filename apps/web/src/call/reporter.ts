import type { TerminalReport } from '@rmeet/contract';
import type { MediaSample, MediaSession, MediaSource } from './media-types.ts';
import { Reach } from './delivery-check.ts';
import { reportOf } from './reports.ts';

const EVERY = 2_000;

export interface ReportHandler {
  handleReport(report: TerminalReport): void;
  /** Which of our sources reach nobody; told when that changes. None do any more once it is stopped. */
  handleUnreached(sources: readonly MediaSource[]): void;
  isSpeaking(): boolean;
}

/** Tells every two seconds how the media of a session does, until stopped. A hidden page goes on telling. */
export function startReports(session: MediaSession, handler: ReportHandler): { stop: () => void } {
  let previous: MediaSample | null = null;
  let isMeasuring = false;
  let isStopped = false;
  const reach = new Reach();
  let unreached: readonly MediaSource[] = [];
  const setUnreached = (sources: readonly MediaSource[]): void => {
    const isSame = sources.length === unreached.length && sources.every((source) => unreached.includes(source));
    unreached = sources;
    if (!isSame) handler.handleUnreached(sources);
  };
  const measure = async () => {
    if (isMeasuring) return;
    isMeasuring = true;
    try {
      const sample = await session.sample();
      if (previous !== null) {
        const report = reportOf(previous, sample, { quality: session.ownQuality(), speaking: handler.isSpeaking() });
        handler.handleReport(report);
        setUnreached(isStopped ? [] : reach.look(report, sample));
      }
      previous = sample;
    } finally {
      isMeasuring = false;
    }
  };
  const timer = setInterval(() => void measure(), EVERY);
  return {
    stop: () => {
      isStopped = true;
      clearInterval(timer);
      setUnreached([]);
    },
  };
}
