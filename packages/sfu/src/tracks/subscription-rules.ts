import type { SubscriptionPermission, TrackPermission } from '@livekit/protocol';
import { isRecorder, type Grants } from '../signalling/grants.ts';

/** Which participants may subscribe to a publisher's tracks (LiveKit's SubscriptionPermission); all by default. */
export class SubscriptionRules {
  /** By identity, and by sid where no identity was given. Undefined allows all. */
  #rules: Map<string, TrackPermission> | undefined;

  /** Returns false, and keeps the previous rules, if a rule names no participant. */
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

  /** Recorders are always allowed, as publishers cannot know them in advance. */
  allows({ sid, identity, grants }: { sid: string; identity: string; grants: Grants }, trackSid: string): boolean {
    if (!this.#rules || isRecorder(grants)) return true;
    const rule = this.#rules.get(identity) ?? this.#rules.get(sid);
    return rule !== undefined && (rule.allTracks || rule.trackSids.includes(trackSid));
  }
}
