import type { MediaSection } from '@rmeet/rtp/sdp';
import type { Subscription } from '../tracks/subscription.ts';

/** How many more receiving sections the client should offer. */
export interface SectionsNeeded {
  audios: number;
  videos: number;
}

/**
 * Which receiving section of the client's offer carries which subscription, when one peer
 * connection serves both directions and only the client offers.
 */
export class SectionPlan {
  #used = new Map<string, Subscription>();
  #free: MediaSection[] = [];

  /** Whether the last answer does not match the current subscriptions. */
  isStale(subscriptions: readonly Subscription[]): boolean {
    const live = new Set(subscriptions);
    return (
      subscriptions.some((subscription) => !this.#carries(subscription)) ||
      [...this.#used.values()].some((used) => !live.has(used))
    );
  }

  /** Assigns subscriptions to the receiving sections of an offer; sections keep theirs. */
  assign(sections: readonly MediaSection[], subscriptions: readonly Subscription[]): ReadonlyMap<string, Subscription> {
    const live = new Set(subscriptions);
    const receiving = sections.filter(
      (section) => section.alive && section.kind !== 'application' && section.direction === 'recvonly',
    );
    const used = new Map<string, Subscription>();
    for (const section of receiving) {
      const before = this.#used.get(section.mid);
      if (before && live.has(before)) used.set(section.mid, before);
    }
    const placed = new Set(used.values());
    const waiting = subscriptions.filter((subscription) => !placed.has(subscription));
    this.#free = [];
    for (const section of receiving) {
      if (used.has(section.mid)) continue;
      if (this.#used.has(section.mid)) {
        // A section goes idle for one round before another stream takes it: browsers report a new
        // track only when a section starts to receive, not when its stream changes underneath.
        this.#free.push(section);
        continue;
      }
      const index = waiting.findIndex(
        (subscription) => subscription.publication.isVideo === (section.kind === 'video'),
      );
      const [subscription] = index < 0 ? [] : waiting.splice(index, 1);
      if (subscription) used.set(section.mid, subscription);
      else this.#free.push(section);
    }
    this.#used = used;
    return used;
  }

  /** The sections that are missing for subscriptions without one. */
  needed(subscriptions: readonly Subscription[]): SectionsNeeded {
    const waiting = subscriptions.filter((subscription) => !this.#carries(subscription));
    const videos = waiting.filter((subscription) => subscription.publication.isVideo).length;
    const freeVideos = this.#free.filter((section) => section.kind === 'video').length;
    return {
      audios: Math.max(0, waiting.length - videos - (this.#free.length - freeVideos)),
      videos: Math.max(0, videos - freeVideos),
    };
  }

  #carries(subscription: Subscription): boolean {
    return subscription.mid !== undefined && this.#used.get(subscription.mid) === subscription;
  }
}
