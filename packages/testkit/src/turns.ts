import type { Polling } from '@rmeet/conference';
import { COLOURS, type Colour } from '@rmeet/participant';
import type { Api } from './api.ts';
import type { Desk } from './desk.ts';
import { darkness, seenFrom, type PlaceLog } from './place.ts';
import { joinMany, type Terminal } from './terminal.ts';

/** A headless terminal that sends one colour. */
export interface Coloured {
  terminal: Terminal;
  termId: string;
  colour: Colour;
}

/**
 * Terminals with one colour each, different from both neighbours, that receive nothing themselves, so that two cores
 * can run many.
 */
export async function joinColours(
  api: Api,
  url: string,
  meeting: { numericId: string; password: string },
  count: number,
): Promise<Coloured[]> {
  const colours = Object.keys(COLOURS) as Colour[];
  const terminals = await joinMany(api, url, count, (n) => ({
    ...meeting,
    name: `Room ${n + 1}`,
    autoSubscribe: false,
  }));
  const all = terminals.map((terminal, n) => ({
    terminal,
    termId: terminal.admission.termId,
    colour: colours[n % colours.length] ?? 'blue',
  }));
  for (const { terminal, colour } of all) await terminal.media.publishVideo({ colour, simulcast: true });
  return all;
}

/** A turn that the server has assigned. */
export interface GivenTurn {
  termId: string;
  /**
   * When it began, and when it was due by the clock (null for the first and for those assigned by a call), ms since
   * 1970.
   */
  at: number;
  due: number | null;
}

/** All turns from now on, as sent to a desk. The list grows. */
export function followTurns(desk: Desk): GivenTurn[] {
  const turns: GivenTurn[] = [];
  let due: number | null = null;
  desk.push.on('event', ({ event }) => {
    if (event.type !== 'control') return;
    const polling = event.step.changes.find(({ termId, field }) => termId === null && field === 'polling')?.after as
      | Polling
      | null
      | undefined;
    if (polling === undefined) return;
    const turn = polling?.turn;
    if (
      event.step.verb === 'pollingTurn' &&
      turn &&
      !turns.some(({ termId, at }) => termId === turn.termId && at === Date.parse(turn.since))
    ) {
      turns.push({
        termId: turn.termId,
        at: Date.parse(turn.since),
        due: event.step.by.kind === 'server' && turns.length > 0 ? due : null,
      });
    }
    due = polling?.switchAt ? Date.parse(polling.switchAt) : null;
  });
  return turns;
}

/** What a place of a page showed of a turn. */
export interface SeenTurn extends GivenTurn {
  colour: Colour;
  /** Milliseconds from its beginning until its colour was visible; null if it never was. */
  after: number | null;
  /** It may have been there this much earlier, ms: a page without time to draw has no time to check, either. */
  unsure: number;
  /** Milliseconds without a visible picture. */
  dark: number;
}

/**
 * Turns that were not visible within this many milliseconds of their beginning, as far as the page could detect, or
 * that were dark for a while.
 */
export function failedTurns(turns: readonly SeenTurn[], within: number): SeenTurn[] {
  return turns.filter(({ after, unsure, dark }) => after === null || after - unsure > within || dark > 0);
}

/** Each completed turn, as it was seen. */
export function seenTurns(turns: readonly GivenTurn[], log: PlaceLog, terminals: readonly Coloured[]): SeenTurn[] {
  return turns.slice(0, -1).flatMap((turn, n) => {
    const colour = terminals.find(({ termId }) => termId === turn.termId)?.colour;
    const end = turns[n + 1]?.at ?? Infinity;
    if (colour === undefined) return [];
    const seen = seenFrom(log, { key: turn.termId, colour }, turn.at, end);
    return [
      {
        ...turn,
        colour,
        after: seen === null ? null : seen.at - turn.at,
        unsure: seen?.unsure ?? 0,
        dark: darkness(log, turn.at, end).reduce((sum, one) => sum + one, 0),
      },
    ];
  });
}
