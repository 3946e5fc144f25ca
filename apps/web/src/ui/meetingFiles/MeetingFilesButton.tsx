import { lazy, Suspense } from 'react';
import { loadChunk } from '../../lib/chunks.ts';
import { Button } from '../Button.tsx';
import { Icon } from '../icons.tsx';
import { useOpenInAddress } from './place.ts';

const FilesDialog = lazy(() => loadChunk(async () => ({ default: (await import('./FilesDialog.tsx')).FilesDialog })));

/** Opens the files of a meeting. */
export function MeetingFilesButton({ meetId, label }: { meetId: string; label: string }) {
  const [isOpen, setOpen] = useOpenInAddress(meetId);
  return (
    <>
      <Button data-testid="meeting-files-open" onClick={() => setOpen(true)}>
        <Icon name="log" />
        {label}
      </Button>
      {isOpen && (
        <Suspense>
          <FilesDialog meetId={meetId} onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </>
  );
}
