import type { LoadMeter } from './load.ts';
import type { Room } from './rooms/room.ts';

/** Process-wide counters; plain fields, because the hot path adds to them. */
export class Counters {
  packetsIn = 0;
  packetsOut = 0;
  bytesIn = 0;
  bytesOut = 0;
  /** Packets that belong to no published track (yet). */
  packetsUnknown = 0;
  /** SDP sections that send, of which nothing is taken. */
  sectionsRefused = 0;
  nacksIn = 0;
  nacksOut = 0;
  retransmitted = 0;
  recovered = 0;
  plisIn = 0;
  plisOut = 0;
  dataIn = 0;
  dataOut = 0;
  dataDropped = 0;
  joins = 0;
  resumes = 0;
  refused = 0;
  floods = 0;
}

const counterHelp: Record<keyof Counters, string> = {
  packetsIn: 'RTP packets received',
  packetsOut: 'RTP packets sent',
  bytesIn: 'RTP bytes received',
  bytesOut: 'RTP bytes sent',
  packetsUnknown: 'RTP packets that belong to no published track',
  sectionsRefused: 'SDP sections that send without a track announced or a usable codec',
  nacksIn: 'RTP packets asked for again by subscribers',
  nacksOut: 'RTP packets asked for again from publishers',
  retransmitted: 'RTP packets sent again',
  recovered: 'lost RTP packets that publishers sent again',
  plisIn: 'key frame requests from subscribers',
  plisOut: 'key frame requests to publishers',
  dataIn: 'data packets received',
  dataOut: 'data packets sent',
  dataDropped: 'data packets dropped: not permitted, too many, or a slow receiver',
  joins: 'participants admitted',
  resumes: 'signalling connections resumed',
  refused: 'connections refused',
  floods: 'participants cut off because they did too much at once',
};

/** One metric that goes up and down; undefined where there is nothing to tell of. */
interface Gauge {
  name: string;
  help: string;
  value: number | undefined;
}

interface RoomFigures {
  participants: number;
  tracks: number;
  subscriptions: number;
  /** Streams paused for want of bandwidth. */
  paused: number;
  /** What the ways to subscribers take, bits per second, where it is known. */
  estimates: number[];
}

function figuresOf(room: Room): RoomFigures {
  const figures: RoomFigures = {
    participants: room.participants.size,
    tracks: 0,
    subscriptions: 0,
    paused: 0,
    estimates: [],
  };
  for (const participant of room.participants.values()) {
    figures.tracks += participant.publications.published.length;
    const { streams } = participant.subscriptions;
    const { bitrate } = participant.connection.bandwidth;
    figures.subscriptions += streams.length;
    figures.paused += streams.filter((stream) => stream.paused).length;
    if (streams.length > 0 && Number.isFinite(bitrate)) figures.estimates.push(Math.round(bitrate));
  }
  return figures;
}

/**
 * What there is now in the process: sums and extremes over its rooms, which are not named, since their names tell who
 * meets.
 */
export function gaugesOf(rooms: readonly Room[], meter: LoadMeter): Gauge[] {
  const figures = rooms.map(figuresOf);
  const sum = (key: 'participants' | 'tracks' | 'subscriptions' | 'paused'): number =>
    figures.reduce((total, room) => total + room[key], 0);
  const estimates = figures.flatMap((room) => room.estimates);
  return [
    { name: 'estimates', help: 'subscribers whose bandwidth is estimated', value: estimates.length },
    {
      name: 'estimate_bits_per_second',
      help: 'sum of all estimates',
      value: estimates.reduce((total, estimate) => total + estimate, 0),
    },
    {
      name: 'least_estimate_bits_per_second',
      help: 'least estimate of what the way to a subscriber takes',
      value: estimates.length > 0 ? Math.min(...estimates) : undefined,
    },
    { name: 'rooms', help: 'rooms open', value: rooms.length },
    {
      name: 'largest_room_participants',
      help: 'participants present in the room that has most',
      value: Math.max(0, ...figures.map(({ participants }) => participants)),
    },
    { name: 'cpu_cores', help: 'CPU time per second, as a mean over the last seconds', value: meter.cores },
    {
      name: 'media_bits_per_second',
      help: 'media in and out together, as a mean over the last seconds',
      value: Math.round(meter.bitrate),
    },
    { name: 'participants', help: 'participants present', value: sum('participants') },
    { name: 'tracks', help: 'tracks published', value: sum('tracks') },
    { name: 'subscriptions', help: 'tracks received, over all participants', value: sum('subscriptions') },
    { name: 'paused', help: 'tracks received that are paused for want of bandwidth', value: sum('paused') },
  ];
}

/** Prometheus text exposition format, version 0.0.4. */
export function prometheus(counters: Counters, gauges: readonly Gauge[]): string {
  const lines: string[] = [];
  for (const [key, text] of Object.entries(counterHelp)) {
    const name = `rmeet_sfu_${key.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)}_total`;
    lines.push(`# HELP ${name} ${text}`, `# TYPE ${name} counter`, `${name} ${counters[key as keyof Counters]}`);
  }
  for (const { name, help, value } of gauges) {
    if (value !== undefined)
      lines.push(`# HELP rmeet_sfu_${name} ${help}`, `# TYPE rmeet_sfu_${name} gauge`, `rmeet_sfu_${name} ${value}`);
  }
  return `${lines.join('\n')}\n`;
}
