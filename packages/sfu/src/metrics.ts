import type { Counters } from './counters.ts';
import type { LoadMeter } from './load.ts';
import type { MediaPort } from './transport/transport.ts';

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
  packetsRefused: 'received packets that were forged, repeated or damaged',
  packetsForeign: 'received packets from addresses that no participant has verified',
  packetsThrottled: 'received packets ignored because unknown addresses sent too many',
  packetsUnsent: 'packets dropped because the network interface or its buffer did not take them',
  tcpConnections: 'TCP connections that carried media',
  floods: 'participants cut off because they did too much at once',
};

/** A metric that goes up and down; without a value it is omitted. */
interface Gauge {
  name: string;
  help: string;
  value: number | undefined;
}

/** Figures of one room. */
export interface RoomFigures {
  participants: number;
  tracks: number;
  subscriptions: number;
  /** Streams that are paused for lack of bandwidth. */
  paused: number;
  /** Known bandwidth estimates of subscribers, bits per second. */
  estimates: number[];
}

/**
 * The current state of the process: sums and extremes over its rooms. Rooms are not named, as a name reveals who meets.
 */
export function gaugesOf(figures: readonly RoomFigures[], meter: LoadMeter, transport: MediaPort['kind']): Gauge[] {
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
    {
      name: 'transport_native',
      help: '1 if media uses the native transport, 0 if it uses libdatachannel',
      value: transport === 'native' ? 1 : 0,
    },
    { name: 'rooms', help: 'rooms open', value: figures.length },
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
