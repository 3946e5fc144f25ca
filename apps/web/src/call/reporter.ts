import type { TerminalReport } from '@rmeet/contract';
import type { MediaSample, MediaSession, MediaSource } from './media-types.ts';
import { Reach } from './reach.ts';
import { reportOf } from './reports.ts';

const EVERY = 2_000;

export interface ReportHandler {
  handleReport(report: TerminalReport): void;
  /** Which of our sources reach nobody, as of now; told with every report. */
  handleUnreached(sources: readonly MediaSource[]): void;
  isSpeaking(): boolean;
}

/** Tells every two seconds how the media of a session does, until stopped. A hidden page goes on telling. */
export function startReports(session: MediaSession, handler: ReportHandler): { stop: () => void } {
  let previous: MediaSample | null = null;
  let isMeasuring = false;
  const reach = new Reach();
  const measure = async () => {
    if (isMeasuring) return;
    isMeasuring = true;
    try {
      const sample = await session.sample();
      if (previous !== null) {
        const report = reportOf(previous, sample, { quality: session.ownQuality(), speaking: handler.isSpeaking() });
        handler.handleReport(report);
        handler.handleUnreached(reach.look(report, sample));
      }
      previous = sample;
    } finally {
      isMeasuring = false;
    }
  };
  const timer = setInterval(() => void measure(), EVERY);
  return { stop: () => clearInterval(timer) };
}
