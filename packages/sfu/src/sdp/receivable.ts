import type { CodecName } from '@rmeet/rtp';
import { extensionId, extensionUris, type MediaSection, redFormat, rtxFormats, usableFormats } from '@rmeet/rtp/sdp';
import type { NamedSection } from '../forwarding/section-name.ts';

/** What a peer can receive in one of its sections: payload types by codec, and ids of header extensions. */
export interface ReceivableSection {
  payloadTypes: ReadonlyMap<CodecName, number>;
  /** Payload types of retransmissions (RFC 4588), by that of the media. */
  rtx: ReadonlyMap<number, number>;
  /** Payload type of redundant audio (RED, RFC 2198); 0 for none. */
  red: number;
  descriptorId: number;
  transportId: number;
  section: NamedSection;
}

/** What can be sent in a section of a peer's offer or answer. */
export function receivable(section: MediaSection): ReceivableSection {
  return {
    payloadTypes: new Map(usableFormats(section).map(({ codec, payloadType }) => [codec, payloadType])),
    rtx: new Map([...rtxFormats(section)].map(([repeats, { payloadType }]) => [repeats, payloadType])),
    red: redFormat(section)?.payloadType ?? 0,
    descriptorId: extensionId(section, extensionUris.dependencyDescriptor),
    transportId: extensionId(section, extensionUris.transportSequence),
    section: { mid: section.mid, extensionId: extensionId(section, extensionUris.mid) },
  };
}
