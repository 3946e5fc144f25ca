import { listedIn, spanOf, type Listed, type Span } from './listing.ts';
import { fileOf, type LiveFile } from './names.ts';
import { lowLatencyPlaylist, plainPlaylist } from './playlist.ts';
import type { LiveSegment, LiveWindow } from './window.ts';

/** How far ahead of the playlist a request may wait (RFC 8216 bis, 6.2.5.2). */
const SEGMENTS_AHEAD = 2;
const PARTS_AHEAD = 8;
/** So many requests may wait; the others are answered with what there is. */
const MOST_WAITING = 20_000;
/** Requests wait so many target durations. */
const TARGETS_TO_WAIT = 3;
/** In the place of the query, which differs by viewer. */
const QUERY = '\0';

interface Waiting {
  isDone: () => boolean;
  resolve: () => void;
}

/** `late`: it did not come in time; `tooFar`: it is not to come soon. */
export type Waited = 'ready' | 'late' | 'tooFar';

export interface ViewOptions {
  mostWaiting?: number;
  /** How long requests wait, ms. */
  waitMs?: number;
}

/** What the viewers of a broadcast may see of a window: the segments that begin while it is on air. */
export class LiveView {
  #window: LiveWindow;
  #options: ViewOptions;
  #spans: readonly Span[] = [];
  #spansText = '';
  #isOver = false;
  #waiting = new Set<Waiting>();
  #stop: () => void;
  /** Of the window that `#listed` and the texts are of. */
  #version = -1;
  #listed: Listed[] = [];
  /** Playlists, cut where the query belongs. */
  #texts = new Map<boolean, string[] | undefined>();

  constructor(window: LiveWindow, options: ViewOptions = {}) {
    this.#window = window;
    this.#options = options;
    this.#stop = window.onChange(() => this.#wake());
  }

  get window(): LiveWindow {
    return this.#window;
  }

  get waiting(): number {
    return this.#waiting.size;
  }

  /** The times on air as they are now, and whether the broadcast is over. */
  update(spans: readonly Span[], isOver: boolean): void {
    if (spans === this.#spans && isOver === this.#isOver) return;
    const text = JSON.stringify(spans);
    if (text === this.#spansText && isOver === this.#isOver) return;
    this.#spans = spans;
    this.#spansText = text;
    this.#isOver = isOver;
    this.#version = -1;
    this.#wake();
  }

  /** Nobody asks any more. */
  close(): void {
    this.#stop();
    for (const { resolve } of this.#waiting) resolve();
  }

  /** Resolves when the playlist has that part, or without `part` the complete segment. */
  async waitFor(
    { msn, part, plain = false }: { msn: number; part?: number | undefined; plain?: boolean },
    signal?: AbortSignal,
  ): Promise<Waited> {
    const last = this.#current().at(-1)?.segment;
    const wanted = plain ? undefined : part;
    if (last && msn > last.number + SEGMENTS_AHEAD) return 'tooFar';
    if (last && msn === last.number && (wanted ?? 0) > last.parts.length + PARTS_AHEAD) return 'tooFar';
    const has = (): boolean => this.#isAtEnd() || this.#has(msn, wanted);
    await this.#until(has, signal);
    return has() ? 'ready' : 'late';
  }

  /** Resolves when there is something to show, or after a while. */
  async whenShown(plain: boolean, signal?: AbortSignal): Promise<void> {
    await this.#until(() => this.#isAtEnd() || this.#text(plain) !== undefined, signal);
  }

  /** The playlist; undefined if there is nothing to show. `query` is added to the name of each file. */
  playlist({ plain, query }: { plain: boolean; query: string }): string | undefined {
    return this.#text(plain)?.join(query);
  }

  /** A file, as soon as it exists if it is announced; undefined if it does not. */
  async file(name: string, signal?: AbortSignal): Promise<Buffer | undefined> {
    const file = fileOf(name);
    if (!file) return undefined;
    const found = this.#read(file);
    if (found || file.kind !== 'part' || !this.#mayCome(file)) return found;
    await this.#until(() => this.#read(file) !== undefined || !this.#mayCome(file), signal);
    return this.#read(file);
  }

  #shown(number: number, init: number): LiveSegment | undefined {
    const segment = this.#window.segments.findLast((one) => one.number === number);
    return segment?.init === init && spanOf(this.#spans, this.#window, segment) >= 0 ? segment : undefined;
  }

  #read(file: LiveFile): Buffer | undefined {
    const { init } = file;
    if (file.kind === 'init') {
      const isNeeded = this.#window.segments.some(
        (segment) => segment.init === init && spanOf(this.#spans, this.#window, segment) >= 0,
      );
      return isNeeded ? this.#window.inits.get(init) : undefined;
    }
    const segment = this.#shown(file.segment, init);
    return file.kind === 'segment' ? segment?.data : segment?.parts[file.part]?.data;
  }

  /** Whether a part that is not there can be the next one. */
  #mayCome({ init, segment, part }: LiveFile & { kind: 'part' }): boolean {
    const last = this.#window.segments.at(-1);
    if (!last || last.data || last.init !== init || spanOf(this.#spans, this.#window, last) < 0) return false;
    return last.number === segment ? part === last.parts.length : last.number + 1 === segment && part === 0;
  }

  /** What is listed now. */
  #current(): Listed[] {
    if (this.#version !== this.#window.version) {
      this.#version = this.#window.version;
      this.#listed = listedIn(this.#window, this.#spans);
      this.#texts.clear();
    }
    return this.#listed;
  }

  #text(plain: boolean): string[] | undefined {
    const listed = this.#current();
    if (listed.length === 0) return undefined;
    if (!this.#texts.has(plain)) {
      const { startsAt, target, partTarget } = this.#window;
      const isOver = this.#isAtEnd();
      const options = { listed, startsAt, target, partTarget, isOver, query: QUERY };
      this.#texts.set(plain, (plain ? plainPlaylist(options) : lowLatencyPlaylist(options))?.split(QUERY));
    }
    return this.#texts.get(plain);
  }

  /** Nothing follows what is listed. */
  #isAtEnd(): boolean {
    if (this.#window.isOver) return true;
    const last = this.#current().at(-1)?.segment;
    return this.#isOver && (last === undefined || last.data !== undefined);
  }

  #has(msn: number, part: number | undefined): boolean {
    const last = this.#current().at(-1)?.segment;
    if (!last || msn !== last.number) return last !== undefined && msn < last.number;
    // A part after the last one of a segment is the first one of the next segment.
    return part === undefined ? last.data !== undefined : part < last.parts.length;
  }

  /** Resolves when `isDone`, after a while, or when the request is given up. */
  async #until(isDone: () => boolean, signal: AbortSignal | undefined): Promise<void> {
    const { mostWaiting = MOST_WAITING, waitMs = TARGETS_TO_WAIT * this.#window.target * 1_000 } = this.#options;
    if (isDone() || signal?.aborted || this.#waiting.size >= mostWaiting) return;
    const { promise, resolve } = Promise.withResolvers<void>();
    const waiting = { isDone, resolve };
    this.#waiting.add(waiting);
    const timer = setTimeout(resolve, waitMs);
    signal?.addEventListener('abort', () => resolve(), { once: true });
    await promise;
    clearTimeout(timer);
    this.#waiting.delete(waiting);
  }

  #wake(): void {
    for (const { isDone, resolve } of this.#waiting) if (isDone()) resolve();
  }
}
