/**
 * The state cookie (RFC 9260, section 5.1.3): what an INIT said, signed, so that an INIT makes no state. The secret
 * lives as long as the process.
 */
import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';

/** What an INIT or INIT ACK says. */
export interface PeerInit {
  readonly tag: number;
  readonly windowBytes: number;
  readonly outgoingStreams: number;
  readonly incomingStreams: number;
  readonly initialTsn: number;
  readonly partialReliability: boolean;
  readonly reconfiguration: boolean;
  readonly interleaving: boolean;
}

const SIGNATURE_BYTES = 32;
const BODY_BYTES = 36;
const COOKIE_BYTES = BODY_BYTES + SIGNATURE_BYTES;
/** Valid.Cookie.Life of RFC 9260, section 16. */
const LIFETIME_MS = 60_000;

const secret = randomBytes(32);

function sign(body: Buffer): Buffer {
  return createHmac('sha256', secret).update(body).digest();
}

/** `ownTag` binds the cookie to one association. */
export function makeCookie(ownTag: number, peer: PeerInit, now: number): Buffer {
  const cookie = Buffer.alloc(COOKIE_BYTES);
  cookie.writeDoubleBE(now, 0);
  cookie.writeUInt32BE(ownTag, 8);
  cookie.writeUInt32BE(peer.tag, 12);
  cookie.writeUInt32BE(peer.windowBytes, 16);
  cookie.writeInt32BE(peer.initialTsn, 20);
  cookie.writeUInt16BE(peer.outgoingStreams, 24);
  cookie.writeUInt16BE(peer.incomingStreams, 26);
  cookie[28] = (peer.partialReliability ? 1 : 0) | (peer.reconfiguration ? 2 : 0) | (peer.interleaving ? 4 : 0);
  sign(cookie.subarray(0, BODY_BYTES)).copy(cookie, BODY_BYTES);
  return cookie;
}

/** What the INIT of the peer said, stale after 60 s; undefined for a cookie that is not ours. */
export function readCookie(
  cookie: Buffer,
  ownTag: number,
  now: number,
): { init: PeerInit; isStale: boolean } | undefined {
  if (cookie.length !== COOKIE_BYTES || cookie.readUInt32BE(8) !== ownTag) {
    return undefined;
  }
  const body = cookie.subarray(0, BODY_BYTES);
  if (!timingSafeEqual(sign(body), cookie.subarray(BODY_BYTES))) {
    return undefined;
  }
  const abilities = body.readUInt8(28);
  const init = {
    tag: body.readUInt32BE(12),
    windowBytes: body.readUInt32BE(16),
    initialTsn: body.readInt32BE(20),
    outgoingStreams: body.readUInt16BE(24),
    incomingStreams: body.readUInt16BE(26),
    partialReliability: (abilities & 1) !== 0,
    reconfiguration: (abilities & 2) !== 0,
    interleaving: (abilities & 4) !== 0,
  };
  return { init, isStale: now - body.readDoubleBE(0) > LIFETIME_MS };
}
