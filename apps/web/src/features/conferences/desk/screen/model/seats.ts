import {
  nameableSeats,
  seatsWithin,
  withModel,
  type ConferenceCommand,
  type ScreenLayout,
  type ScreenModel,
  type ScreenSeat,
  type SeatPlace,
} from '@rmeet/conference';
import type { LoggedCommand } from '@rmeet/contract';
import { firstPlaces } from './places.ts';

/** Seats after a source was assigned to one; the previous occupant takes the seat assigned to the source before. */
export function seated(layout: ScreenLayout, seat: number, source: string): ScreenSeat[] {
  const from = layout.seats.find((each) => each.source === source)?.seat;
  const there = layout.seats.find((each) => each.seat === seat)?.source;
  const others = layout.seats.filter((each) => each.seat !== seat && each.source !== source);
  const back = from === undefined || there === undefined || there === source ? [] : [{ seat: from, source: there }];
  return seatsWithin(layout, [...others, ...back, { seat, source }]);
}

/** Seats after the assignment of one was removed, so that it fills by itself. */
export const vacated = ({ seats }: ScreenLayout, seat: number): ScreenSeat[] =>
  seats.filter((each) => each.seat !== seat);

/** The first seat without an assigned source; null if there is none. */
export function freeSeat(layout: ScreenLayout): number | null {
  const taken = new Set(layout.seats.map(({ seat }) => seat));
  for (let seat = 1; seat <= nameableSeats(layout); seat += 1) if (!taken.has(seat)) return seat;
  return null;
}

/** The layout after another model was chosen. A CUSTOM layout starts as it last was in this conference. */
export function chosen(
  layout: ScreenLayout,
  model: ScreenModel,
  commands: readonly Pick<LoggedCommand, 'verb' | 'input'>[],
): ScreenLayout {
  return withModel(layout, model, model === 'CUSTOM' ? firstPlaces(layout, lastCustom(commands)) : [], undefined);
}

function lastCustom(commands: readonly Pick<LoggedCommand, 'verb' | 'input'>[]): readonly SeatPlace[] {
  const last = commands.find(
    ({ verb, input }) => verb === 'layout' && input['model'] === 'CUSTOM' && Array.isArray(input['places']),
  );
  return (last?.input['places'] as readonly SeatPlace[] | undefined) ?? [];
}

type LayoutCommand = Extract<ConferenceCommand, { verb: 'layout' | 'seats' | 'terminalLayout' }>;

/** The commands that change `before` into `after`, for all or for one terminal. */
export function layoutCommands(termId: string | null, before: ScreenLayout, after: ScreenLayout): LayoutCommand[] {
  const isReshaped = before.model !== after.model || JSON.stringify(before.places) !== JSON.stringify(after.places);
  if (termId !== null)
    return isReshaped
      ? [{ verb: 'terminalLayout', termId, layout: after }]
      : [{ verb: 'seats', termId, seats: after.seats }];
  if (!isReshaped) return [{ verb: 'seats', termId, seats: after.seats }];
  const reshaped = withModel(before, after.model, after.places, undefined);
  const reseats = JSON.stringify(reshaped.seats) !== JSON.stringify(after.seats);
  return [
    { verb: 'layout', model: after.model, places: after.places },
    ...(reseats ? [{ verb: 'seats' as const, termId, seats: after.seats }] : []),
  ];
}
