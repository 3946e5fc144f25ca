import type { TerminalReport } from '@rmeet/contract';
import type { MediaSample, MediaSession } from './media-types.ts';
import { reportOf } from './reports.ts';

const EVERY = 2_000;

/** Tells `send` every two seconds how the media of a session does, until stopped. A hidden page goes on telling. */
export function startReports(session: MediaSession, send: (report: TerminalReport) => void, isSpeaking: () => boolean): { stop: () => void } {
  let previous: MediaSample | null = null;
  let isMeasuring = false;
  const measure = async () => {
    if (isMeasuring) return;
    isMeasuring = true;
    try {
      const sample = await session.sample();
      if (previous !== null) send(reportOf(previous, sample, { quality: session.ownQuality(), speaking: isSpeaking() }));
      previous = sample;
    } finally {
      isMeasuring = false;
    }
  };
  const timer = setInterval(() => void measure(), EVERY);
  return { stop: () => clearInterval(timer) };
}
