import { lazy } from 'react';
import { useLocation } from 'react-router';
import { session, system } from '../../../lib/browser.ts';
import { loadChunk } from '../../../lib/chunks.ts';

// Nobody rings those who sign in or come as guests.
const Rings = lazy(() => loadChunk(async () => ({ default: (await import('./Rings.tsx')).Rings })));

/** Calls into meetings, on every page of a signed-in user. */
export function Ringing() {
  // The token comes and goes with navigation.
  useLocation();
  const { token } = session;
  return token === null || system === 'admin' ? null : <Rings key={token} />;
}
