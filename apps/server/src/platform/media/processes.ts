import type { Log } from '../log/log.ts';

/** A media process as the server sees it; `index` counts from 0. */
export interface MediaProcess {
  index: number;
  /** Its HTTP port on the loopback address. */
  port: number;
}

/** The response of a process to `/status?room=` (packages/sfu). */
interface Status {
  load: number;
  takesRooms: boolean;
  room: boolean;
}

/**
 * `full`: it keeps its rooms and accepts no new ones, because of its limits or because it is being replaced. `away`:
 * nothing listens there. `silent`: it does not answer in time, and may still have its rooms.
 */
type State = 'up' | 'full' | 'away' | 'silent';

interface Entry extends MediaProcess {
  state: State;
  load: number;
  /** Weight of recently assigned rooms, which it may not count yet. */
  promised: number;
}

const ASK_EVERY = 2_000;
const ANSWER_WITHIN = 2_000;
/** The weight of a new room until the process counts it itself. */
const NEW_ROOM = 4;
/** Number of remembered rooms; for the oldest, the processes are asked again. */
const MOST_ROOMS = 20_000;

/**
 * Which media process has which room. A room is in one process; a new one goes to the least loaded. All external
 * requests pass through here, so the remembered places stay correct; after a restart of the server, missing ones are
 * found by asking the processes.
 */
export class MediaProcesses {
  readonly #entries: Entry[];
  readonly #places = new Map<string, Entry>();
  /** Lookups in progress, so that two concurrent requests for a room get the same result. */
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

  /** All processes that answer. */
  async answering(): Promise<MediaProcess[]> {
    const answer = ({ state }: Entry): boolean => state === 'up' || state === 'full';
    if (!this.#entries.some(answer)) await this.#askAll('');
    return this.#entries.filter(answer);
  }

  /**
   * The process that has the room, or that will have it; undefined while unknown. Without a name, and for a missing
   * room that must not be created (`mayPlace` false), any process that answers.
   */
  async locate(name: string | undefined, mayPlace: boolean): Promise<MediaProcess | undefined> {
    const [only] = this.#entries;
    if (this.#entries.length === 1) return only;
    if (name === undefined) return (await this.answering())[0];
    const known = this.#places.get(name);
    if (known?.state === 'silent') return undefined;
    // a full process has its rooms until they end, but does not create them again
    if (known && known.state !== 'full') return known;
    const place = await this.#ask(name);
    if (place || !mayPlace) return place ?? (await this.answering())[0];
    // another call may have placed it while this one waited; if no process accepts it, the chosen one returns the
    // reason
    return this.#places.get(name) ?? this.#place(name) ?? (await this.answering())[0];
  }

  /** It refused a connection: its rooms are lost and may be created elsewhere. */
  isAway({ index }: MediaProcess): void {
    const entry = this.#entries[index]!;
    if (entry.state !== 'away') this.#log.warn({ process: index }, 'A media process is away');
    entry.state = 'away';
    for (const [name, place] of this.#places) if (place === entry) this.#places.delete(name);
  }

  /** The current status of all processes. */
  async statuses(): Promise<(MediaProcess & { state: State; load: number })[]> {
    await this.#askAll('');
    return this.#entries.map(({ index, port, state, load }) => ({ index, port, state, load }));
  }

  /** The process that has the room; undefined if none reports it. */
  find(name: string): Promise<MediaProcess | undefined> {
    return this.#ask(name);
  }

  /** Assigns a room that will be created to this process; false if that accepts none. */
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

  /** Updates the state of all processes; returns the one that has the room, if any. */
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
