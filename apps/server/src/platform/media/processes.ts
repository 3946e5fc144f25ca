import type { Log } from '../log/log.ts';

/** A media process as the server sees it; `index` counts from 0. */
export interface MediaProcess {
  index: number;
  /** Its HTTP port on the loopback address. */
  port: number;
}

/** What a process answers at `/status?room=` (packages/sfu). */
interface Status {
  load: number;
  takesRooms: boolean;
  room: boolean;
}

/**
 * `full`: it keeps its rooms and takes no new ones, at its limits or because it is being replaced. `away`: nothing
 * listens there. `silent`: it does not answer in time, and may still have its rooms.
 */
type State = 'up' | 'full' | 'away' | 'silent';

interface Entry extends MediaProcess {
  state: State;
  load: number;
  /** Weight of rooms sent there lately, which it may not count yet. */
  promised: number;
}

const ASK_EVERY = 2_000;
const ANSWER_WITHIN = 2_000;
/** What a room that is about to be made counts until the process counts it itself. */
const NEW_ROOM = 4;
/** Rooms whose place is remembered; the oldest are asked for again. */
const MOST_ROOMS = 20_000;

/**
 * Which media process has which room. A room lives in one process; a new one goes to the least loaded. All that comes
 * from outside comes through here, so what is remembered stays true; what is not, after a restart of the server, is
 * found by asking the processes.
 */
export class MediaProcesses {
  readonly #entries: Entry[];
  readonly #places = new Map<string, Entry>();
  /** Rooms that are being looked for, so that two who come at once get the same answer. */
  readonly #asked = new Map<string, Promise<Entry | undefined>>();
  readonly #log: Log;
  readonly #timer: NodeJS.Timeout | undefined;

  constructor(ports: readonly number[], log: Log) {
    this.#entries = ports.map((port, index) => ({ index, port, state: 'up', load: 0, promised: 0 }));
    this.#log = log;
    if (ports.length > 1) this.#timer = setInterval(() => void this.#askAll(''), ASK_EVERY).unref();
  }

  get count(): number {
    return this.#entries.length;
  }

  /** All that answer. */
  async answering(): Promise<MediaProcess[]> {
    const answer = ({ state }: Entry): boolean => state === 'up' || state === 'full';
    if (!this.#entries.some(answer)) await this.#askAll('');
    return this.#entries.filter(answer);
  }

  /**
   * The process that has the room, or the one that is to have it; undefined while none can be said. Without a name,
   * and for a room that is nowhere and must not be made (`mayPlace` false), any process that answers.
   */
  async locate(name: string | undefined, mayPlace: boolean): Promise<MediaProcess | undefined> {
    const [only] = this.#entries;
    if (this.#entries.length === 1) return only;
    if (name === undefined) return (await this.answering())[0];
    const known = this.#places.get(name);
    if (known?.state === 'silent') return undefined;
    // a full process has its rooms until they end, but does not make them again
    if (known && known.state !== 'full') return known;
    const place = await this.#ask(name);
    if (place || !mayPlace) return place ?? (await this.answering())[0];
    // others may have placed it while this one waited; where none takes it, the one that is asked says why
    return this.#places.get(name) ?? this.#place(name) ?? (await this.answering())[0];
  }

  /** It refused a connection: its rooms are lost and may be made elsewhere. */
  isAway({ index }: MediaProcess): void {
    const entry = this.#entries[index]!;
    if (entry.state !== 'away') this.#log.warn({ process: index }, 'A media process is away');
    entry.state = 'away';
    for (const [name, place] of this.#places) if (place === entry) this.#places.delete(name);
  }

  /** All of them, asked now. */
  async statuses(): Promise<(MediaProcess & { state: State; load: number })[]> {
    await this.#askAll('');
    return this.#entries.map(({ index, port, state, load }) => ({ index, port, state, load }));
  }

  /** The process that has the room; undefined where none says so. */
  find(name: string): Promise<MediaProcess | undefined> {
    return this.#ask(name);
  }

  /** A room that is about to be made is to be made in this process; false where that takes none. */
  async choose(name: string, index: number): Promise<boolean> {
    await this.#askAll('');
    const entry = this.#entries[index];
    if (entry?.state !== 'up') return false;
    entry.promised += NEW_ROOM;
    this.#remember(name, entry);
    return true;
  }

  forget(name: string): void {
    this.#places.delete(name);
  }

  close(): void {
    clearInterval(this.#timer);
  }

  #ask(name: string): Promise<Entry | undefined> {
    let asked = this.#asked.get(name);
    if (!asked) {
      asked = this.#askAll(name).finally(() => this.#asked.delete(name));
      this.#asked.set(name, asked);
    }
    return asked;
  }

  /** Brings every process' state up to date; the one that has the room, if one has. */
  async #askAll(name: string): Promise<Entry | undefined> {
    const answers = await Promise.all(this.#entries.map((entry) => this.#status(entry, name)));
    const owner = this.#entries.find((_, index) => answers[index]?.room);
    if (owner) this.#remember(name, owner);
    else if (this.#places.get(name)?.state === 'full') this.#places.delete(name);
    return owner;
  }

  async #status(entry: Entry, name: string): Promise<Status | undefined> {
    try {
      const answer = await fetch(`http://127.0.0.1:${entry.port}/status?room=${encodeURIComponent(name)}`, {
        signal: AbortSignal.timeout(ANSWER_WITHIN),
      });
      const status = (await answer.json()) as Status;
      if (entry.state === 'away' || entry.state === 'silent')
        this.#log.info({ process: entry.index }, 'A media process answers again');
      entry.state = status.takesRooms ? 'up' : 'full';
      entry.load = status.load;
      if (name === '') entry.promised = 0;
      return status;
    } catch (error) {
      if ((error as Error).name !== 'TimeoutError') this.isAway(entry);
      else if (entry.state !== 'away') {
        if (entry.state !== 'silent')
          this.#log.warn({ process: entry.index }, 'A media process does not answer in time');
        entry.state = 'silent';
      }
      return undefined;
    }
  }

  #place(name: string): Entry | undefined {
    const weight = (entry: Entry): number => entry.load + entry.promised;
    const [first, ...others] = this.#entries.filter(({ state }) => state === 'up');
    if (!first) return undefined;
    const place = others.reduce((best, entry) => (weight(entry) < weight(best) ? entry : best), first);
    place.promised += NEW_ROOM;
    this.#remember(name, place);
    return place;
  }

  #remember(name: string, place: Entry): void {
    this.#places.delete(name);
    this.#places.set(name, place);
    const [oldest] = this.#places.keys();
    if (this.#places.size > MOST_ROOMS && oldest !== undefined) this.#places.delete(oldest);
  }
}
