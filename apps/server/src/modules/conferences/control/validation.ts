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
import { impossible, type ConferenceEngine } from './engine.ts';
import type { Standing } from './authorization.ts';

/** Verbs that name terminals wherever they are. */
const ANYWHERE: ReadonlySet<ConferenceCommand['verb']> = new Set(['sort', 'admit', 'refuse', 'rollMark', 'callUp']);

/**
 * Those of the named terminals that are inside. Whoever left while the button was pressed is passed over, unless nobody
 * remains.
 */
function inside({ terminals }: ConferenceControl, termIds: readonly string[]): string[] {
  const present = [...new Set(termIds)].filter((termId) => terminals[termId]?.present);
  if (present.length === 0)
    throw new AppError('TERMINAL_ABSENT', {
      names: termIds.map((termId) => terminals[termId]?.name ?? termId).join(', '),
    });
  return present;
}

const STANDING_SOURCES: ReadonlySet<string> = new Set(SEAT_SOURCES);

/** Everybody who is named for a seat has been here, and the layout has that seat. Who left meanwhile keeps it empty. */
function checkSeats(
  { terminals }: ConferenceControl,
  layout: Pick<ScreenLayout, 'model' | 'places'>,
  seats: readonly ScreenSeat[],
): void {
  const most = nameableSeats(layout);
  const beyond = seats.find(({ seat }) => seat > most);
  if (beyond) throw new AppError('SEAT_UNKNOWN', { model: layout.model, seat: beyond.seat });
  const strangers = seats.flatMap(({ source }) => (STANDING_SOURCES.has(source) || terminals[source] ? [] : [source]));
  if (strangers.length > 0) throw new AppError('TERMINAL_ABSENT', { names: strangers.join(', ') });
}

/** What must be there beside terminals that are inside. */
function checkState(control: ConferenceControl, command: ConferenceCommand): void {
  switch (command.verb) {
    case 'layout':
      return checkSeats(control, command, command.pollingSeat ? [{ seat: command.pollingSeat, source: 'POLL' }] : []);
    case 'seats':
      return checkSeats(
        control,
        (command.termId === null ? null : control.terminals[command.termId]?.layout) ?? control.layout,
        command.seats,
      );
    case 'terminalLayout':
      return command.layout === null ? undefined : checkSeats(control, command.layout, command.layout.seats);
    case 'polling':
      if (command.lectureId !== null) inside(control, [command.lectureId]);
      return undefined;
    case 'rollMark':
    case 'callUp':
      if (command.termId !== null && !control.rollCall?.entries.some(({ termId }) => termId === command.termId))
        throw new AppError('TERMINAL_ABSENT', { names: control.terminals[command.termId]?.name ?? command.termId });
      return undefined;
    default:
      return undefined;
  }
}

/**
 * The command as it can be carried out: naming only terminals that are inside and can obey it.
 *
 * @throws AppError TERMINAL_ABSENT where none of them is inside, SEAT_UNKNOWN, VERB_IMPOSSIBLE where the engine or
 *   none of them can
 */
export async function checkSense<C extends ConferenceCommand>(
  tx: TenantTx,
  engine: ConferenceEngine,
  { conference }: Standing,
  command: C,
  locale: Locale,
): Promise<C> {
  const { verb } = command;
  const never = engine.cannot[verb];
  if (never) throw impossible(never, locale);
  const { control } = conference;
  checkState(control, command);
  if (ANYWHERE.has(verb)) return command;
  if (verb === 'mode' && command.mode !== 'SPEAKER') return command;
  if ('termId' in command) {
    if (command.termId === null) return command;
    await able(tx, engine, command.verb, inside(control, [command.termId]), locale);
    return command;
  }
  if (!('termIds' in command) || (verb === 'coChairs' && !command.appoint)) return command;
  return { ...command, termIds: await able(tx, engine, verb, inside(control, command.termIds), locale) };
}

/** Those of the terminals that can obey. */
async function able(
  tx: TenantTx,
  engine: ConferenceEngine,
  verb: ConferenceCommand['verb'],
  termIds: string[],
  locale: Locale,
): Promise<string[]> {
  const rows = await findTerminals(tx, termIds);
  const reasons = new Map(rows.map(({ termId, deviceType }) => [termId, engine.cannotWith(deviceType)[verb]]));
  const can = termIds.filter((termId) => reasons.get(termId) === undefined);
  const reason = termIds.map((termId) => reasons.get(termId)).find((word) => word !== undefined);
  if (can.length === 0 && reason) throw impossible(reason, locale);
  return can;
}
