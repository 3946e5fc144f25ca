import { AppError } from './app-error.ts';

interface QueueOptions {
  /** How many tasks of one key run at the same time. */
  atOnce: number;
  /** Maximum number of waiting callers per key. */
  longest: number;
  /** Milliseconds one of them waits at most; well below a handler's time limit. */
  patience: number;
}

interface Queue {
  running: number;
  waiting: (() => void)[];
}

/** After how many seconds callers should retry if a queue is full. */
const COME_AGAIN = 5;

/**
 * Runs the tasks of each key (an address, a meeting) a few at a time, in order of arrival: many concurrent callers are
 * slowed down instead of rejected, use no more of the database than those few, and do not delay others.
 */
export class Queues {
  readonly #options: QueueOptions;
  readonly #queues = new Map<string, Queue>();

  constructor(options: QueueOptions) {
    this.#options = options;
  }

  /**
   * Runs the task when its turn comes; not at all if the signal is aborted before.
   *
   * @throws AppError SERVICE_BUSY if too many wait already, or the turn has not come in time
   */
  async run<T>(key: string, signal: AbortSignal, work: () => Promise<T>): Promise<T> {
    const queue = this.#queues.get(key) ?? { running: 0, waiting: [] };
    this.#queues.set(key, queue);
    if (queue.running < this.#options.atOnce) queue.running += 1;
    else await this.#turn(queue, signal);
    try {
      return await work();
    } finally {
      // A completed call passes its place on, so no call overtakes another.
      const next = queue.waiting.shift();
      if (next) next();
      else queue.running -= 1;
      if (queue.running === 0) this.#queues.delete(key);
    }
  }

  async #turn({ waiting }: Queue, signal: AbortSignal): Promise<void> {
    const { longest, patience } = this.#options;
    if (waiting.length >= longest) throw new AppError('SERVICE_BUSY', { seconds: COME_AGAIN });
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const giveUp = (error: AppError): void => {
      const place = waiting.indexOf(resolve);
      if (place >= 0) waiting.splice(place, 1);
      reject(error);
    };
    const onAbort = (): void => giveUp(new AppError('REQUEST_TIMEOUT'));
    const timer = setTimeout(() => giveUp(new AppError('SERVICE_BUSY', { seconds: COME_AGAIN })), patience);
    signal.addEventListener('abort', onAbort, { once: true });
    waiting.push(resolve);
    try {
      await promise;
    } finally {
      clearTimeout(timer);
      signal.removeEventListener('abort', onAbort);
    }
  }
}
