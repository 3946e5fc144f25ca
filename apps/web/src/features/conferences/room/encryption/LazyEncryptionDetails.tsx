import { lazy, Suspense } from 'react';
import { loadChunk } from '../../../../lib/chunks.ts';
import type { EncryptionDetailsProps } from './EncryptionDetails.tsx';

const EncryptionDetails = lazy(() =>
  loadChunk(async () => ({ default: (await import('./EncryptionDetails.tsx')).EncryptionDetails })),
);

/** The details, loaded when they are opened. */
export function LazyEncryptionDetails(props: EncryptionDetailsProps) {
  return (
    <Suspense>
      <EncryptionDetails {...props} />
    </Suspense>
  );
}
