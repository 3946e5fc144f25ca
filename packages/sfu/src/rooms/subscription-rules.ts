import type { SubscriptionPermission } from '@livekit/protocol';

/** Whom a publisher lets subscribe to its tracks; everyone until it says otherwise. */
export class SubscriptionRules {
  #rules: SubscriptionPermission | undefined;

  set(rules: SubscriptionPermission): void {
    this.#rules = rules.allParticipants ? undefined : rules;
  }

  allows(subscriber: { sid: string; identity: string }, trackSid: string): boolean {
    if (!this.#rules) return true;
    return this.#rules.trackPermissions.some((permission) => {
      const meant =
        permission.participantIdentity === ''
          ? permission.participantSid === subscriber.sid
          : permission.participantIdentity === subscriber.identity;
      return meant && (permission.allTracks || permission.trackSids.includes(trackSid));
    });
  }
}
