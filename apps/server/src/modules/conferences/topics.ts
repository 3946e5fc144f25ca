import type { ControlStep } from '@rmeet/contract';
import type { Db } from '../../platform/db/index.ts';
import type { TerminalCaller } from '../../platform/http/index.ts';
import type { Push, PushEvent } from '../../platform/push/index.ts';
import type { SecretBox } from '../../platform/secrets/index.ts';
import type { Acknowledgements } from './control/index.ts';
import { isDeskEvent, type Desk } from './desk/index.ts';
import { mayDo } from './policy.ts';
import { stateFor } from './state.ts';

/** Events for terminals that wait, or that others no longer see. */
const FOR_OUTSIDE = new Set(['admitted', 'refused', 'removed', 'sentBack', 'waitChanged', 'ended']);

/** Whether a command removes the terminal itself, which gets a separate event. */
function putsOut(event: PushEvent, termId: string): boolean {
  const { step } = event as { step?: ControlStep };
  return (
    step?.changes.some((change) => change.termId === termId && change.field === 'present' && change.after === false) ??
    false
  );
}

/**
 * What a terminal sees of an event for desks: only that the list of expected people changed, if it may invite. It reads
 * the list again (conferences.inviting).
 */
const ofDesk = ({ state, parts }: TerminalCaller, { type }: PushEvent): PushEvent | null =>
  type === 'inviteesChanged' && state === 'admitted' && mayDo(parts, 'control') ? { type: 'callsChanged' } : null;

/** What a terminal may see of an event of its meeting. The stored `conferenceId` is not sent. */
function viewOf(caller: TerminalCaller, { conferenceId, ...rest }: PushEvent): PushEvent | null {
  const event = rest as PushEvent;
  if (conferenceId !== caller.conferenceId) return null;
  if (isDeskEvent(event)) return ofDesk(caller, event);
  if (caller.state !== 'admitted') return FOR_OUTSIDE.has(event.type) ? event : null;
  if (putsOut(event, caller.termId)) return null;
  if (event.type === 'waitingAdded' || event.type === 'waitingRemoved')
    return mayDo(caller.parts, 'admit') ? event : null;
  if (event.type === 'chat' && !mayDo(caller.parts, 'readBack')) {
    const { sentAt } = event['message'] as { sentAt: string };
    return caller.admittedAt !== null && new Date(sentAt) >= caller.admittedAt ? event : null;
  }
  return event;
}

export interface TopicDeps {
  db: Db;
  secrets: SecretBox;
  publicUrl: () => string | null;
  acknowledgements: Acknowledgements;
  desk: Pick<Desk, 'topic'>;
}

/** Topic `meeting:<meetId>` belongs to the terminals of its conference, and to its desks. */
export function declareConferenceTopics(
  push: Push,
  { db, secrets, publicUrl, acknowledgements, desk }: TopicDeps,
): void {
  push.topic('meeting', {
    authorize: (caller, topic) =>
      caller.kind === 'terminal' ? topic === `meeting:${caller.meetId}` : desk.topic.authorize(caller, topic),
    snapshot: async (caller, topic) => {
      if (caller.kind !== 'terminal') return desk.topic.snapshot(caller, topic);
      return caller.state === 'admitted' ? stateFor({ db, secrets, publicUrl }, caller) : undefined;
    },
    view: (caller, event) => (caller.kind === 'terminal' ? viewOf(caller, event) : desk.topic.view(caller, event)),
    reported: (caller, topic, report) => desk.topic.reported(caller, topic, report),
    acknowledged: (caller, _topic, version, outcome) => {
      if (caller.kind !== 'terminal' || caller.state !== 'admitted') return;
      acknowledgements.terminal(
        { id: caller.conferenceId, tenantId: caller.tenantId, meetingId: caller.meetId },
        caller.termId,
        version,
        outcome,
      );
    },
  });
}
