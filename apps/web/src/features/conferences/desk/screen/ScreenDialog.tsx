import { lazy, Suspense } from 'react';
import { loadChunk } from '../../../../lib/chunks.ts';
import { useDesk, useView } from '../context.ts';

const load = () => loadChunk(() => import('./panels.ts'));
const OneLayout = lazy(async () => ({ default: (await load()).OneLayout }));
const OneCaptions = lazy(async () => ({ default: (await load()).OneCaptions }));

/** The layout or the captions of one terminal, while they are open. */
export function ScreenDialog() {
  const desk = useDesk();
  const shown = useView((view) => view.screenOf);
  if (shown === null) return null;
  const Shown = shown.part === 'layout' ? OneLayout : OneCaptions;
  return (
    <Suspense fallback={null}>
      <Shown termId={shown.termId} onClose={() => desk.view.set({ screenOf: null })} />
    </Suspense>
  );
}
