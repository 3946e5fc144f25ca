import { lazy, Suspense, useSyncExternalStore } from 'react';
import { loadChunk } from '../lib/chunks.ts';
import { proofStore } from '../lib/proof.ts';

const ProofDialog = lazy(() =>
  loadChunk(async () => ({ default: (await import('./factor/ProofDialog.tsx')).ProofDialog })),
);

/** Asks the user to prove again who it is, when a call needs it; mounted once, at the root of each app. */
export function Proof() {
  const asking = useSyncExternalStore(proofStore.subscribe, proofStore.get);
  return asking ? (
    <Suspense fallback={null}>
      <ProofDialog onAnswer={asking.answer} />
    </Suspense>
  ) : null;
}
