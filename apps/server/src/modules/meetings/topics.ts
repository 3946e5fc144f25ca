import type { Push } from '../../platform/push/index.ts';

/** Topic `activity` notifies the tenant's people that lists of meetings are stale. */
export function declareMeetingTopics(push: Push): void {
  push.topic('activity', { authorize: (caller) => caller.kind === 'user' });
}
