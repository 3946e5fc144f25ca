import { lazy, Suspense, useState, type ReactNode } from 'react';
import { loadChunk } from '../../lib/chunks.ts';
import { usePutOff, useReleaseNotes } from './queries.ts';
import './texts.ts';

const NotesDialog = lazy(() => loadChunk(async () => ({ default: (await import('./NotesDialog.tsx')).NotesDialog })));

/**
 * What is new in a version that was installed since the account last came, in a dialog, until the account puts it off;
 * closing the dialog puts it off to the next sign-in. `children` are shown when there is nothing new.
 */
export function ReleaseNotes({ children }: { children?: ReactNode }) {
  const { data, isPending } = useReleaseNotes();
  const putOff = usePutOff();
  const [isClosed, setClosed] = useState(false);
  if (isPending) return null;
  if (isClosed || data?.remind !== true) return children;
  return (
    <Suspense fallback={null}>
      <NotesDialog
        notes={data.records}
        onClose={(frequency) => {
          setClosed(true);
          putOff.mutate(frequency);
        }}
      />
    </Suspense>
  );
}

const AllNotesDialog = lazy(() =>
  loadChunk(async () => ({ default: (await import('./NotesDialog.tsx')).AllNotesDialog })),
);

/** The notes of all versions, when they are asked for. */
export function AllReleaseNotes({ onClose }: { onClose: () => void }) {
  return (
    <Suspense fallback={null}>
      <AllNotesDialog onClose={onClose} />
    </Suspense>
  );
}
