/** The parts below the participant, for peers with other signalling than LiveKit's. */
export type { LocalTrack } from './local-track.ts';
export { audioPublication, rawPublication, videoPublication } from './publication.ts';
export { RemoteTrack } from './remote-track.ts';
export { publisherOffer, readTransport, type TransportDescription } from './sdp.ts';
export { Subscriber } from './subscriber.ts';
export { Transport } from './transport.ts';
/** LiveKit's messages, for peers that assemble their own. */
export * as protocol from '@livekit/protocol';
