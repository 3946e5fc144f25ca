import type { LayerHeight, LayoutCell } from '@rmeet/conference';

/** Pictures and the lines of each, by key: termId, or termId and `-screen`. */
export type Pictures = ReadonlyMap<string, LayerHeight>;

/** One picture that a view wants, and how large. */
export type PictureWish = Pick<LayoutCell, 'key' | 'ask'>;

/**
 * Milliseconds for which a picture keeps its size after the views want it smaller or not at all, so that another view,
 * or the same one, can take it over without a gap.
 */
const LINGER = 2_000;

/**
 * The pictures that a page requests from the media engine. Each view declares all of its pictures at once, and again
 * with every change; every picture is requested once, in the largest size that a view wants. Only differences from the
 * previous request are sent, so that a mere rerender changes nothing.
 */
export class PictureRequests {
  readonly #notify: (asked: Pictures) => void;
  readonly #views = new Map<string, readonly PictureWish[]>();
  #asked: Pictures = new Map();
  /** Timers by key of pictures that are requested larger than the views want them. */
  readonly #lingering = new Map<string, ReturnType<typeof setTimeout>>();

  /** `notify` receives the complete request whenever it changes. */
  constructor(notify: (asked: Pictures) => void) {
    this.#notify = notify;
  }

  /** The current request. */
  get asked(): Pictures {
    return this.#asked;
  }

  /** Sets all pictures of a view; none when it unmounts. */
  show(view: string, pictures: readonly PictureWish[]): void {
    this.#views.set(view, pictures);
    const wanted = this.#wanted();
    for (const key of new Set([...this.#asked.keys(), ...wanted.keys()])) this.#compare(key, wanted.get(key) ?? 0);
    this.#ask(
      new Map([...this.#asked, ...[...wanted].filter(([key, height]) => height > (this.#asked.get(key) ?? 0))]),
    );
  }

  /** Stops all notifications. */
  close(): void {
    for (const timer of this.#lingering.values()) clearTimeout(timer);
    this.#lingering.clear();
    this.#views.clear();
    this.#asked = new Map();
  }

  /** Delays a request for a smaller size or for no picture. */
  #compare(key: string, wanted: LayerHeight): void {
    const timer = this.#lingering.get(key);
    if (wanted >= (this.#asked.get(key) ?? 0)) {
      clearTimeout(timer);
      this.#lingering.delete(key);
    } else if (timer === undefined)
      this.#lingering.set(
        key,
        setTimeout(() => this.#lower(key), LINGER),
      );
  }

  #lower(key: string): void {
    this.#lingering.delete(key);
    const wanted = this.#wanted().get(key);
    const others = [...this.#asked].filter(([each]) => each !== key);
    this.#ask(new Map(wanted === undefined ? others : [...others, [key, wanted]]));
  }

  /** The union of the views' wishes; a picture of height 0 is not wanted. */
  #wanted(): Map<string, LayerHeight> {
    const wanted = new Map<string, LayerHeight>();
    for (const { key, ask } of [...this.#views.values()].flat()) if (ask > (wanted.get(key) ?? 0)) wanted.set(key, ask);
    return wanted;
  }

  #ask(pictures: Pictures): void {
    const isSame =
      pictures.size === this.#asked.size && [...pictures].every(([key, height]) => this.#asked.get(key) === height);
    if (isSame) return;
    this.#asked = pictures;
    this.#notify(pictures);
  }
}
