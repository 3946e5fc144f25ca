import { ArrivalGaps, type Arrival } from '@rmeet/contract';
import { Participant, publishOn, type ConnectOptions } from '@rmeet/participant';
import { until } from './wait.ts';

const LOOK_EVERY = 20;
/** How long the new room may take to have everything the old one had. */
const COMPLETE_WITHIN = 8_000;
/** The old stay is kept this long, for those who have not gone over yet. */
const LINGER = 1_500;

function* arrivalsOf(stay: Participant): Generator<Arrival> {
  for (const [sid, { identity, source, counters }] of stay.tracks)
    yield { stream: `${identity} ${source}`, counter: `${stay.sid} ${sid}`, count: counters.packets };
}

/** Measures what arrives at a terminal that goes over from one stay to another; both count. */
export function measureArrivals(...stays: Participant[]): {
  gaps: ArrivalGaps;
  add(stay: Participant): void;
  end(): void;
} {
  const gaps = new ArrivalGaps();
  const look = (): void =>
    gaps.see(
      performance.now(),
      stays.flatMap((stay) => [...arrivalsOf(stay)]),
    );
  look();
  const timer = setInterval(look, LOOK_EVERY);
  return {
    gaps,
    add: (stay) => void stays.push(stay),
    end: () => {
      look();
      clearInterval(timer);
    },
  };
}

/**
 * Goes over to the room of another token as pages do: there first, sends and receives there, and only then leaves here.
 *
 * @returns the new stay, and the ms for which nothing arrived of something that had been arriving; undefined where
 *   nothing had
 */
export async function goOver(
  old: Participant,
  options: ConnectOptions,
): Promise<{ media: Participant; gap: number | undefined }> {
  const arrivals = measureArrivals(old);
  try {
    const media = await Participant.connect(options);
    arrivals.add(media);
    await publishOn(old, media);
    const flowing = (): string[] =>
      [...old.tracks.values()]
        .filter(({ muted, counters }) => !muted && counters.packets > 0)
        .map(({ identity, source }) => `${identity} ${source}`);
    const arrived = (): Set<string> =>
      new Set([...arrivalsOf(media)].filter(({ count }) => count > 0).map(({ stream }) => stream));
    await until(
      'everything arrives in the new room',
      () => {
        const there = arrived();
        return old.ended || flowing().every((stream) => there.has(stream)) || undefined;
      },
      { within: COMPLETE_WITHIN, every: LOOK_EVERY },
    ).catch(() => undefined);
    const there = arrived();
    const gap = arrivals.gaps.longest(
      performance.now(),
      (stream) => !there.has(stream) && !media.participants.has(stream.split(' ')[0] ?? ''),
    );
    setTimeout(() => old.leave(), LINGER);
    return { media, gap };
  } finally {
    arrivals.end();
  }
}
