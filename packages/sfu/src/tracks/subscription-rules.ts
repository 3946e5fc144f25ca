import type { SubscriptionPermission, TrackPermission } from '@livekit/protocol';
import { isRecorder, type Grants } from '../signalling/grants.ts';

/**
 * Whom a publisher lets subscribe to its tracks (LiveKit's SubscriptionPermission); everyone until it says otherwise.
 */
export class SubscriptionRules {
  /** By identity, and by sid where no identity was given. Undefined allows all. */
  #rules: Map<string, TrackPermission> | undefined;

  /** False when a rule names nobody; then those before stay. */
  set({ allParticipants, trackPermissions }: SubscriptionPermission): boolean {
    if (allParticipants) {
      this.#rules = undefined;
      return true;
    }
    const rules = trackPermissions.map((rule): [string, TrackPermission] => [
      rule.participantIdentity || rule.participantSid,
      rule,
    ]);
    if (rules.some(([key]) => key === '')) return false;
    this.#rules = new Map(rules);
    return true;
  }

  /** Recorders may always: nobody can know them before they come. */
  allows({ sid, identity, grants }: { sid: string; identity: string; grants: Grants }, trackSid: string): boolean {
    if (!this.#rules || isRecorder(grants)) return true;
    const rule = this.#rules.get(identity) ?? this.#rules.get(sid);
    return rule !== undefined && (rule.allTracks || rule.trackSids.includes(trackSid));
  }
}
