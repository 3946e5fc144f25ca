import { ENCRYPTED_TEXT_PREFIX, isEncryptedText, type ChatMessage } from '@rmeet/contract';
import { fromBase64Url, toBase64Url } from '../lib/meetingKeys.ts';

const NONCE_BYTES = 12;
const utf8 = new TextEncoder();

/** What a chat text is bound to: it cannot be shown as another message, or as one of another person. */
export type SealedAs = Pick<ChatMessage, 'id' | 'termId'>;

/** Derives a key for one purpose from the key of a meeting, so that no purpose reveals anything about another. */
async function deriveFrom(key: string, purpose: string): Promise<{ material: CryptoKey; parameters: HkdfParams }> {
  const material = await crypto.subtle.importKey('raw', fromBase64Url(key), 'HKDF', false, ['deriveKey', 'deriveBits']);
  return {
    material,
    parameters: { name: 'HKDF', hash: 'SHA-256', salt: new Uint8Array(32), info: utf8.encode(`rmeet ${purpose}`) },
  };
}

/** Encrypts and decrypts chat texts with a key that is derived from the key of the meeting (AES-GCM). */
export class ChatCipher {
  readonly #key: Promise<CryptoKey>;

  constructor(meetingKey: string) {
    this.#key = deriveFrom(meetingKey, 'chat').then(({ material, parameters }) =>
      crypto.subtle.deriveKey(parameters, material, { name: 'AES-GCM', length: 256 }, false, ['encrypt', 'decrypt']),
    );
  }

  async seal(text: string, as: SealedAs): Promise<string> {
    const nonce = crypto.getRandomValues(new Uint8Array(NONCE_BYTES));
    const sealed = await crypto.subtle.encrypt(parametersOf(nonce, as), await this.#key, utf8.encode(text));
    return ENCRYPTED_TEXT_PREFIX + toBase64Url(new Uint8Array([...nonce, ...new Uint8Array(sealed)]));
  }

  /** Null if it was encrypted with another key, was changed, or is not encrypted. */
  async open(text: string, as: SealedAs): Promise<string | null> {
    if (!isEncryptedText(text)) return null;
    try {
      const bytes = fromBase64Url(text.slice(ENCRYPTED_TEXT_PREFIX.length));
      const parameters = parametersOf(bytes.slice(0, NONCE_BYTES), as);
      const opened = await crypto.subtle.decrypt(parameters, await this.#key, bytes.slice(NONCE_BYTES));
      return new TextDecoder().decode(opened);
    } catch {
      return null;
    }
  }
}

function parametersOf(iv: Uint8Array<ArrayBuffer>, { id, termId }: SealedAs): AesGcmParams {
  return { name: 'AES-GCM', iv, additionalData: utf8.encode(`${id} ${termId}`) };
}

/** Digits that participants can compare by voice: they are equal if the keys are, and do not reveal the key. */
export async function securityCode(meetingKey: string): Promise<string> {
  const { material, parameters } = await deriveFrom(meetingKey, 'security code');
  const bits = new Uint16Array(await crypto.subtle.deriveBits(parameters, material, 64));
  return Array.from(bits, (group) => String(group).padStart(5, '0')).join(' ');
}
