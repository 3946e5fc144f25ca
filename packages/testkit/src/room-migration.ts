import { ArrivalGaps, type Arrival } from '@rmeet/contract';
import { Participant, republish, type ConnectOptions } from '@rmeet/participant';
import { until } from './wait.ts';

const SAMPLE_INTERVAL = 20;
/** Time for the new room to deliver every stream of the old one. */
const COMPLETE_WITHIN = 8_000;
/** The old connection is kept this long, for participants that have not migrated yet. */
const LINGER = 1_500;

function* arrivalsOf(connection: Participant): Generator<Arrival> {
  for (const [sid, { identity, source, counters }] of connection.tracks)
    yield { stream: `${identity} ${source}`, counter: `${connection.sid} ${sid}`, count: counters.packets };
}

/** Measures the streams that arrive at a migrating terminal, over both of its connections. */
export function measureArrivals(...connections: Participant[]): {
  gaps: ArrivalGaps;
  add(connection: Participant): void;
  end(): void;
} {
  const gaps = new ArrivalGaps();
  const sample = (): void =>
    gaps.see(
      performance.now(),
      connections.flatMap((connection) => [...arrivalsOf(connection)]),
    );
  sample();
  const timer = setInterval(sample, SAMPLE_INTERVAL);
  return {
    gaps,
    add: (connection) => void connections.push(connection),
    end: () => {
      sample();
      clearInterval(timer);
    },
  };
}

/**
 * Migrates to the room of another token as pages do: connects, sends and receives there before it leaves the old room.
 *
 * @returns the new connection, and the longest time in ms without packets of a stream that had been arriving; undefined
 * without such streams
 */
export async function migrate(
  old: Participant,
  options: ConnectOptions,
): Promise<{ media: Participant; gap: number | undefined }> {
  const arrivals = measureArrivals(old);
  try {
    const media = await Participant.connect(options);
    arrivals.add(media);
    await republish(old, media);
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
      { within: COMPLETE_WITHIN, every: SAMPLE_INTERVAL },
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
