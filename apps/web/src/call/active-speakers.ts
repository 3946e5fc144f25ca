import { SILENCE, keepSpeakers, tickSpeakers, updateSpeakers, type SpeakerState } from '@rmeet/conference';

/** Milliseconds between updates while someone speaks. */
const TICK = 400;

/** Tracks the active speakers over time; `onChange` receives every new state. */
export class ActiveSpeakers {
  readonly #onChange: (speakers: SpeakerState) => void;
  #state = SILENCE;
  #timer: ReturnType<typeof setInterval> | undefined;

  constructor(onChange: (speakers: SpeakerState) => void) {
    this.#onChange = onChange;
  }

  get state(): SpeakerState {
    return this.#state;
  }

  /** Takes the engine's current speakers, loudest first. */
  heard(termIds: readonly string[]): void {
    this.#set(updateSpeakers(this.#state, termIds, Date.now()));
    clearInterval(this.#timer);
    if (termIds.length > 0) this.#timer = setInterval(() => this.#set(tickSpeakers(this.#state, Date.now())), TICK);
  }

  /** Drops speakers that have left. */
  keep(present: ReadonlySet<string>): void {
    this.#set(keepSpeakers(this.#state, present));
  }

  stop(): void {
    clearInterval(this.#timer);
    this.#set(SILENCE);
  }

  #set(state: SpeakerState): void {
    if (state === this.#state) return;
    this.#state = state;
    this.#onChange(state);
  }
}
