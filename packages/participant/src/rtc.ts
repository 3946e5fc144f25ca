/** The parts below the participant, for peers that speak other signalling than LiveKit's. */
export type { LocalTrack } from './local-track.ts';
export { rawPublication, type RawOptions } from './publication.ts';
export { RemoteTrack } from './remote-track.ts';
export { readRtcp } from './rtcp.ts';
export { parseSdp, publisherOffer, readTransport, subscriberAnswer } from './sdp.ts';
export { Transport } from './transport.ts';
