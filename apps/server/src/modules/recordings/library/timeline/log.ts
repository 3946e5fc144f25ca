import { and, asc, eq, gte, isNull, lte } from 'drizzle-orm';
import { withChanges, type ConferenceControl, type ControlChange } from '@rmeet/conference';
import type { RecordingTimeline } from '@rmeet/contract';
import type { TenantTx } from '../../../../platform/db/index.ts';
import {
  chatMessage,
  conference,
  conferenceCommand,
  type ChatMessageRow,
  type CommandRow,
} from '../../../conferences/tables.ts';
import type { RecordingRow } from '../../tables.ts';

/** The control states of a conference during a recording. Times are in ms since the start of the recording. */
export interface ControlLog {
  first: ConferenceControl;
  commands: readonly (Pick<CommandRow, 'command' | 'changes' | 'version'> & { at: number })[];
}

const reversed = (changes: readonly ControlChange[]): ControlChange[] =>
  changes.map(({ termId, field, before, after }) => ({ termId, field, before: after, after: before })).toReversed();

/** The state before these commands, oldest first, led to `control`. */
function stateBefore(control: ConferenceControl, commands: readonly Pick<CommandRow, 'changes' | 'version'>[]) {
  const before = commands
    .toReversed()
    .reduce((state, { changes }) => withChanges(state, reversed(changes), state.version + 1), control);
  const [first] = commands;
  return { ...before, version: first ? first.version - 1 : control.version };
}

/** What happened in the conference of a recording from its start on. */
export async function readLog(tx: TenantTx, row: RecordingRow): Promise<ControlLog> {
  const held = await tx.findOne(conference, eq(conference.id, row.conferenceId));
  if (!held) throw new Error('A recording without its conference was found.');
  const where = and(
    eq(conferenceCommand.conferenceId, row.conferenceId),
    gte(conferenceCommand.createdAt, row.startedAt),
  );
  const all = await tx.find(conferenceCommand, where, { orderBy: [asc(conferenceCommand.version)] });
  const commands = all
    .filter(({ createdAt }) => row.endedAt === null || createdAt <= row.endedAt)
    .map(({ command, changes, version, createdAt }) => ({
      command,
      changes,
      version,
      at: createdAt.getTime() - row.startedAt.getTime(),
    }));
  return { first: stateBefore(held.control, all), commands };
}

/** The messages to all that were written during a recording and are not deleted, oldest first. */
export function readChat(tx: TenantTx, row: RecordingRow): Promise<ChatMessageRow[]> {
  const where = and(
    eq(chatMessage.conferenceId, row.conferenceId),
    isNull(chatMessage.toTermId),
    isNull(chatMessage.deletedAt),
    gte(chatMessage.sentAt, row.startedAt),
    row.endedAt ? lte(chatMessage.sentAt, row.endedAt) : undefined,
  );
  return tx.find(chatMessage, where, { orderBy: [asc(chatMessage.sentAt), asc(chatMessage.id)] });
}

/** Fields of the conference and of terminals on which pictures depend. */
const SEEN = new Set([
  'mode',
  'speakerId',
  'chairId',
  'order',
  'layout',
  'window',
  'contentLockId',
  'banner',
  'polling',
]);
const SEEN_OF_TERMINAL = new Set([
  '*',
  'name',
  'present',
  'seat',
  'top',
  'muted',
  'cameraOff',
  'contentOff',
  'layout',
  'banner',
]);

/** The state at the start and the steps from there that change what is seen. */
export function controlOf({ first, commands }: ControlLog): RecordingTimeline['control'] {
  const steps = commands.map(({ at, version, changes }) => ({
    at,
    version,
    changes: changes
      .filter(({ termId, field }) => (termId === null ? SEEN : SEEN_OF_TERMINAL).has(field))
      .map(({ termId, field, after }) => ({ termId, field, before: null, after })),
  }));
  return { first, steps: steps.filter(({ changes }) => changes.length > 0) };
}
