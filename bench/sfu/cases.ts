/** One load: who sends what and who takes it. */
export interface Case {
  name: string;
  /** Publishers of packets that only look like video, so many a second of this many bytes each. */
  raw?: { publishers: number; packetsPerSecond: number; size: number };
  /** People who publish a camera and a microphone each, and take pictures and all sound of the others. */
  people?: {
    count: number;
    /** Three simulcast layers to 720 lines, or one of 180. */
    simulcast: boolean;
    /** Bits per second of the lowest layer. */
    bitrate: number;
    /** Pictures each takes. */
    pictures: number;
    /** The first of them talk; the others' microphones send silence as with DTX. */
    talking: number;
  };
  /** Those who only take. */
  subscribers: number;
}

/** Bytes of each packet: about what browsers fill. */
const SIZE = 1_100;
const fan = (subscribers: number, packetsPerSecond: number): Case => ({
  name: `1x${subscribers}@${packetsPerSecond}`,
  raw: { publishers: 1, packetsPerSecond, size: SIZE },
  subscribers,
});

export const CASES: readonly Case[] = [
  fan(10, 100),
  fan(10, 1_000),
  fan(30, 100),
  fan(30, 1_000),
  fan(100, 100),
  fan(100, 1_000),
  fan(300, 300),
  { name: '5x5', people: { count: 5, simulcast: true, bitrate: 150_000, pictures: 4, talking: 5 }, subscribers: 0 },
  {
    name: '40x40',
    people: { count: 40, simulcast: false, bitrate: 150_000, pictures: 25, talking: 3 },
    subscribers: 0,
  },
];

/**
 * A case by its name; of one publisher any: `1x<subscribers>@<packets a second>`. Undefined where the name says
 * nothing.
 */
export function caseNamed(name: string): Case | undefined {
  const [, subscribers, packetsPerSecond] = /^1x(\d+)@(\d+)$/.exec(name) ?? [];
  return (
    CASES.find((known) => known.name === name) ??
    (subscribers === undefined ? undefined : fan(Number(subscribers), Number(packetsPerSecond)))
  );
}

/** Connections and subscriptions of a case, for figures of one of them. */
export function sizeOf({ raw, people, subscribers }: Case): { connections: number; subscriptions: number } {
  if (people) return { connections: people.count, subscriptions: people.count * (people.pictures + people.count - 1) };
  return { connections: subscribers + (raw?.publishers ?? 0), subscriptions: subscribers * (raw?.publishers ?? 0) };
}
