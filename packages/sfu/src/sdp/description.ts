import { readDescription, type Description } from '@rmeet/rtp/sdp';
import { limits } from '../limits.ts';

/** Reads an offer or answer of a client, within the limits on clients. @throws SdpError */
export function readClientDescription(sdp: string): Description {
  return readDescription(sdp, { bytes: limits.sdpBytes, sections: limits.mediaSections, rids: limits.layersPerTrack });
}
