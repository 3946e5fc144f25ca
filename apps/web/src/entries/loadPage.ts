import { lazy, type ComponentType } from 'react';
import { loadChunk } from '../lib/chunks.ts';

/** A page that is loaded when it is first shown. If loading fails, CrashGuard offers to reload the app. */
export function loadPage<P extends object>(load: () => Promise<ComponentType<P>>) {
  return lazy(async () => ({ default: await loadChunk(load) }));
}
