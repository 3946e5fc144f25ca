import type { Client, contract } from '@rmeet/contract';
import { ApiError } from '../lib/api/error.ts';
import type { AckFailure } from '../lib/push/index.ts';
import type { MediaSession, MigrationResult } from './media-types.ts';

type Api = Pick<Client<typeof contract.conferences>, 'migrate'>;

/** Migrates the media of a call to the newest room of its conference, one migration after the other. */
export class RoomMigration {
  readonly #api: Api;
  readonly #meetId: string;
  /** Generation of the room that the media is in or is migrating to. */
  #generation = Infinity;
  #moving: Promise<AckFailure | MigrationResult | null> = Promise.resolve(null);

  constructor(api: Api, meetId: string) {
    this.#api = api;
    this.#meetId = meetId;
  }

  /** Sets the room that a new session starts in. */
  begin(generation: number): void {
    this.#generation = generation;
    this.#moving = Promise.resolve(null);
  }

  /** Migrates if the conference has a newer room; without a session, the next one starts there. Resolves when done. */
  follow(generation: number, session: MediaSession | null): Promise<AckFailure | MigrationResult | null> {
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

  /** If this fails, the old room ends soon, and a new session is opened. */
  async #go(session: MediaSession): Promise<AckFailure | MigrationResult | null> {
    try {
      const admission = await this.#api.migrate({ params: { meetId: this.#meetId } });
      if (admission.state !== 'admitted') return 'failed';
      this.#generation = Math.max(this.#generation, admission.generation);
      return (await session.migrate(admission.url, admission.token)) ?? 'engineFailed';
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      return 'engineFailed';
    }
  }
}
