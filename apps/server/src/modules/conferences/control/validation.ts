import {
  nameableSeats,
  SEAT_SOURCES,
  type ConferenceCommand,
  type ConferenceControl,
  type ScreenLayout,
  type ScreenSeat,
} from '@rmeet/conference';
import type { Locale } from '@rmeet/contract';
import type { TenantTx } from '../../../platform/db/index.ts';
import { AppError } from '../../../platform/http/index.ts';
import { findTerminals } from '../repo.ts';
import type { Authorization } from './authorization.ts';
import { impossible, type ConferenceEngine } from './engine.ts';

/** Verbs that may name terminals that are not inside. */
const ANYWHERE: ReadonlySet<ConferenceCommand['verb']> = new Set(['sort', 'admit', 'refuse', 'rollMark', 'callUp']);

/**
 * The named terminals that are inside. Terminals that left while the button was pressed are skipped.
 *
 * @throws AppError TERMINAL_ABSENT if none of them is inside
 */
function inside({ terminals }: ConferenceControl, termIds: readonly string[]): string[] {
  const present = [...new Set(termIds)].filter((termId) => terminals[termId]?.present);
  if (present.length === 0)
    throw new AppError('TERMINAL_ABSENT', {
      names: termIds.map((termId) => terminals[termId]?.name ?? termId).join(', '),
    });
  return present;
}

const FIXED_SOURCES: ReadonlySet<string> = new Set(SEAT_SOURCES);

/**
 * Checks that the layout has these seats and that the terminals named for them have been in the conference. A terminal
 * that left keeps its seat, which stays empty.
 *
 * @throws AppError SEAT_UNKNOWN, TERMINAL_ABSENT
 */
function checkSeats(
  { terminals }: ConferenceControl,
  layout: Pick<ScreenLayout, 'model' | 'places'>,
  seats: readonly ScreenSeat[],
): void {
  const last = nameableSeats(layout);
  const beyond = seats.find(({ seat }) => seat > last);
  if (beyond) throw new AppError('SEAT_UNKNOWN', { model: layout.model, seat: beyond.seat });
  const unknown = seats.flatMap(({ source }) => (FIXED_SOURCES.has(source) || terminals[source] ? [] : [source]));
  if (unknown.length > 0) throw new AppError('TERMINAL_ABSENT', { names: unknown.join(', ') });
}

/** @throws AppError TERMINAL_ABSENT if the roll call does not list the terminal */
function checkRollCallEntry({ rollCall, terminals }: ConferenceControl, termId: string | null): void {
  if (termId !== null && !rollCall?.entries.some((entry) => entry.termId === termId))
    throw new AppError('TERMINAL_ABSENT', { names: terminals[termId]?.name ?? termId });
}

/** Checks what a command requires of the control state, apart from terminals that are inside. */
function checkState(control: ConferenceControl, command: ConferenceCommand): void {
  switch (command.verb) {
    case 'layout':
      return checkSeats(control, command, command.pollingSeat ? [{ seat: command.pollingSeat, source: 'POLL' }] : []);
    case 'seats': {
      const ownLayout = command.termId === null ? null : control.terminals[command.termId]?.layout;
      return checkSeats(control, ownLayout ?? control.layout, command.seats);
    }
    case 'terminalLayout':
      return command.layout === null ? undefined : checkSeats(control, command.layout, command.layout.seats);
    case 'polling':
      if (command.lectureId !== null) inside(control, [command.lectureId]);
      return undefined;
    case 'rollMark':
    case 'callUp':
      return checkRollCallEntry(control, command.termId);
    default:
      return undefined;
  }
}

/**
 * The command as it can be executed, naming only terminals that are inside and can apply it.
 *
 * @throws AppError TERMINAL_ABSENT if none of the terminals is inside, SEAT_UNKNOWN, VERB_IMPOSSIBLE if the engine or
 *   none of the terminals can apply it
 */
export async function validateCommand<C extends ConferenceCommand>(
  tx: TenantTx,
  engine: ConferenceEngine,
  { conference }: Authorization,
  command: C,
  locale: Locale,
): Promise<C> {
  const { verb } = command;
  const reason = engine.cannot[verb];
  if (reason) throw impossible(reason, locale);
  const { control } = conference;
  checkState(control, command);
  if (ANYWHERE.has(verb)) return command;
  if (verb === 'mode' && command.mode !== 'SPEAKER') return command;
  if ('termId' in command) {
    if (command.termId === null) return command;
    await filterCapable(tx, engine, command.verb, inside(control, [command.termId]), locale);
    return command;
  }
  if (!('termIds' in command) || (verb === 'coChairs' && !command.appoint)) return command;
  return { ...command, termIds: await filterCapable(tx, engine, verb, inside(control, command.termIds), locale) };
}

/**
 * The terminals that can apply a command.
 *
 * @throws AppError VERB_IMPOSSIBLE if none can
 */
async function filterCapable(
  tx: TenantTx,
  engine: ConferenceEngine,
  verb: ConferenceCommand['verb'],
  termIds: string[],
  locale: Locale,
): Promise<string[]> {
  const rows = await findTerminals(tx, termIds);
  const reasons = new Map(rows.map(({ termId, deviceType }) => [termId, engine.cannotWith(deviceType)[verb]]));
  const capable = termIds.filter((termId) => reasons.get(termId) === undefined);
  const reason = termIds.map((termId) => reasons.get(termId)).find((word) => word !== undefined);
  if (capable.length === 0 && reason) throw impossible(reason, locale);
  return capable;
}
