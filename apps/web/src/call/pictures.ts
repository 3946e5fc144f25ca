import type { LayerHeight, LayoutCell } from '@rmeet/conference';

/** Pictures and the lines of each, by key: termId, or termId and `-screen`. */
export type Pictures = ReadonlyMap<string, LayerHeight>;

/** One picture that a view wants, and how large. */
export type PictureWish = Pick<LayoutCell, 'key' | 'ask'>;

/**
 * Milliseconds that a picture stays asked for as it was when the views want it smaller, or no more. A view that takes
 * it over from another one, or wants it back, finds it there.
 */
const LINGER = 2_000;

/**
 * What a page asks of the media engine to see. Each view declares all of its pictures at once, and again with every
 * change; every picture is asked for once, in the largest size that a view wants. What is asked for is compared as a
 * whole with what was asked before, so that a view that is only drawn anew changes nothing.
 */
export class PictureRequests {
  readonly #tell: (asked: Pictures) => void;
  readonly #views = new Map<string, readonly PictureWish[]>();
  #asked: Pictures = new Map();
  /** By key, for those that are asked for larger than the views want them. */
  readonly #lingering = new Map<string, ReturnType<typeof setTimeout>>();

  /** `tell` is given everything that is asked for, whenever that changes. */
  constructor(tell: (asked: Pictures) => void) {
    this.#tell = tell;
  }

  /** All that is asked for now. */
  get asked(): Pictures {
    return this.#asked;
  }

  /** All pictures of a view; none when it goes. */
  show(view: string, pictures: readonly PictureWish[]): void {
    this.#views.set(view, pictures);
    const wanted = this.#wanted();
    for (const key of new Set([...this.#asked.keys(), ...wanted.keys()])) this.#compare(key, wanted.get(key) ?? 0);
    this.#ask(
      new Map([...this.#asked, ...[...wanted].filter(([key, height]) => height > (this.#asked.get(key) ?? 0))]),
    );
  }

  /** Nothing is told any more. */
  close(): void {
    for (const timer of this.#lingering.values()) clearTimeout(timer);
    this.#lingering.clear();
    this.#views.clear();
    this.#asked = new Map();
  }

  /** A picture that is wanted smaller, or no more, is asked for as it was for a while. */
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

  /** What the views want together; a picture of no size is not wanted. */
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
    this.#tell(pictures);
  }
}
