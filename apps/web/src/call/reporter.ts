import type { TerminalReport } from '@rmeet/contract';
import type { MediaSample, MediaSession, MediaSource } from './media-types.ts';
import { DeliveryCheck } from './delivery-check.ts';
import { reportOf } from './reports.ts';

const EVERY = 2_000;

export interface ReportHandler {
  handleReport(report: TerminalReport): void;
  /** Our sources that are not received; called on changes, and with an empty list on stop. */
  handleUnreached(sources: readonly MediaSource[]): void;
  isSpeaking(): boolean;
}

/** Reports the media quality of a session every two seconds until stopped, also on a hidden page. */
export function startReports(session: MediaSession, handler: ReportHandler): { stop: () => void } {
  let previous: MediaSample | null = null;
  let isMeasuring = false;
  let isStopped = false;
  const check = new DeliveryCheck();
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
        setUnreached(isStopped ? [] : check.look(report, sample));
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
