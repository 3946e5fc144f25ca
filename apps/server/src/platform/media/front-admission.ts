import { setTimeout as delay } from 'node:timers/promises';
import type { Log } from '../log/log.ts';
import type { Entrance } from './room-of.ts';

/** A slower guard is not waited for: calls continue while the database is away. */
const GUARD_TIMEOUT = 2_000;
/** The engine's response to a rejected token. It is final for LiveKit's clients, which then request a new token. */
export const NOT_ADMITTED = 'this token opens the room no more';

/** Whether an identity may be in a room now, whatever their access token says. */
export type AdmissionGuard = (room: string, identity: string) => Promise<boolean>;

/** Checks connections against the guard, if one was set. A guard that fails admits: the reconciler removes others. */
export class Admission {
  readonly #log: Log;
  #guard: AdmissionGuard = () => Promise.resolve(true);

  constructor(log: Log) {
    this.#log = log;
  }

  setGuard(guard: AdmissionGuard): void {
    this.#guard = guard;
  }

  /** A token that the engine did not sign is left to the engine to reject. */
  async isAdmitted({ room, identity }: Entrance): Promise<boolean> {
    if (room === undefined) return true;
    const late = new AbortController();
    try {
      return await Promise.race([this.#guard(room, identity), delay(GUARD_TIMEOUT, true, { signal: late.signal })]);
    } catch (error) {
      this.#log.debug({ error }, 'The admission guard failed');
      return true;
    } finally {
      late.abort();
    }
  }
}
