import type { Db } from '../../platform/db/index.ts';
import type { TerminalCaller } from '../../platform/http/index.ts';
import type { Push, PushEvent } from '../../platform/push/index.ts';
import type { SecretBox } from '../../platform/secrets/index.ts';
import { rightsOf } from './policy.ts';
import { stateFor } from './state.ts';

/** What somebody who waits is told, and somebody whom the others do not see any more. */
const FOR_OUTSIDE = new Set(['admitted', 'refused', 'ended']);

/** What a terminal may see of an event of its meeting; `conferenceId` is stored with each and goes no further. */
function viewOf(caller: TerminalCaller, { conferenceId, ...rest }: PushEvent): PushEvent | null {
  const event = rest as PushEvent;
  if (conferenceId !== caller.conferenceId) return null;
  if (caller.state !== 'admitted') return FOR_OUTSIDE.has(event.type) ? event : null;
  const rights = rightsOf(caller);
  if (event.type === 'waitingAdded' || event.type === 'waitingRemoved') return rights.admit ? event : null;
  if (event.type === 'chat' && !rights.readBack) {
    const { sentAt } = event['message'] as { sentAt: string };
    return caller.admittedAt !== null && new Date(sentAt) >= caller.admittedAt ? event : null;
  }
  return event;
}

/** Topic `meeting:<meetId>` belongs to the terminals of its conference. */
export function declareConferenceTopics(push: Push, { db, secrets }: { db: Db; secrets: SecretBox }): void {
  push.topic('meeting', {
    authorize: (caller, topic) => caller.kind === 'terminal' && topic === `meeting:${caller.meetId}`,
    snapshot: async (caller) => (caller.kind === 'terminal' && caller.state === 'admitted' ? stateFor(db, secrets, caller) : undefined),
    view: (caller, event) => (caller.kind === 'terminal' ? viewOf(caller, event) : null),
  });
}
