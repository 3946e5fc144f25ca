import { cstring } from './arena.ts';
import { bindings, callback } from './bindings.ts';
import { fingerprintOf, processCertificate } from './certificate.ts';
import { opensslResult } from './openssl-errors.ts';

const CTRL_MODE = 33;
const CTRL_SESSION_CACHE = 44;
const CTRL_GROUPS = 92;
const CTRL_MIN_VERSION = 123;
const DTLS_1_2 = 0xfefd;
const MODE_RELEASE_BUFFERS = 0x10;
const OPTIONS = 0x1000 | 0x4000 | 0x4000_0000; // no MTU query, no tickets, no renegotiation
const VERIFY_PEER = 1;
const VERIFY_FAIL_WITHOUT_CERTIFICATE = 2;

// Only AES-GCM: `dtls-records.ts` knows how short its records can be, and ChaCha20 is slower on servers.
const CIPHERS = [
  'ECDHE-ECDSA-AES128-GCM-SHA256',
  'ECDHE-RSA-AES128-GCM-SHA256',
  'ECDHE-ECDSA-AES256-GCM-SHA384',
  'ECDHE-RSA-AES256-GCM-SHA384',
].join(':');
const GROUPS = 'X25519:P-256:P-384';
const SRTP_PROFILES = 'SRTP_AEAD_AES_128_GCM:SRTP_AES128_CM_SHA1_80';

/** Of the session whose SSL call runs: OpenSSL checks the certificate inside it. */
let expectedFingerprint = '';

/** Names the certificate that the SSL calls after it accept. */
export function expectFingerprint(fingerprint: string): void {
  expectedFingerprint = fingerprint;
}

/** What all sessions of an engine share: certificate, ciphers, SRTP profiles. */
export class DtlsContext {
  /** SHA-256 of the certificate as in SDP: 'AB:CD:…'. */
  readonly fingerprint: string;
  /** OpenSSL's SSL_CTX; 0 after `free`. */
  pointer: number;

  private constructor(pointer: number, fingerprint: string) {
    this.pointer = pointer;
    this.fingerprint = fingerprint;
  }

  /** @throws Error if the native transport is not available, or OpenSSL refuses */
  static create(): DtlsContext {
    const { ssl } = bindings();
    const { x509, key, fingerprint } = processCertificate();
    ssl.ERR_clear_error();
    const pointer = opensslResult('SSL_CTX_new', ssl.SSL_CTX_new(ssl.DTLS_method()));
    opensslResult('DTLS 1.2', ssl.SSL_CTX_ctrl(pointer, CTRL_MIN_VERSION, DTLS_1_2, 0));
    ssl.SSL_CTX_ctrl(pointer, CTRL_SESSION_CACHE, 0, 0);
    ssl.SSL_CTX_ctrl(pointer, CTRL_MODE, MODE_RELEASE_BUFFERS, 0);
    ssl.SSL_CTX_set_options(pointer, OPTIONS);
    opensslResult('ciphers', ssl.SSL_CTX_set_cipher_list(pointer, strings().ciphers));
    opensslResult('groups', ssl.SSL_CTX_ctrl(pointer, CTRL_GROUPS, 0, strings().groups));
    opensslResult('certificate', ssl.SSL_CTX_use_certificate(pointer, x509));
    opensslResult('private key', ssl.SSL_CTX_use_PrivateKey(pointer, key));
    // This function, unlike the others, returns 0 for success.
    opensslResult('SRTP profiles', ssl.SSL_CTX_set_tlsext_use_srtp(pointer, strings().profiles) === 0 ? 1 : 0);
    // The chain of a self-signed certificate says nothing. Its fingerprint says whose it is, and CertificateVerify that
    // the peer has the key. Checked inside the handshake: later, the peer would already believe it is connected.
    ssl.SSL_CTX_set_verify(pointer, VERIFY_PEER | VERIFY_FAIL_WITHOUT_CERTIFICATE, 0);
    ssl.SSL_CTX_set_cert_verify_callback(pointer, verifyCallback(), 0);
    return new DtlsContext(pointer, fingerprint);
  }

  /** Sessions that are open keep what they need. */
  free(): void {
    if (this.pointer !== 0) bindings().ssl.SSL_CTX_free(this.pointer);
    this.pointer = 0;
  }
}

let kept: { ciphers: number; groups: number; profiles: number } | undefined;
function strings() {
  kept ??= { ciphers: cstring(CIPHERS), groups: cstring(GROUPS), profiles: cstring(SRTP_PROFILES) };
  return kept;
}

let verifyAddress = 0;
function verifyCallback(): number {
  if (verifyAddress === 0) {
    const { ssl } = bindings();
    const verify = (store: number): number =>
      expectedFingerprint !== '' && fingerprintOf(ssl.X509_STORE_CTX_get0_cert(store)) === expectedFingerprint ? 1 : 0;
    verifyAddress = callback(verify, 'int', ['uintptr_t', 'uintptr_t']);
  }
  return verifyAddress;
}
