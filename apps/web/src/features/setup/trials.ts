import type { MediaReach } from '../../call/media-trial.ts';

/** Test results of one kind: ports, and round-trip times in milliseconds. */
export interface Reached {
  end: 'udp' | 'tcp' | 'relay' | 'media' | 'signalling';
  /** Ports, in order; the engine's host if its port is unknown. */
  places: string[];
  /** Shortest and longest; null if none was measured. */
  ms: { least: number; most: number } | null;
}

/** A media server and the result of its connection test. */
export interface Trial {
  zone: string;
  url: string;
  port: number | null;
  reach: MediaReach;
}

/** The results grouped by kind, successful kinds first. */
export function summed(trials: readonly Trial[]): Reached[] {
  return (['udp', 'tcp', 'relay', 'media', 'signalling'] as const).flatMap((end) => {
    const those = trials.filter(({ reach }) => (reach.way ?? reach.failedAt) === end);
    if (those.length === 0) return [];
    const measured = those.flatMap(({ reach }) => (reach.way !== null && reach.ms !== null ? [reach.ms] : []));
    return [
      {
        end,
        places: placesOf(those),
        ms: measured.length === 0 ? null : { least: Math.min(...measured), most: Math.max(...measured) },
      },
    ];
  });
}

function placesOf(trials: readonly Trial[]): string[] {
  return [...new Set(trials.map(({ zone }) => zone))].flatMap((zone) => {
    const ports: number[] = [];
    const hosts: string[] = [];
    for (const { port, url, reach } of trials.filter((trial) => trial.zone === zone)) {
      // Through a relay, the browser only knows the relay's port.
      const known = (reach.way === 'udp' || reach.way === 'tcp' ? reach.port : null) ?? port;
      if (known === null) hosts.push(new URL(url).host);
      else ports.push(known);
    }
    return [...rangesOf(ports), ...hosts].map((place) => (zone === '' ? place : `${zone} ${place}`));
  });
}

/** Numbers as ranges: `7882–7885`. */
export function rangesOf(ports: readonly number[]): string[] {
  const ranges: { first: number; last: number }[] = [];
  for (const port of ports.toSorted((a, b) => a - b)) {
    const range = ranges.at(-1);
    if (range && port <= range.last + 1) range.last = port;
    else ranges.push({ first: port, last: port });
  }
  return ranges.map(({ first, last }) => (first === last ? String(first) : `${first}–${last}`));
}
