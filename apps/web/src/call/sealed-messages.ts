import type { ChatMessage } from '@rmeet/contract';
import { ChatCipher, type SealedAs } from './chat-cipher.ts';

/** A chat message for the user; `unreadable` if it was encrypted with another key. */
export type ReadableMessage = ChatMessage & { unreadable?: true };

/** The messages of an end-to-end encrypted conference, decrypted once each. */
export class SealedMessages {
  readonly #onOpened: () => void;
  #cipher: ChatCipher;
  /** Texts by message id; null if the key is wrong. */
  #texts = new Map<string, string | null>();
  readonly #opening = new Set<string>();

  /** `onOpened` is called when further messages can be read. */
  constructor(key: string, onOpened: () => void) {
    this.#cipher = new ChatCipher(key);
    this.#onOpened = onOpened;
  }

  /** Decrypts everything again with another key. */
  rekey(key: string): void {
    this.#cipher = new ChatCipher(key);
    this.#texts = new Map();
    this.#onOpened();
  }

  async seal(text: string, as: SealedAs): Promise<string> {
    const sealed = await this.#cipher.seal(text, as);
    this.#texts.set(as.id, text);
    return sealed;
  }

  /** The messages that have been decrypted so far; the others follow, see `onOpened`. */
  read(messages: readonly ChatMessage[]): ReadableMessage[] {
    return messages.flatMap((message): ReadableMessage[] => {
      if (message.deleted === true) return [message];
      const text = this.#texts.get(message.id);
      if (text === undefined) {
        void this.#open(message);
        return [];
      }
      return [text === null ? { ...message, text: '', unreadable: true } : { ...message, text }];
    });
  }

  async #open(message: ChatMessage): Promise<void> {
    if (this.#opening.has(message.id)) return;
    this.#opening.add(message.id);
    const [cipher, texts] = [this.#cipher, this.#texts];
    texts.set(message.id, await cipher.open(message.text, message));
    this.#opening.delete(message.id);
    // Otherwise with a key that is no longer in use.
    if (texts === this.#texts) this.#onOpened();
    else await this.#open(message);
  }
}
