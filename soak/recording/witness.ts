import { layoutOf, SILENCE, tickSpeakers, updateSpeakers, type ConferenceControl } from '@rmeet/conference';
import { openDesk, type Desk } from '@rmeet/testkit';
import { TrackSource } from 'livekit-server-sdk';
import type { Recorded } from '../../packages/recorder/test/stage.ts';

const EVERY_MS = 100;
const SCREEN_SHARE: number = TrackSource.SCREEN_SHARE;
const isScreen = (source: number): boolean => source === SCREEN_SHARE;
/** Pictures that the player shows at once. */
const MOST = 9;
/** How far the states of the recording may be from those that were live: earlier and later, ms. */
const EARLIER = 900;
const LATER = 1_000;

interface Observed {
  /** Ms of `performance.now()`. */
  now: number;
  control: ConferenceControl;
  /** termIds, in the order in which they began. */
  sharing: readonly string[];
  speakers: readonly string[];
}

/** A picture in its place, in fractions of the screen. */
export interface PlacedPicture {
  key: string;
  x: number;
  y: number;
  width: number;
  height: number;
}

/** Looks on while the meeting runs, as a desk, and notes what its layout is computed from. */
export class Witness {
  #desk: Desk;
  #observed: Observed[] = [];
  #close: () => void;

  private constructor(desk: Desk, close: () => void) {
    this.#desk = desk;
    this.#close = close;
  }

  static async open({ server, chair, meetId }: Recorded): Promise<Witness> {
    const desk = await openDesk(server.url, { meetId, by: chair });
    const participant = await desk.watch({ autoSubscribe: false });
    let speakers = SILENCE;
    let sharing: string[] = [];
    participant.on('speakers', (now) => {
      speakers = updateSpeakers(
        speakers,
        now.map(({ identity }) => identity),
        performance.now(),
      );
    });
    const timer = setInterval(() => {
      const now = performance.now();
      speakers = tickSpeakers(speakers, now);
      const shares = [...participant.participants.values()]
        .filter(({ tracks }) => tracks.some(({ source, muted }) => isScreen(source) && !muted))
        .map(({ identity }) => identity);
      sharing = [...new Set([...sharing.filter((id) => shares.includes(id)), ...shares])];
      witness.#observed.push({ now, control: desk.state.control, sharing, speakers: speakers.recent });
    }, EVERY_MS);
    const witness = new Witness(desk, () => {
      clearInterval(timer);
      participant.leave();
    });
    return witness;
  }

  close(): void {
    this.#close();
    this.#desk.close();
  }

  /** Layouts that may be shown at a moment, in ms of `performance.now()`: several while it changes. */
  layoutsAt(now: number, screen: { width: number; height: number }): PlacedPicture[][] {
    const near = this.#observed.filter((one) => one.now >= now - EARLIER && one.now <= now + LATER);
    const layouts = near.map((observed) => layoutAt(observed, screen));
    return [...new Map(layouts.map((layout) => [JSON.stringify(layout), layout])).values()];
  }
}

/** The pictures of the layout; of more than nine terminals, those with a camera first, then those who spoke last. */
function layoutAt(
  { control, sharing, speakers }: Observed,
  screen: { width: number; height: number },
): PlacedPicture[] {
  const terminals = Object.entries(control.terminals)
    .filter(([, { present }]) => present)
    .toSorted(([, a], [, b]) => a.seat - b.seat)
    .map(([termId]) => termId);
  const { cells } = layoutOf({ control, terminals, sharing, speakers, me: null, screen });
  return cells
    .map(({ key, x, y, width, height }) => ({ key, x, y, width, height }))
    .toSorted((a, b) => (a.key < b.key ? -1 : 1));
}

/** Whether more pictures were in the meeting than the player shows. */
export function isCrowded(layout: readonly PlacedPicture[]): boolean {
  return layout.length > MOST;
}
