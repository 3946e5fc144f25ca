import type { Client, contract } from '@rmeet/contract';
import { ApiError } from '../lib/api/error.ts';
import type { AckFailure } from '../lib/push/index.ts';
import type { MediaSession, Moved } from './media-types.ts';

type Api = Pick<Client<typeof contract.conferences>, 'goOver'>;

/** Takes the media of a call to the newest room of its conference, one move after the other. */
export class GoingOver {
  readonly #api: Api;
  readonly #meetId: string;
  /** Of the room the media is in, or on its way to. */
  #generation = Infinity;
  #moving: Promise<AckFailure | Moved | null> = Promise.resolve(null);

  constructor(api: Api, meetId: string) {
    this.#api = api;
    this.#meetId = meetId;
  }

  /** A new session begins with a token for this room. */
  begin(generation: number): void {
    this.#generation = generation;
    this.#moving = Promise.resolve(null);
  }

  /**
   * Goes over where the conference has a newer room; without a session the next one begins there. Resolves when it is
   * there.
   */
  follow(generation: number, session: MediaSession | null): Promise<AckFailure | Moved | null> {
    if (session === null || generation <= this.#generation) return this.#moving;
    this.#generation = generation;
    const moving = this.#moving.then(() => this.#go(session));
    const settle = (): void => {
      if (this.#moving === moving) this.#moving = Promise.resolve(null);
    };
    this.#moving = moving;
    moving.then(settle, settle);
    return moving;
  }

  /** Where it does not work out the old room ends before long, and a new session is entered. */
  async #go(session: MediaSession): Promise<AckFailure | Moved | null> {
    try {
      const admission = await this.#api.goOver({ params: { meetId: this.#meetId } });
      if (admission.state !== 'admitted') return 'failed';
      this.#generation = Math.max(this.#generation, admission.generation);
      return (await session.goOver(admission.url, admission.token)) ?? 'engineFailed';
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      return 'engineFailed';
    }
  }
}
