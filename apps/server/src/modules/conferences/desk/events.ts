import type { DeskEvent, DeskInvitee, DeskTerminal } from '@rmeet/contract';
import type { TenantTx } from '../../../platform/db/index.ts';
import type { Push, PushCaller, PushEvent } from '../../../platform/push/index.ts';
import { isInvited } from '../../meetings/index.ts';
import { findAccount } from '../../accounts/users/index.ts';
import type { ConferenceEngine } from '../control/engine.ts';
import type { ConferenceRow, TerminalRow } from '../tables.ts';
import {
  inviteeWithoutContacts,
  presentDeskTerminal,
  presentDeskWaiting,
  withoutContacts,
  withoutMessage,
  type DeskWaiting,
} from './present.ts';
import { isStatusWall } from './state.ts';

type Of = Pick<ConferenceRow, 'id' | 'meetingId'>;

/** Events for desks only. */
const DESK_EVENTS: ReadonlySet<string> = new Set<DeskEvent['type']>([
  'acknowledged',
  'inviteesChanged',
  'deskTerminal',
  'deskWaiting',
  'extended',
  'commandInput',
  'scenesChanged',
]);
/** Other events that a desk receives; the chat is only for participants. */
const COMMON_EVENTS: ReadonlySet<string> = new Set([
  'terminalJoined',
  'terminalLeft',
  'control',
  'terminalChanged',
  'waitingAdded',
  'waitingRemoved',
  'ended',
]);
const LOG_EVENTS: ReadonlySet<string> = new Set<DeskEvent['type']>(['acknowledged', 'commandInput']);

export const isDeskEvent = ({ type }: PushEvent): boolean => DESK_EVENTS.has(type);

/** Publishes an event to the desks of a conference; others see a gap in the version numbers. */
export function publishToDesks(push: Push, tx: TenantTx, { id, meetingId }: Of, event: DeskEvent): Promise<number> {
  return push.publish(tx, `meeting:${meetingId}`, { ...event, conferenceId: id });
}

/** Tells desks about a terminal that joined or changed, including what is known about the person. */
export async function publishDeskTerminal(
  push: Push,
  tx: TenantTx,
  conference: Of,
  row: TerminalRow,
  engine: Pick<ConferenceEngine, 'cannotWith'>,
): Promise<void> {
  const person = row.accountId === null ? undefined : await findAccount(tx, row.accountId);
  await publishToDesks(push, tx, conference, {
    type: 'deskTerminal',
    terminal: presentDeskTerminal(
      row,
      person,
      person !== undefined && (await isInvited(tx, conference.meetingId, person.id)),
      engine,
    ),
  });
}

/** Tells desks about a waiting terminal or its message. */
export async function publishDeskWaiting(push: Push, tx: TenantTx, conference: Of, row: TerminalRow): Promise<void> {
  await publishToDesks(push, tx, conference, { type: 'deskWaiting', terminal: presentDeskWaiting(row) });
}

type DeskCallerKind = Exclude<PushCaller, { kind: 'terminal' | 'operator' }>;

/** Whether a caller has the rights of a chair's desk; a status wall never has. */
const isChairDesk = (caller: DeskCallerKind): boolean =>
  caller.kind === 'user' || (caller.part === 'deskChair' && !isStatusWall(caller));

/** Whether a desk receives events of this type. */
function isVisible(caller: DeskCallerKind, event: PushEvent): boolean {
  if (!COMMON_EVENTS.has(event.type) && !isDeskEvent(event)) return false;
  if (LOG_EVENTS.has(event.type)) return !isStatusWall(caller);
  return event.type !== 'scenesChanged' || isChairDesk(caller);
}

/** The event without contacts and without messages to the chair. */
function redacted(event: PushEvent): PushEvent {
  const withChanged = (change: (value: never) => unknown, field: string): PushEvent => ({
    ...event,
    [field]: change(event[field] as never),
  });
  switch (event.type) {
    case 'deskTerminal':
      return withChanged((terminal: DeskTerminal) => withoutContacts(terminal), 'terminal');
    case 'inviteesChanged':
      return withChanged((invitees: DeskInvitee[]) => invitees.map(inviteeWithoutContacts), 'invitees');
    case 'deskWaiting':
    case 'waitingAdded':
      return withChanged((waiting: DeskWaiting) => withoutMessage(waiting), 'terminal');
    default:
      return event;
  }
}

/**
 * What a desk may see of an event of its meeting. A viewer sees no contacts and no messages to the chair, a status wall
 * no command log.
 */
export function deskView(caller: DeskCallerKind, stored: PushEvent): PushEvent | null {
  const { conferenceId: _, ...rest } = stored;
  const event = rest as PushEvent;
  if (!isVisible(caller, event)) return null;
  return isChairDesk(caller) ? event : redacted(event);
}
