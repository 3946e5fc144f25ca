import { MeetingFiles } from '../../../ui/meetingFiles/MeetingFiles.tsx';
import { usePlace } from '../../../ui/meetingFiles/place.ts';
import { useT } from '../texts.ts';
import { Panel } from './Panel.tsx';

/** The files of the meeting, beside the pictures. */
export function FilesPanel({ meetId, onClose }: { meetId: string; onClose: () => void }) {
  const t = useT();
  const [place, setPlace] = usePlace();
  return (
    <Panel title={t('toolbar.files')} testId="files-panel" onClose={onClose}>
      <div className="meeting-files-panel">
        <MeetingFiles meetId={meetId} place={place} onPlace={setPlace} />
      </div>
    </Panel>
  );
}
