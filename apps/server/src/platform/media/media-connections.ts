import type { Socket } from 'node:net';
import { BINDING_REQUEST, BindingRequest, MAGIC_COOKIE, STUN_HEADER_BYTES } from '@rmeet/sfu/stun';
import type { ConnectionTaker } from '../http/server/first-bytes.ts';
import { processOfTag } from '../process/process-tag.ts';

/** The first frame is a connectivity check, which fits in a packet of this size (RFC 8489, section 6.1). */
const MOST_FRAME = 548;
const FRAME_HEADER = 2;

/** What became of media connections on the web port. */
interface HandedConnections {
  handed: number;
  refused: number;
}

/** Passes a connection with what was read of it to a media process; false if that is not possible. */
type PassOn = (process: number, socket: Socket, head: Buffer) => boolean;

/**
 * Whether a connection is one for media: its first frame (RFC 4571, section 2) is a binding request of STUN (RFC 8489,
 * section 5). No HTTP method and no record of TLS begins with these bytes. Undefined while bytes are missing.
 */
export function isMediaConnection(head: Buffer): boolean | undefined {
  if (head.length === 0) return undefined;
  if (head[0]! > MOST_FRAME >> 8) return false;
  if (head.length < FRAME_HEADER) return undefined;
  const length = head.readUInt16BE(0);
  if (length < STUN_HEADER_BYTES || length > MOST_FRAME) return false;
  if (head.length >= 4 && head.readUInt16BE(2) !== BINDING_REQUEST) return false;
  if (head.length >= 10 && head.readUInt32BE(6) !== MAGIC_COOKIE) return false;
  return head.length >= FRAME_HEADER + length ? true : undefined;
}

/**
 * The user name of this side in the first check of a connection (RFC 8445, section 7.2.2); undefined if it is no check
 * of ICE. Whether the check is authentic, only the media process can tell.
 */
export function calledUfrag(head: Buffer): string | undefined {
  const check = new BindingRequest(head);
  return check.read(FRAME_HEADER, head.readUInt16BE(0)) ? check.localUfrag : undefined;
}

/** Media connections that reach the web port, for the media process whose tag the called user name begins with. */
export class MediaConnections implements ConnectionTaker {
  readonly #processes: number;
  readonly #passOn: PassOn;
  readonly #counts: HandedConnections = { handed: 0, refused: 0 };

  constructor(processes: number, passOn: PassOn) {
    this.#processes = processes;
    this.#passOn = passOn;
  }

  get counts(): Readonly<HandedConnections> {
    return this.#counts;
  }

  recognizes(head: Buffer): boolean | undefined {
    return isMediaConnection(head);
  }

  take(socket: Socket, head: Buffer): void {
    const index = processOfTag(calledUfrag(head) ?? '');
    if (index !== undefined && index < this.#processes && this.#passOn(index, socket, head)) {
      this.#counts.handed += 1;
      return;
    }
    this.#counts.refused += 1;
    socket.destroy();
  }
}
