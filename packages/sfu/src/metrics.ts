/** Process-wide counters; plain fields, because the hot path adds to them. */
export class Counters {
  packetsIn = 0;
  packetsOut = 0;
  bytesIn = 0;
  bytesOut = 0;
  /** Packets that belong to no published track (yet). */
  packetsUnknown = 0;
  nacksIn = 0;
  nacksOut = 0;
  retransmitted = 0;
  plisIn = 0;
  plisOut = 0;
  dataIn = 0;
  dataOut = 0;
  dataDropped = 0;
  joins = 0;
  resumes = 0;
  refused = 0;
}

const help: Record<keyof Counters, string> = {
  packetsIn: 'RTP packets received',
  packetsOut: 'RTP packets sent',
  bytesIn: 'RTP bytes received',
  bytesOut: 'RTP bytes sent',
  packetsUnknown: 'RTP packets that belong to no published track',
  nacksIn: 'RTP packets asked for again by subscribers',
  nacksOut: 'RTP packets asked for again from publishers',
  retransmitted: 'RTP packets sent again',
  plisIn: 'key frame requests from subscribers',
  plisOut: 'key frame requests to publishers',
  dataIn: 'data packets received',
  dataOut: 'data packets sent',
  dataDropped: 'data packets dropped: not permitted, too many, or a slow receiver',
  joins: 'participants admitted',
  resumes: 'signalling connections resumed',
  refused: 'connections refused',
};

/** Prometheus text exposition format, version 0.0.4. */
export function prometheus(counters: Counters, gauges: Record<string, [value: number, help: string]>): string {
  const lines: string[] = [];
  for (const [key, text] of Object.entries(help)) {
    const name = `rmeet_sfu_${key.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)}_total`;
    lines.push(`# HELP ${name} ${text}`, `# TYPE ${name} counter`, `${name} ${counters[key as keyof Counters]}`);
  }
  for (const [key, [value, text]] of Object.entries(gauges)) {
    const name = `rmeet_sfu_${key}`;
    lines.push(`# HELP ${name} ${text}`, `# TYPE ${name} gauge`, `${name} ${value}`);
  }
  return `${lines.join('\n')}\n`;
}
