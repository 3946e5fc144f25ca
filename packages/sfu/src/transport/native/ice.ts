import { randomBytes } from 'node:crypto';

/** One side's short-term credential (RFC 8445 section 5.3). */
export interface IceCredentials {
  iceUfrag: string;
  icePwd: string;
}

/** New credentials: 48 random bits name the peer among all of the process, 128 are the password. */
export function newCredentials(prefix: string): IceCredentials {
  return { iceUfrag: `${prefix}${randomBytes(6).toString('hex')}`, icePwd: randomBytes(16).toString('hex') };
}

/**
 * The credentials of a connection, also across ICE restarts: those from before one are accepted until the first check
 * with the new ones (RFC 8445 section 9).
 */
export class IceSession {
  #local: IceCredentials;
  #before: { local: IceCredentials; remoteUfrag: string | undefined } | undefined;
  #remoteUfrag: string | undefined;

  constructor(local: IceCredentials) {
    this.#local = local;
  }

  get local(): IceCredentials {
    return this.#local;
  }

  /** Our user name fragments that a check may name. */
  get ufrags(): string[] {
    const { iceUfrag } = this.#local;
    return this.#before ? [iceUfrag, this.#before.local.iceUfrag] : [iceUfrag];
  }

  /** The peer's description is known: from now on its checks are accepted. */
  setRemote(ufrag: string): void {
    this.#remoteUfrag = ufrag;
  }

  /** Starts again with new credentials. Returns the user name fragment that is no longer accepted, if any. */
  restart(local: IceCredentials, remoteUfrag: string | undefined): string | undefined {
    // a restart that the peer has not seen is replaced: those in use are the ones before it
    const isUnseen = this.#before !== undefined && this.#remoteUfrag === undefined;
    const dropped = isUnseen ? this.#local.iceUfrag : this.#before?.local.iceUfrag;
    if (!isUnseen) this.#before = { local: this.#local, remoteUfrag: this.#remoteUfrag };
    this.#local = local;
    this.#remoteUfrag = remoteUfrag;
    return dropped;
  }

  /** The password for a check with this user name; undefined if it is not accepted. */
  passwordFor(localUfrag: string, remoteUfrag: string): string | undefined {
    if (localUfrag === this.#local.iceUfrag) return remoteUfrag === this.#remoteUfrag ? this.#local.icePwd : undefined;
    const before = this.#before;
    if (localUfrag !== before?.local.iceUfrag || remoteUfrag !== before.remoteUfrag) return undefined;
    return before.local.icePwd;
  }

  /** A check was authentic. Returns the user name fragment that is no longer accepted, if any. */
  confirm(localUfrag: string): string | undefined {
    if (!this.#before || localUfrag !== this.#local.iceUfrag) return undefined;
    const dropped = this.#before.local.iceUfrag;
    this.#before = undefined;
    return dropped;
  }
}
