import { lazy, type ComponentType } from 'react';
import { loadChunk } from '../lib/chunks.ts';

/** A page that is fetched when it is first shown. Failing that, CrashGuard offers to load the app again. */
export function loadPage<P extends object>(load: () => Promise<ComponentType<P>>) {
  return lazy(async () => ({ default: await loadChunk(load) }));
}
