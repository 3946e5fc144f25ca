import { lazy, Suspense } from 'react';
import { loadChunk } from '../../../../lib/chunks.ts';
import { Loading } from '../../../../ui/states.tsx';
import { Dialog } from '../../../../ui/Dialog.tsx';
import { useT } from '../texts.tsx';

const Topology = lazy(() => loadChunk(async () => ({ default: (await import('./Topology.tsx')).Topology })));

export function TopologyDialog({ onClose }: { onClose: () => void }) {
  const t = useT();
  return (
    <Dialog wide title={t('topology.title')} testId="desk-topology" onClose={onClose}>
      <Suspense fallback={<Loading />}>
        <Topology />
      </Suspense>
    </Dialog>
  );
}
