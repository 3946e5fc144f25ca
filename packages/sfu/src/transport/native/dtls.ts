/**
 * DTLS 1.2 with the extension use_srtp (RFC 6347, RFC 5764) by OpenSSL. Datagrams go in by `receive`, and come out by
 * the handler.
 *
 * All sessions share two memory BIOs, one per direction: what a call of OpenSSL writes is taken out before a handler
 * runs, and it reads all of a datagram at once. So a session needs no buffers of its own while it is idle.
 */
import { address, cstring, memory, reserve, view } from './arena.ts';
import { bindings, callback } from './bindings.ts';
import { type DtlsContext, expectFingerprint } from './dtls-context.ts';
import { DtlsRecordFilter } from './dtls-records.ts';
import { opensslErrors, opensslResult } from './openssl-errors.ts';
import { KEY_BYTES, type SrtpProfile, saltBytes } from './srtp-keys.ts';

export type { SrtpProfile } from './srtp-keys.ts';
export { DtlsContext } from './dtls-context.ts';

export interface SrtpKeying {
  profile: SrtpProfile;
  /** Master keys of 16 bytes, and salts of 12 (GCM) or 14 bytes. */
  localKey: Buffer;
  localSalt: Buffer;
  remoteKey: Buffer;
  remoteSalt: Buffer;
}

/** Events of a session. Handlers may call any method of any session. */
export interface DtlsHandler {
  /** One datagram, in the arena; valid during the call only. */
  send(at: number, length: number): void;
  connected(keying: SrtpKeying): void;
  /** One decrypted application record (SCTP packet), a view into the arena, valid during the call only. */
  data(packet: Buffer): void;
  /** The handshake failed, or the peer closed. Called at most once, and not after `close()`. */
  closed(reason: string): void;
}

/** Of handshake datagrams; paths with IPv6 and a tunnel carry it. */
const HANDSHAKE_MTU = 1200;
/** Of a datagram in either direction. */
const FRAME_BYTES = 2048;
/** A flight has at most six datagrams; handlers of one session may call another. */
const FRAMES = 64;
const MAX_WRITE_BYTES = FRAME_BYTES - 64;
const FIRST_TIMEOUT_US = 50_000;
const MAX_TIMEOUT_US = 2_000_000;

const CTRL_SET_MTU = 17;
const CTRL_GET_TIMEOUT = 73;
const CTRL_HANDLE_TIMEOUT = 74;
const WANT_READ = 2;
const ZERO_RETURN = 6;
const PROFILE_GCM = 7;
const KEYING_LABEL = 'EXTRACTOR-dtls_srtp';

/** A stack of frames: a function takes the one at `top`, and puts it back before it returns. */
const framesAt = reserve(FRAMES * FRAME_BYTES);
const framesEnd = framesAt + FRAMES * FRAME_BYTES;
const frameLengths = new Uint16Array(FRAMES);
let top = framesAt;
const smallAt = reserve(128);

interface Shared {
  /** Datagrams to and from OpenSSL. */
  input: number;
  output: number;
  timer: number;
  label: number;
}
let made: Shared | undefined;
function shared(): Shared {
  if (made !== undefined) return made;
  const { ssl } = bindings();
  const bio = () => opensslResult('BIO_new', ssl.BIO_new(ssl.BIO_s_dgram_mem()));
  // OpenSSL would wait a second at first, which is long for a call that is being set up.
  const next = (_session: number, us: number) => (us === 0 ? FIRST_TIMEOUT_US : Math.min(us * 2, MAX_TIMEOUT_US));
  const timer = callback(next, 'uint', ['uintptr_t', 'uint']);
  made = { input: bio(), output: bio(), timer, label: cstring(KEYING_LABEL) };
  return made;
}

export class DtlsSession {
  readonly #ssl = bindings().ssl;
  readonly #shared = shared();
  readonly #handler: DtlsHandler;
  readonly #isServer: boolean;
  readonly #fingerprint: string;
  readonly #records: DtlsRecordFilter;
  /** OpenSSL's SSL; 0 once closed. Look at it after each call of a handler. */
  #session: number;
  #isConnected = false;
  #timer: ReturnType<typeof setTimeout> | undefined;

