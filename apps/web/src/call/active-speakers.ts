import { SILENCE, keepSpeakers, tickSpeakers, updateSpeakers, type SpeakerState } from '@rmeet/conference';

/** Milliseconds between looks at who has the floor, while somebody speaks. */
const TICK = 400;

/** Who has the floor, followed in time; `onChange` is told every new state. */
export class Floor {
  readonly #onChange: (speakers: SpeakerState) => void;
  #state = SILENCE;
  #timer: ReturnType<typeof setInterval> | undefined;

  constructor(onChange: (speakers: SpeakerState) => void) {
    this.#onChange = onChange;
  }

  get state(): SpeakerState {
    return this.#state;
  }

  /** The engine names those who speak now, loudest first. */
  heard(termIds: readonly string[]): void {
    this.#set(updateSpeakers(this.#state, termIds, Date.now()));
    clearInterval(this.#timer);
    if (termIds.length > 0) this.#timer = setInterval(() => this.#set(tickSpeakers(this.#state, Date.now())), TICK);
  }

  /** Those who left are forgotten. */
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
