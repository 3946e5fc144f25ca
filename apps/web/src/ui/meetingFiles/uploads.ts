import type { meetingFiles, Args } from '@rmeet/contract';
import { api, ApiError } from '../../lib/api/index.ts';
import { cancelUpload, receivedOf, sendPiece } from '../../lib/api/tus.ts';

type Start = Omit<Args<typeof meetingFiles.startUpload>['body'], 'name' | 'size'>;

/** An upload of this page. */
export interface PageUpload {
  key: number;
  /** Undefined until the server has begun it. */
  id: string | undefined;
  meetId: string;
  name: string;
  size: number;
  sent: number;
  /** `waiting`: for others before it, or for the network. */
  state: 'waiting' | 'sending' | 'failed';
  /** Why it failed. */
  error: unknown;
}

interface Task {
  view: PageUpload;
  file: File;
  start: Start;
  stop: AbortController;
}

/** Bytes of one request: little is lost if the connection breaks, and progress is kept. */
const PIECE = 16 * 1024 * 1024;
/** Waits for the network before each further attempt, ms; the last one repeats. */
const WAITS = [1_000, 2_000, 5_000, 10_000, 30_000];
/** Attempts in a row without progress until an upload is given up. */
const ATTEMPTS = 20;

/**
 * Uploads files one after the other, and goes on while their list is closed. A broken connection is waited for; the
 * upload continues with the bytes that the server has.
 */
export class Uploads {
  #tasks: Task[] = [];
  #views: readonly PageUpload[] = [];
  #isRunning = false;
  #nextKey = 1;
  readonly #listeners = new Set<() => void>();
  /** Called with the meeting when the files of it have changed. */
  onDone: (meetId: string) => void = () => undefined;

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };
  readonly get = (): readonly PageUpload[] => this.#views;

  /** Queues a file; with `id` it continues an upload that the server knows. */
  add(file: File, start: Start, id?: string): void {
    const view: PageUpload = {
      key: this.#nextKey++,
      id,
      meetId: start.meetId,
      name: file.name,
      size: file.size,
      sent: 0,
      state: 'waiting',
      error: null,
    };
    this.#tasks.push({ view, file, start, stop: new AbortController() });
    this.#publish();
    void this.#run();
  }

  retry(key: number): void {
    this.#change(key, { state: 'waiting', error: null });
    void this.#run();
  }

  /** Forgets an upload, here and at the server. */
  async cancel(key: number): Promise<void> {
    const task = this.#tasks.find(({ view }) => view.key === key);
    if (!task) return;
    task.stop.abort();
    this.#remove(task);
    if (task.view.id !== undefined) await cancelUpload(task.view.id);
    this.onDone(task.view.meetId);
  }

  async #run(): Promise<void> {
    if (this.#isRunning) return;
    this.#isRunning = true;
    for (;;) {
      const task = this.#tasks.find(({ view }) => view.state === 'waiting');
      if (!task) break;
      try {
        await this.#upload(task);
        this.#remove(task);
        this.onDone(task.view.meetId);
      } catch (error) {
        this.#change(task.view.key, { state: 'failed', error });
      }
    }
    this.#isRunning = false;
  }

  async #upload(task: Task): Promise<void> {
    const { file, start, stop, view } = task;
    this.#change(view.key, { state: 'sending' });
    let offset = 0;
    if (task.view.id === undefined) {
      const { id } = await api.meetingFiles.startUpload({ body: { ...start, name: file.name, size: file.size } });
      this.#change(view.key, { id });
    } else offset = await this.#received(task);
    while (offset < file.size) {
      if (stop.signal.aborted) return;
      const at = offset;
      try {
        offset = await sendPiece(task.view.id ?? '', at, file.slice(at, at + PIECE), {
          signal: stop.signal,
          onSent: (bytes) => this.#change(view.key, { sent: Math.min(file.size, at + bytes) }),
        });
      } catch (error) {
        if (stop.signal.aborted) return;
        if (!mayPass(error)) throw error;
        offset = await this.#received(task);
      }
      this.#change(view.key, { sent: offset });
    }
  }

  /** Where an upload continues, once the server answers. @throws ApiError */
  async #received({ view, stop }: Task): Promise<number> {
    const { id = '' } = this.#tasks.find((task) => task.view.key === view.key)?.view ?? view;
    for (let attempt = 0; ; attempt += 1) {
      try {
        return await receivedOf(id, stop.signal);
      } catch (error) {
        if (!mayPass(error) || attempt >= ATTEMPTS || stop.signal.aborted) throw error;
        await new Promise((resolve) => setTimeout(resolve, WAITS[attempt] ?? WAITS.at(-1)));
      }
    }
  }

  #remove(task: Task): void {
    this.#tasks = this.#tasks.filter((one) => one !== task);
    this.#publish();
  }

  #change(key: number, change: Partial<PageUpload>): void {
    const task = this.#tasks.find(({ view }) => view.key === key);
    if (!task) return;
    task.view = { ...task.view, ...change };
    this.#publish();
  }

  #publish(): void {
    this.#views = this.#tasks.map(({ view }) => view);
    for (const listener of this.#listeners) listener();
  }
}

/** Whether the same request may succeed soon: no answer, a busy server, or bytes that arrived after all. */
function mayPass(error: unknown): boolean {
  if (!(error instanceof ApiError)) return false;
  const { httpStatus } = error;
  return httpStatus === 0 || httpStatus === 408 || httpStatus === 409 || httpStatus === 429 || httpStatus >= 500;
}

/** The uploads of this page. */
export const uploads = new Uploads();
