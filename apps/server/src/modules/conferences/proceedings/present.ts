import type { Scene } from '@rmeet/conference';
import type { SceneRow } from '../tables.ts';

/** A scene as desks see it. */
export function presentScene({ id, name, settings, at, appliedAt }: SceneRow): Scene {
  return { id, name, settings, at: at?.toISOString() ?? null, appliedAt: appliedAt?.toISOString() ?? null };
}
