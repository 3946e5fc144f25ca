import type { ConferenceRecording, RecordAction } from '@rmeet/conference';
import { lazy, Suspense, useState } from 'react';
import { useRunningTime } from '../shared/useRunningTime.ts';
import { useT } from './texts.ts';
import './recording.css';

const RecordingDetails = lazy(async () => ({ default: (await import('./RecordingDetails.tsx')).RecordingDetails }));

export interface RecordingMarkProps {
  /** Null or missing before the first recording. */
  recording: ConferenceRecording | null | undefined;
  /** How far the server's clock is ahead, ms. */
  clockAhead: number;
  /** For those who may record, who also see that it failed. */
  onAction: ((action: RecordAction) => void) | null;
}

/** That the meeting is recorded, for all to see; a press on it tells more. */
export function RecordingMark({ recording, clockAhead, onAction }: RecordingMarkProps) {
  const t = useT();
  const [anchor, setAnchor] = useState<HTMLElement | null>(null);
  if (!recording || !isShown(recording, onAction !== null)) return null;
  const { status, trouble, isSpaceLow, startedAt } = recording;
  const text = t(`mark.${status}`);
  const warns = onAction !== null && (trouble !== null || isSpaceLow || status === 'FAILED');
  return (
    <>
      <button
        type="button"
        className="recording-mark"
        title={t('mark.open', { status: text })}
        aria-expanded={anchor !== null}
        data-testid="recording-mark"
        data-status={status}
        data-warns={warns}
        onClick={(event) => setAnchor(anchor === null ? event.currentTarget : null)}
      >
        <span className="recording-dot" aria-hidden="true" />
        <span className="recording-text">{text}</span>
        {status === 'RECORDING' && <RecordingClock startedAt={startedAt} clockAhead={clockAhead} />}
        {warns && (
          <span className="recording-warns" aria-hidden="true">
            !
          </span>
        )}
      </button>
      {anchor !== null && (
        <Suspense fallback={null}>
          <RecordingDetails recording={recording} anchor={anchor} onAction={onAction} onClose={() => setAnchor(null)} />
        </Suspense>
      )}
    </>
  );
}

/** An end is not marked; a failure is, to those who can start again. */
const isShown = ({ status }: ConferenceRecording, mayRecord: boolean): boolean =>
  status !== 'STOPPED' && (status !== 'FAILED' || mayRecord);

/** The time since the recording started. */
function RecordingClock({ startedAt, clockAhead }: { startedAt: string; clockAhead: number }) {
  const t = useT();
  return (
    <span className="recording-clock" role="timer" aria-live="off" title={t('mark.since')}>
      {useRunningTime(startedAt, clockAhead)}
    </span>
  );
}
