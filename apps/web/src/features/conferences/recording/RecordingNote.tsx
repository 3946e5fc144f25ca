import { isBeingRecorded, type ConferenceRecording } from '@rmeet/conference';
import { Suspense } from 'react';
import { useT } from './texts.ts';
import './recording.css';

/** That a meeting is recorded, where nothing can be pressed. */
export function RecordingNote({ recording }: { recording: ConferenceRecording | null | undefined }) {
  if (!recording || !isBeingRecorded({ recording })) return null;
  return (
    <Suspense fallback={null}>
      <Note status={recording.status} />
    </Suspense>
  );
}

function Note({ status }: Pick<ConferenceRecording, 'status'>) {
  const t = useT();
  return (
    <span className="recording-note" data-status={status} data-testid="recording-note">
      <span className="recording-dot" aria-hidden="true" />
      {t(`mark.${status}`)}
    </span>
  );
}
