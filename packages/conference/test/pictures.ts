import {
  layoutOf,
  NO_CONTROL,
  type ConferenceCommand,
  type Layout,
  type LayoutCell,
  type LayoutInput,
} from '../src/index.ts';
import { arrive, play } from './game.ts';

export const PEOPLE = ['chair', 'alice', 'bob', 'carol'];
export const DESK = { width: 1_600, height: 900 };
export const crowd = (count: number): string[] => Array.from({ length: count }, (_, at) => `t${at}`);

export interface Case extends Partial<Omit<LayoutInput, 'control'>> {
  commands?: readonly ConferenceCommand[];
}
/** The layout after commands with some terminals present; four people on a wide screen unless given otherwise. */
export function layout({ commands = [], terminals = PEOPLE, ...more }: Case = {}): Layout {
  const control = play(
    [...terminals.map((termId) => arrive(termId, termId === 'chair' ? 'host' : 'member')), ...commands],
    NO_CONTROL,
  );
  return layoutOf({ control, terminals, sharing: [], speakers: [], me: null, screen: DESK, ...more });
}

/** `stage | the rest`, with `+` before the viewer's own picture in a corner, or the grid alone. */
export function shape(input: Case): string {
  const { cells } = layout(input);
  const keysOf = (...areas: LayoutCell['area'][]) =>
    cells.flatMap((cell) => (areas.includes(cell.area) ? [cell.key] : [])).join(' ');
  if (cells[0]?.area !== 'stage') return keysOf('grid');
  const corner = keysOf('corner');
  return `${keysOf('stage')} | ${corner === '' ? keysOf('strip', 'grid') : `+${corner}`}`;
}

/** `seat: who`; a dash for a seat with nobody in it; content in its window at the end. */
export function seatsOf(input: Case): string {
  const { cells, empty } = layout(input);
  const seats = [
    ...cells.flatMap(({ seat, key }) => (seat === undefined ? [] : [{ seat, key }])),
    ...empty.map(({ seat }) => ({ seat, key: '-' })),
  ];
  const window = cells.flatMap(({ area, key }) => (area === 'window' ? [` + ${key}`] : [])).join('');
  return (
    seats
      .toSorted((a, b) => a.seat - b.seat)
      .map(({ seat, key }) => `${seat}: ${key}`)
      .join(', ') + window
  );
}
