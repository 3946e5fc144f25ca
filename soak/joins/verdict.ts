import { median } from '../../bench/report.ts';
import type { Held } from '../engine.ts';

/** Tolerated growth: allocators keep some of their memory, and a slightly higher peak is kept permanently. */
const ALLOWED = {
  /** Megabytes per thousand joins, and in total. */
  heapPerThousand: 0.5,
  rss: 24,
  rssPerThousand: 4,
  handles: 2,
  udpPorts: 0,
  threads: 2,
} as const;

/**
 * Growth of a value from the first half of the later samples to the second; the first tenth is for warm-up and does not
 * count.
 */
function growth(samples: readonly Held[], name: keyof Held): number {
  const later = samples.slice(Math.ceil(samples.length / 10)).map((held) => held[name]);
  const half = later.length >> 1;
  return median(later.slice(-half)) - median(later.slice(0, half));
}

/** Whether the resources after each of several rounds of `joins` joins stayed the same. */
export function judge(samples: readonly Held[], joins: number): { flat: boolean; words: string } {
  // The medians of two halves are half the samples apart.
  const thousands = Math.max(0.001, (joins * samples.length) / 2 / 1000);
  const [rss, heap] = [growth(samples, 'rss'), growth(samples, 'heap')];
  const counts = (['handles', 'udpPorts', 'threads'] as const).map((name) => ({ name, grown: growth(samples, name) }));
  const flat =
    heap <= Math.max(1, ALLOWED.heapPerThousand * thousands) &&
    rss <= Math.max(ALLOWED.rss, 0) &&
    (thousands < 1 || rss / thousands <= ALLOWED.rssPerThousand) &&
    counts.every(({ name, grown }) => grown <= ALLOWED[name]);
  const signed = (value: number, digits: number): string => `${value < 0 ? '' : '+'}${value.toFixed(digits)}`;
  return {
    flat,
    words:
      `from the first half to the second RSS ${signed(rss, 1)} MB, heap ${signed(heap, 2)} MB, ` +
      counts
        .map(
          ({ name, grown }) =>
            `${{ handles: 'handles', udpPorts: 'UDP ports', threads: 'threads' }[name]} ${signed(grown, 0)}`,
        )
        .join(', '),
  };
}
