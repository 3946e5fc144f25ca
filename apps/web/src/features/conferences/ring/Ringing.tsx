import { lazy } from 'react';
import { useLocation } from 'react-router';
import { session, system } from '../../../lib/browser.ts';
import { loadChunk } from '../../../lib/chunks.ts';

// Not needed on sign-in pages and for guests.
const Rings = lazy(() => loadChunk(async () => ({ default: (await import('./Rings.tsx')).Rings })));

/** Incoming calls to meetings, on every page of a signed-in user. */
export function Ringing() {
  // The token may change with navigation.
  useLocation();
  const { token } = session;
  return token === null || system === 'admin' ? null : <Rings key={token} />;
}
