import { PLAIN_PAYLOAD_OFFSET } from './outgoing-packet.ts';
import { Scratch } from './scratch.ts';

/** A section of the subscriber's SDP, and the id it gives the header extension that names sections. */
export interface NamedSection {
  mid: string;
  extensionId: number;
}

const ONE_BYTE = 0xbe;
const scratch = new Scratch();

/**
 * Names the SDP section of a stream in its packets (RFC 9143 section 15) until the subscriber's first report shows that
 * it knows the stream: packets may be there before the answer that tells of them. A stream without a name Firefox gives
 * for good to the only section that takes this payload type, and the stream's own section then stays silent.
 */
export class SectionName {
  #section: NamedSection | undefined;
  #isKnown = false;

  /** Begins anew where the section is another one. */
  set(section: NamedSection | undefined): void {
    if (section?.mid !== this.#section?.mid) this.#isKnown = false;
    this.#section = section;
  }

  /** The subscriber has told of the stream. */
  known(): void {
    this.#isKnown = true;
  }

  /**
   * The packet with the name behind what OutgoingPacket left room for; good until the next call. The packet itself
   * where none is needed, or where the name is too long for the four bytes it takes (browsers count sections).
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
