import type { Participant } from './participant.ts';
import { PublishRefused } from './publisher.ts';

/**
 * Publishes the tracks of one connection on another one, except for those that are not permitted there. Both send until
 * one of them leaves.
 */
export async function republish(from: Participant, to: Participant): Promise<void> {
  for (const { track, request } of from.publications) {
    const copy = track.copy();
    try {
      await to.publish({ track: copy, request: { ...request, muted: copy.muted } });
    } catch (error) {
      if (!(error instanceof PublishRefused)) throw error;
    }
  }
}
