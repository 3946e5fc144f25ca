import type { Still } from './cards/still.ts';
import { EARLY_MS, SEGMENT_MS } from './packager/packager.ts';
import { pictureFormatOf } from './packager/sample-entries.ts';

/** A coded picture: its NAL units. */
export interface CodedPicture {
  units: readonly Buffer[];
  isKey: boolean;
}

/** A source of pictures. */
export interface PictureSource {
  /** It needs a key frame before anything can be shown. */
  readonly needsKey: boolean;
  /** Without a picture for this time it has no picture, ms. */
  readonly freezesAfter: number;
  /** Asks for a key frame, unless that was just done. */
  requestKeyFrame: (now: number) => void;
}

export interface Size {
  width: number;
  height: number;
}

/** Draws a card of a size with a name. */
export type DrawCard = (name: string, size: Size) => Promise<Still>;

/** A selected source is awaited for this time with the old picture, and then with a card; without one, shorter. */
const MAX_WAIT_MS = 2_000;
const FIRST_WAIT_MS = 500;
/** A source that ended may be followed by another one: a camera is gone before it is known who is on air next. */
const GONE_WAIT_MS = 250;
/** Key frames are asked for this much before they are due. */
const AHEAD_MS = 200;
/** Interval of the pictures of a card. */
const CARD_INTERVAL_MS = 200;
const FIRST_SIZE: Size = { width: 1_280, height: 720 };

/** A card that is drawn, or being drawn. */
interface Card {
  name: string;
  size: Size;
  still: Still | undefined;
}

/**
 * Switches between sources in one video track without decoding: a new source begins with a key frame, and until then
 * the old one continues. While no source has a picture, a card with a name is shown. Times are ms of the recording.
 */
export class Switch {
  #write: (picture: CodedPicture, at: number) => void;
  #drawCard: DrawCard;
  /** The source that is written; null: the card, or nothing yet. */
  #shown: PictureSource | null = null;
  /** The selected source that is not shown yet. */
  #pending: { source: PictureSource; since: number } | undefined;
  #name = '';
  #size = FIRST_SIZE;
  #card: Card | undefined;
  /** The card that is written: frames since its key frame. */
  #repeated: { still: Still; frames: number } | undefined;
  #cardAt = Number.NEGATIVE_INFINITY;
  #keyAt = Number.NEGATIVE_INFINITY;
  /** When the shown source had its last picture. */
  #pictureAt = 0;
  /** No card before this: a source may have a picture soon. */
  #cardFrom = 0;
  /** What is seen is the last picture of a source that ended. */
  #isGone = false;

  constructor(write: (picture: CodedPicture, at: number) => void, drawCard: DrawCard) {
    this.#write = write;
    this.#drawCard = drawCard;
  }

  get shown(): PictureSource | null {
    return this.#shown;
  }

  /** Whether pictures of this source are, or will be, written. */
  uses(source: PictureSource): boolean {
    return source === this.#shown || source === this.#pending?.source;
  }

  /** A file begins: it needs a key frame before anything else. */
  begin(now: number): void {
    const source = this.#shown ?? this.#pending?.source;
    this.#shown = null;
    this.#isGone = false;
    this.#pending = source && { source, since: now };
    this.#cardFrom = source ? now + FIRST_WAIT_MS : now;
    this.#repeated = undefined;
  }

  /** Selects the source from now on; null shows a card at once. `name` is what a card says. */
  select(source: PictureSource | null, name: string, now: number): void {
    this.#name = name;
    if (source === (this.#pending?.source ?? this.#shown)) return;
    this.#pending = source === null || source === this.#shown ? undefined : { source, since: now };
    if (source === null) return this.#showCard(now);
    if (this.#isGone) this.#cardFrom = now + MAX_WAIT_MS;
    this.#pending?.source.requestKeyFrame(now);
  }

  /** A source ended. Its last picture stays until the next one is selected and comes, or a card is due. */
  gone(source: PictureSource, now: number): void {
    if (source === this.#pending?.source) this.#pending = undefined;
    if (source !== this.#shown) return;
    this.#shown = null;
    this.#isGone = true;
    this.#cardFrom = now + GONE_WAIT_MS;
  }

  /** A picture of any source; `at` is its capture time. */
  frame(source: PictureSource, picture: CodedPicture, at: number, now: number): void {
    if (source === this.#pending?.source && picture.isKey) {
      this.#pending = undefined;
      this.#shown = source;
      this.#isGone = false;
      this.#repeated = undefined;
    }
    if (source !== this.#shown) return;
    this.#pictureAt = now;
    if (picture.isKey) {
      this.#size = pictureFormatOf(picture.units) ?? this.#size;
      this.#keyAt = at;
    }
    this.#write(picture, at);
  }

  /** Call it every few ms. */
  tick(now: number): void {
    const shown = this.#shown;
    if (this.#pending) {
      this.#pending.source.requestKeyFrame(now);
      if (shown && now - this.#pending.since > MAX_WAIT_MS) this.#showCard(now);
    } else if (shown && now - this.#pictureAt > shown.freezesAfter) {
      this.#pending = { source: shown, since: now };
      this.#showCard(now);
    } else if (shown && (shown.needsKey || this.#isKeyDue(now))) shown.requestKeyFrame(now);
    if (this.#shown !== null || now < this.#cardFrom) return;
    this.#isGone = false;
    this.#tickCard(now);
  }

  /** The next segment needs a key frame. */
  #isKeyDue(now: number): boolean {
    return Math.floor((now + AHEAD_MS) / SEGMENT_MS) > Math.floor((this.#keyAt + EARLY_MS) / SEGMENT_MS);
  }

  #showCard(now: number): void {
    this.#shown = null;
    this.#isGone = false;
    this.#cardFrom = now;
    this.#tickCard(now);
  }

  #tickCard(now: number): void {
    const still = this.#stillNow();
    if (!still) return;
    const isNew = still !== this.#repeated?.still;
    if (!isNew && now - this.#cardAt < CARD_INTERVAL_MS) return;
    this.#cardAt = now;
    if (isNew || Math.floor(now / SEGMENT_MS) > Math.floor(this.#keyAt / SEGMENT_MS)) {
      this.#repeated = { still, frames: 0 };
      this.#keyAt = now;
      this.#write({ units: still.keyFrame, isKey: true }, now);
      return;
    }
    this.#repeated!.frames += 1;
    this.#write({ units: still.repeat(this.#repeated!.frames), isKey: false }, now);
  }

  /** The card to show; while it is being drawn, what was there before stays. */
  #stillNow(): Still | undefined {
    const { width, height } = this.#size;
    const { name } = this.#card ?? {};
    if (name !== this.#name || this.#card?.size.width !== width || this.#card.size.height !== height) {
      const card: Card = { name: this.#name, size: this.#size, still: undefined };
      this.#card = card;
      void this.#draw(card);
    }
    return this.#card.still;
  }

  async #draw(card: Card): Promise<void> {
    card.still = await this.#drawCard(card.name, card.size);
  }
}
