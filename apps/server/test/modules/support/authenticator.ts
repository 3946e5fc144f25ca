import { createHash, generateKeyPairSync, randomBytes, sign, type KeyObject } from 'node:crypto';
import type { CreatedPasskey, PasskeyCreationOptions, PasskeyRequestOptions, UsedPasskey } from '@rmeet/contract';

const sha256 = (data: Buffer | string): Buffer => createHash('sha256').update(data).digest();

/** CBOR (RFC 8949 section 3): the head of an item, by its major type and its length or value. */
function head(major: number, value: number): Buffer {
  if (value < 24) return Buffer.from([(major << 5) | value]);
  if (value < 256) return Buffer.from([(major << 5) | 24, value]);
  return Buffer.from([(major << 5) | 25, value >> 8, value & 255]);
}
const cborText = (text: string): Buffer => Buffer.concat([head(3, text.length), Buffer.from(text)]);
const cborBytes = (bytes: Buffer): Buffer => Buffer.concat([head(2, bytes.length), bytes]);
const cborNumber = (n: number): Buffer => (n < 0 ? head(1, -1 - n) : head(0, n));
const cborMap = (...items: Buffer[]): Buffer => Buffer.concat([head(5, items.length / 2), ...items]);

/** Flags of authenticator data (Web Authentication Level 3 section 6.1). */
const PRESENT = 0x01;
const VERIFIED = 0x04;
const CAN_BE_BACKED_UP = 0x08;
const BACKED_UP = 0x10;
const HAS_CREDENTIAL = 0x40;

interface Key {
  id: string;
  privateKey: KeyObject;
  rpId: string;
  handle: string;
}

export interface Ceremony {
  /** The page that asks; the default is the right one. */
  origin?: string;
  /** Whether the device verifies the person. */
  isVerified?: boolean;
  isBackedUp?: boolean;
  /** The challenge that is signed instead of that of the options. */
  challenge?: string;
  rpId?: string;
  handle?: string | null;
}

/** An authenticator and its browser in software: EC P-256, self-made CBOR, real signatures. */
export class Authenticator {
  readonly keys: Key[] = [];
  counter = 0;
  /** Whether signatures are counted. */
  readonly #counts: boolean;
  readonly #origin: string;

  constructor(origin: string, { counts = true }: { counts?: boolean } = {}) {
    this.#origin = origin;
    this.#counts = counts;
  }

  #authData(rpId: string, { isVerified = true, isBackedUp = false }: Ceremony, credential?: Buffer): Buffer {
    if (this.#counts) this.counter += 1;
    const flags =
      PRESENT |
      (isVerified ? VERIFIED : 0) |
      (isBackedUp ? CAN_BE_BACKED_UP | BACKED_UP : 0) |
      (credential ? HAS_CREDENTIAL : 0);
    const counter = Buffer.alloc(4);
    counter.writeUInt32BE(this.counter);
    return Buffer.concat([sha256(rpId), Buffer.from([flags]), counter, credential ?? Buffer.alloc(0)]);
  }

  #clientData(type: string, challenge: string, { origin = this.#origin, ...other }: Ceremony): Buffer {
    return Buffer.from(JSON.stringify({ type, challenge: other.challenge ?? challenge, origin, crossOrigin: false }));
  }

  /** What `navigator.credentials.create` answers. */
  create(options: PasskeyCreationOptions, ceremony: Ceremony = {}): CreatedPasskey {
    const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    const { x = '', y = '' } = publicKey.export({ format: 'jwk' });
    const raw = randomBytes(32);
    const id = raw.toString('base64url');
    const rpId = ceremony.rpId ?? options.rp.id;
    this.keys.push({ id, privateKey, rpId: options.rp.id, handle: options.user.id });
    // RFC 9053 section 7.1: kty EC2, alg ES256, curve P-256, x, y.
    const kind = [1, 2, 3, -7, -1, 1].map(cborNumber);
    const [atX, atY] = [cborBytes(Buffer.from(x, 'base64url')), cborBytes(Buffer.from(y, 'base64url'))];
    const cose = cborMap(...kind, cborNumber(-2), atX, cborNumber(-3), atY);
    const credential = Buffer.concat([Buffer.alloc(16), Buffer.from([0, raw.length]), raw, cose]);
    const authData = this.#authData(rpId, ceremony, credential);
    const format = ['fmt', 'none', 'attStmt'].map(cborText);
    const attestation = cborMap(...format, cborMap(), cborText('authData'), cborBytes(authData));
    return {
      id,
      rawId: id,
      type: 'public-key',
      response: {
        clientDataJSON: this.#clientData('webauthn.create', options.challenge, ceremony).toString('base64url'),
        attestationObject: attestation.toString('base64url'),
        transports: ['internal'],
      },
    };
  }

  /** What `navigator.credentials.get` answers, by the newest key, or by a given one. */
  get(options: PasskeyRequestOptions, ceremony: Ceremony = {}, key = this.keys.at(-1)): UsedPasskey {
    if (!key) throw new Error('This authenticator has no key.');
    const authData = this.#authData(ceremony.rpId ?? key.rpId, ceremony);
    const clientData = this.#clientData('webauthn.get', options.challenge, ceremony);
    const signature = sign('sha256', Buffer.concat([authData, sha256(clientData)]), key.privateKey);
    const handle = ceremony.handle === undefined ? key.handle : ceremony.handle;
    return {
      id: key.id,
      rawId: key.id,
      type: 'public-key',
      response: {
        clientDataJSON: clientData.toString('base64url'),
        authenticatorData: authData.toString('base64url'),
        signature: signature.toString('base64url'),
        ...(handle === null ? {} : { userHandle: handle }),
      },
    };
  }
}
