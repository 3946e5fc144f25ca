import type { Participant } from './participant.ts';
import { PublishRefused } from './publisher.ts';

/** Publishes on another stay what one sends, but for what may not be sent there. Both send until one of them leaves. */
export async function publishOn(from: Participant, to: Participant): Promise<void> {
  for (const { track, request } of from.publications) {
    const copy = track.copy();
    try {
      await to.publish({ track: copy, request: { ...request, muted: copy.muted } });
    } catch (error) {
      if (!(error instanceof PublishRefused)) throw error;
    }
  }
}
