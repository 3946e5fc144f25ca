import { lazy, Suspense } from 'react';
import { loadChunk } from '../../../../lib/chunks.ts';
import { Loading } from '../../../../ui/states.tsx';
import { Dialog } from '../../../../ui/Dialog.tsx';
import { useT } from '../texts.tsx';

// Loads antd, which the rest of the desk does without.
const Grants = lazy(() => loadChunk(async () => ({ default: (await import('./Grants.tsx')).Grants })));

export function GrantsDialog({ onClose }: { onClose: () => void }) {
  const t = useT();
  return (
    <Dialog title={t('grants.title')} testId="desk-grants" onClose={onClose}>
      <Suspense fallback={<Loading />}>
        <Grants />
      </Suspense>
    </Dialog>
  );
}
