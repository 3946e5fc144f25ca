import { PLAIN_PAYLOAD_OFFSET } from './outgoing-packet.ts';
import { Scratch } from './scratch.ts';

/** A section of the subscriber's SDP, and the id of the mid header extension in it. */
export interface NamedSection {
  mid: string;
  extensionId: number;
}

const ONE_BYTE = 0xbe;
const scratch = new Scratch();

/**
 * Adds the mid of the SDP section to the packets of a stream (RFC 9143 section 15) until the subscriber's first report
 * shows that it knows the stream: packets may arrive before the answer that describes them. Firefox assigns a stream
 * without mid for good to the only section with this payload type, and the stream's own section then stays silent.
 */
export class SectionName {
  #section: NamedSection | undefined;
  #isKnown = false;

  /** Starts again if the section is another one. */
  set(section: NamedSection | undefined): void {
    if (section?.mid !== this.#section?.mid) this.#isKnown = false;
    this.#section = section;
  }

  /** The subscriber has reported on the stream. */
  known(): void {
    this.#isKnown = true;
  }

  /**
   * The packet with the mid after the reserved bytes of OutgoingPacket; valid until the next call. Returns the packet
   * itself if no mid is needed, or if it is too long for the four bytes (browsers number their sections).
   */
  addTo(packet: Buffer): Buffer {
    const section = this.#section;
    if (this.#isKnown || section === undefined) return packet;
    const { mid, extensionId: id } = section;
    const isOneByte = packet[12] === ONE_BYTE;
    if (id === 0 || mid.length > (isOneByte ? 3 : 2) || (isOneByte && id > 14)) return packet;
    const named = scratch.view(packet.length + 4);
    packet.copy(named, 0, 0, PLAIN_PAYLOAD_OFFSET);
    named.writeUInt16BE(packet.readUInt16BE(14) + 1, 14);
    named.fill(0, PLAIN_PAYLOAD_OFFSET, PLAIN_PAYLOAD_OFFSET + 4);
    const start = PLAIN_PAYLOAD_OFFSET;
    if (isOneByte) named[start] = (id << 4) | (mid.length - 1);
    else named.set([id, mid.length], start);
    named.write(mid, isOneByte ? start + 1 : start + 2, 'latin1');
    packet.copy(named, PLAIN_PAYLOAD_OFFSET + 4, PLAIN_PAYLOAD_OFFSET);
    return named;
  }
}