  /**
   * @param options `fingerprint`: SHA-256 of the peer's certificate as in SDP
   * @throws Error if OpenSSL has no memory or the context is freed
   */
  constructor(context: DtlsContext, options: { isServer: boolean; fingerprint: string }, handler: DtlsHandler) {
    const ssl = this.#ssl;
    this.#handler = handler;
    this.#isServer = options.isServer;
    this.#fingerprint = options.fingerprint.toUpperCase();
    this.#records = new DtlsRecordFilter(options.isServer);
    if (context.pointer === 0) throw new Error('the DTLS context is freed');
    ssl.ERR_clear_error();
    this.#session = opensslResult('SSL_new', ssl.SSL_new(context.pointer));
    const { input, output, timer } = this.#shared;
    ssl.BIO_up_ref(input);
    ssl.BIO_up_ref(output);
    ssl.SSL_set_bio(this.#session, input, output);
    if (options.isServer) ssl.SSL_set_accept_state(this.#session);
    else ssl.SSL_set_connect_state(this.#session);
    ssl.SSL_ctrl(this.#session, CTRL_SET_MTU, HANDSHAKE_MTU, 0);
    ssl.DTLS_set_timer_cb(this.#session, timer);
  }

  get connected(): boolean {
    return this.#isConnected;
  }

  /** Records of the peer that were dropped before OpenSSL saw them. */
  get droppedRecords(): number {
    return this.#records.dropped;
  }

  /** The client sends its first flight; a server waits for it. */
  start(): void {
    if (!this.#isServer && this.#session !== 0 && !this.#isConnected) this.#advance();
  }

  /**
   * A datagram in the arena whose first byte is 20 to 63; only from an address that ICE verified. It may be changed.
   */
  receive(at: number, length: number): void {
    if (this.#session === 0 || length > FRAME_BYTES) return;
    const kept = this.#records.filter(at, length);
    if (kept === 0) return;
    if (this.#ssl.BIO_write(this.#shared.input, address(at, kept), kept) !== kept) return;
    this.#advance();
  }

  /**
   * Sends one SCTP packet as one record.
   *
   * @returns false while not connected, and for a packet that is empty or longer than 1,984 bytes
   */
  write(packet: Uint8Array): boolean {
    const { length } = packet;
    if (!this.#isConnected || this.#session === 0 || length === 0 || length > MAX_WRITE_BYTES) return false;
    if (top === framesEnd) return false;
    memory.set(packet, top);
    this.#ssl.ERR_clear_error();
    const written = this.#ssl.SSL_write(this.#session, address(top, length), length);
    this.#flush();
    return written === length;
  }

  /** Sends close_notify if connected, and frees the session. */
  close(): void {
    if (this.#session === 0) return;
    clearTimeout(this.#timer);
    const session = this.#session;
    this.#ssl.ERR_clear_error();
    if (this.#isConnected) this.#ssl.SSL_shutdown(session);
    // Before a handler runs: it may call `close`.
    this.#session = 0;
    this.#isConnected = false;
    this.#ssl.SSL_free(session);
    this.#flush();
  }

  /** Lets OpenSSL read the datagram that was written to the shared input, if any. */
  #advance(): void {
    try {
      if (!this.#isConnected) this.#handshake();
      while (this.#isConnected && this.#session !== 0) if (!this.#read()) break;
    } finally {
      // Of a session that ended before it read its datagram. Another session must not see it.
      this.#drain(this.#shared.input);
    }
    if (this.#session !== 0) {
      if (this.#isConnected) this.#ssl.SSL_free_buffers(this.#session);
      else this.#schedule();
    }
  }

  #handshake(): void {
    const ssl = this.#ssl;
    ssl.ERR_clear_error();
    expectFingerprint(this.#fingerprint);
    const result = ssl.SSL_do_handshake(this.#session);
    if (result === 1) {
      const keying = this.#keying();
      if (keying === undefined) return this.#end('no SRTP profile in common');
      clearTimeout(this.#timer);
      this.#isConnected = true;
      this.#records.connected = true;
      this.#flush();
      // A handler of `send` may have closed.
      if (this.#session !== 0) this.#handler.connected(keying);
    } else if (ssl.SSL_get_error(this.#session, result) === WANT_READ) this.#flush();
    else this.#end(`handshake failed: ${opensslErrors()}`);
  }

  /** Reads one record. False: there is none, or the session ended. */
  #read(): boolean {
    const ssl = this.#ssl;
    const at = top;
    if (at === framesEnd) return false;
    ssl.ERR_clear_error();
    const count = ssl.SSL_read(this.#session, address(at, FRAME_BYTES), FRAME_BYTES);
    if (count <= 0) {
      const reason = ssl.SSL_get_error(this.#session, count);
      if (reason === WANT_READ) this.#flush();
      else this.#end(reason === ZERO_RETURN ? 'closed by the peer' : `read failed: ${opensslErrors()}`);
      return false;
    }
    top = at + FRAME_BYTES;
    try {
      this.#handler.data(memory.subarray(at, at + count));
    } finally {
      top = at;
    }
    return true;
  }

  /** Ends the session for a reason that is not ours; an alert of OpenSSL's goes out with it. */
  #end(reason: string): void {
    this.close();
    this.#handler.closed(reason);
  }

  #keying(): SrtpKeying | undefined {
    const ssl = this.#ssl;
    // struct { const char *name; unsigned long id; }
    const chosen = ssl.SSL_get_selected_srtp_profile(this.#session);
    if (chosen === 0) return undefined;
    bindings().libc.memcpy(address(smallAt, 16), chosen, 16);
    const profile = view.getUint8(smallAt + 8) === PROFILE_GCM ? 'AES_128_GCM' : 'AES_128_CM_SHA1_80';
    const salt = saltBytes(profile);
    const total = 2 * (KEY_BYTES + salt);
    const label = this.#shared.label;
    const at = address(smallAt, total);
    const { length } = KEYING_LABEL;
    if (ssl.SSL_export_keying_material(this.#session, at, total, label, length, 0, 0, 0) !== 1) return undefined;
    let from = smallAt;
    const take = (bytes: number): Buffer => {
      from += bytes;
      return Buffer.from(memory.subarray(from - bytes, from));
    };
    // RFC 5764 section 4.2
    const [clientKey, serverKey, clientSalt, serverSalt] = [take(KEY_BYTES), take(KEY_BYTES), take(salt), take(salt)];
    memory.fill(0, smallAt, smallAt + total);
    const server = { localKey: serverKey, localSalt: serverSalt, remoteKey: clientKey, remoteSalt: clientSalt };
    const client = { localKey: clientKey, localSalt: clientSalt, remoteKey: serverKey, remoteSalt: serverSalt };
    return { profile, ...(this.#isServer ? server : client) };
  }

  /** Sends what OpenSSL wrote. All of it is taken out first: a handler may call another session. */
  #flush(): void {
    const { output } = this.#shared;
    const ssl = this.#ssl;
    const first = top;
    try {
      for (;;) {
        if (top === framesEnd) {
          this.#drain(output);
          break;
        }
        const count = ssl.BIO_read(output, address(top, FRAME_BYTES), FRAME_BYTES);
        if (count <= 0) break;
        if (top > first && joins(top, count)) continue;
        frameLengths[(top - framesAt) / FRAME_BYTES] = count;
        top += FRAME_BYTES;
      }
      const end = top;
      for (let at = first; at < end; at += FRAME_BYTES) {
        this.#handler.send(at, frameLengths[(at - framesAt) / FRAME_BYTES]!);
      }
    } finally {
      top = first;
    }
  }

  /** Discards what is left in a BIO. */
  #drain(bio: number): void {
    while (this.#ssl.BIO_read(bio, address(discardAt, FRAME_BYTES), FRAME_BYTES) > 0);
  }

  /** OpenSSL counts the time of a flight; this only wakes it. */
  #schedule(): void {
    clearTimeout(this.#timer);
    if (this.#ssl.SSL_ctrl(this.#session, CTRL_GET_TIMEOUT, 0, address(smallAt, 16)) !== 1) return;
    // struct timeval of two 64-bit numbers
    const ms = view.getUint32(smallAt, true) * 1000 + view.getUint32(smallAt + 8, true) / 1000;
    this.#timer = setTimeout(() => this.#retransmit(), Math.ceil(ms) + 1);
  }

  #retransmit(): void {
    if (this.#session === 0 || this.#isConnected) return;
    this.#ssl.ERR_clear_error();
    const result = this.#ssl.SSL_ctrl(this.#session, CTRL_HANDLE_TIMEOUT, 0, 0);
    if (result < 0) return this.#end('handshake timed out');
    this.#flush();
    if (this.#session !== 0) this.#schedule();
  }
}

const discardAt = reserve(FRAME_BYTES);

/**
 * Appends the records in the frame `at` to the datagram before it, if there is room: OpenSSL retransmits each message
 * in a datagram of its own, which makes loss of one likelier.
 */
function joins(at: number, bytes: number): boolean {
  const before = at - FRAME_BYTES;
  const index = (before - framesAt) / FRAME_BYTES;
  const length = frameLengths[index]!;
  if (length + bytes > HANDSHAKE_MTU) return false;
  memory.copyWithin(before + length, at, at + bytes);
  frameLengths[index] = length + bytes;
  return true;
}
