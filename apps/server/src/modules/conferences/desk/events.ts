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
import { isWall } from './state.ts';

type Of = Pick<ConferenceRow, 'id' | 'meetingId'>;

/** Told to desks alone. */
const OF_DESKS: ReadonlySet<string> = new Set<DeskEvent['type']>([
  'acknowledged',
  'inviteesChanged',
  'deskTerminal',
  'deskWaiting',
  'extended',
  'commandInput',
  'scenesChanged',
]);
/** And those of all that a desk follows; a chat is between those inside. */
const OF_ALL: ReadonlySet<string> = new Set([
  'terminalJoined',
  'terminalLeft',
  'control',
  'terminalChanged',
  'waitingAdded',
  'waitingRemoved',
  'ended',
]);
const OF_LOG: ReadonlySet<string> = new Set<DeskEvent['type']>(['acknowledged', 'commandInput']);

export const isDeskEvent = ({ type }: PushEvent): boolean => OF_DESKS.has(type);

/** Publishes an event to the desks of a conference; the others see a step in the numbering. */
export function publishToDesks(push: Push, tx: TenantTx, { id, meetingId }: Of, event: DeskEvent): Promise<number> {
  return push.publish(tx, `meeting:${meetingId}`, { ...event, conferenceId: id });
}

/** Tells desks of a terminal that came or changed: what the others are told, and what is known of the person. */
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

/** Tells desks of somebody who waits, or has left a message. */
export async function publishDeskWaiting(push: Push, tx: TenantTx, conference: Of, row: TerminalRow): Promise<void> {
  await publishToDesks(push, tx, conference, { type: 'deskWaiting', terminal: presentDeskWaiting(row) });
}

/**
 * What a desk may see of an event of its meeting; a viewer sees no contacts and no messages to the chair, a wall no
 * log.
 */
export function deskView(
  caller: Exclude<PushCaller, { kind: 'terminal' | 'operator' }>,
  stored: PushEvent,
): PushEvent | null {
  const { conferenceId: _, ...rest } = stored;
  const event = rest as PushEvent;
  if (!OF_ALL.has(event.type) && !isDeskEvent(event)) return null;
  if (isWall(caller) && OF_LOG.has(event.type)) return null;
  if (event.type === 'scenesChanged' && caller.kind === 'desk' && (caller.part !== 'deskChair' || isWall(caller)))
    return null;
  if (caller.kind === 'user' || (caller.part === 'deskChair' && caller.scope === 'control')) return event;
  const about = (change: (value: never) => unknown, field: string): PushEvent => ({
    ...event,
    [field]: change(event[field] as never),
  });
  switch (event.type) {
    case 'deskTerminal':
      return about((terminal: DeskTerminal) => withoutContacts(terminal), 'terminal');
    case 'inviteesChanged':
      return about((invitees: DeskInvitee[]) => invitees.map(inviteeWithoutContacts), 'invitees');
    case 'deskWaiting':
    case 'waitingAdded':
      return about((waiting: DeskWaiting) => withoutMessage(waiting), 'terminal');
    default:
      return event;
  }
}
