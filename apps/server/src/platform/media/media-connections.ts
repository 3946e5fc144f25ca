import type { Socket } from 'node:net';
import type { ConnectionTaker } from '../http/server/first-bytes.ts';
import { processOfTag } from '../process/process-tag.ts';

/** The first frame is a connectivity check, which fits in a packet of this size (RFC 8489, section 6.1). */
const MOST_FRAME = 548;
const FRAME_HEADER = 2;
const STUN_HEADER = 20;
const BINDING_REQUEST = 0x0001;
const MAGIC_COOKIE = 0x2112a442;
const USERNAME = 0x0006;

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
  if (length < STUN_HEADER || length > MOST_FRAME) return false;
  if (head.length >= 4 && head.readUInt16BE(2) !== BINDING_REQUEST) return false;
  if (head.length >= 10 && head.readUInt32BE(6) !== MAGIC_COOKIE) return false;
  return head.length >= FRAME_HEADER + length ? true : undefined;
}

/**
 * The user name of this side in the first check of a connection: the part before the colon (RFC 8445, section 7.2.2).
 * Undefined if there is none.
 */
export function calledUfrag(head: Buffer): string | undefined {
  const end = FRAME_HEADER + head.readUInt16BE(0);
  for (let at = FRAME_HEADER + STUN_HEADER; at + 4 <= end;) {
    const [type, length] = [head.readUInt16BE(at), head.readUInt16BE(at + 2)];
    if (at + 4 + length > end) return undefined;
    if (type === USERNAME) {
      const name = head.toString('latin1', at + 4, at + 4 + length);
      const colon = name.indexOf(':');
      return colon > 0 ? name.slice(0, colon) : undefined;
    }
    at += 4 + ((length + 3) & ~3);
  }
  return undefined;
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
