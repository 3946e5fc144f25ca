import { lazy, Suspense } from 'react';
import { loadChunk } from '../../../../lib/chunks.ts';
import { useDesk, useView } from '../context.ts';

const load = () => loadChunk(() => import('./panels.ts'));
const TerminalLayoutDialog = lazy(async () => ({ default: (await load()).TerminalLayoutDialog }));
const TerminalCaptionsDialog = lazy(async () => ({ default: (await load()).TerminalCaptionsDialog }));

/** The open dialog for the layout or the captions of one terminal. */
export function ScreenDialog() {
  const desk = useDesk();
  const shown = useView((view) => view.screenOf);
  if (shown === null) return null;
  const Shown = shown.part === 'layout' ? TerminalLayoutDialog : TerminalCaptionsDialog;
  return (
    <Suspense fallback={null}>
      <Shown termId={shown.termId} onClose={() => desk.view.set({ screenOf: null })} />
    </Suspense>
  );
}
