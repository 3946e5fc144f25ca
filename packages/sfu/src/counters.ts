/** Process-wide counters; plain fields, because the hot path adds to them. */
export class Counters {
  packetsIn = 0;
  packetsOut = 0;
  bytesIn = 0;
  bytesOut = 0;
  /** Packets that belong to no published track (yet). */
  packetsUnknown = 0;
  /** Sending SDP sections that are not accepted. */
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
  /** Of the native transport: not authentic, replayed or malformed. */
  packetsRefused = 0;
  /** Of the native transport: from addresses that no check of a participant came from. */
  packetsForeign = 0;
  /** Of the native transport: unauthenticated, above the rate limits. */
  packetsThrottled = 0;
  /** Of the native transport: the kernel did not take them. */
  packetsUnsent = 0;
  tcpConnections = 0;
}
