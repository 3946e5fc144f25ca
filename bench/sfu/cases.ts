/** One load: the senders, their media, and the receivers. */
export interface Case {
  name: string;
  /** Publishers of packets that only look like video, this many per second with this many bytes each. */
  raw?: { publishers: number; packetsPerSecond: number; size: number };
  /** People who publish a camera and a microphone each, and receive pictures and all audio of the others. */
  people?: {
    count: number;
    /** Three simulcast layers up to 720 lines, or one of 180. */
    simulcast: boolean;
    /** Bits per second of the lowest layer. */
    bitrate: number;
    /** Pictures received by each. */
    pictures: number;
    /** This many, from the first on, talk; the others' microphones send silence as with DTX. */
    talking: number;
  };
  /** Participants who only receive. */
  subscribers: number;
}

/** Bytes of each packet: about the size in browsers. */
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
 * A case by its name; with one publisher also any `1x<subscribers>@<packets a second>`. Undefined for an unknown name.
 */
export function caseNamed(name: string): Case | undefined {
  const [, subscribers, packetsPerSecond] = /^1x(\d+)@(\d+)$/.exec(name) ?? [];
  return (
    CASES.find((known) => known.name === name) ??
    (subscribers === undefined ? undefined : fan(Number(subscribers), Number(packetsPerSecond)))
  );
}

/** Number of connections and subscriptions of a case, to compute figures per connection or subscription. */
export function sizeOf({ raw, people, subscribers }: Case): { connections: number; subscriptions: number } {
  if (people) return { connections: people.count, subscriptions: people.count * (people.pictures + people.count - 1) };
  return { connections: subscribers + (raw?.publishers ?? 0), subscriptions: subscribers * (raw?.publishers ?? 0) };
}
