import { PageHelp } from '../PageHelp.tsx';
import { FilesFrame } from './FilesFrame.tsx';
import { MeetingFiles } from './MeetingFiles.tsx';
import { usePlaceInAddress } from './place.ts';
import { useT } from './texts.ts';

/** The files of a meeting in a dialog. */
export function FilesDialog({ meetId, onClose }: { meetId: string; onClose: () => void }) {
  const t = useT();
  const [place, setPlace] = usePlaceInAddress();
  return (
    <FilesFrame title={t('title')} testId="meeting-files-dialog" wide onClose={onClose}>
      <MeetingFiles meetId={meetId} place={place} onPlace={setPlace} />
      <PageHelp page="meeting-files" words />
    </FilesFrame>
  );
}
