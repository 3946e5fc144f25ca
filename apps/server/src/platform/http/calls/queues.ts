import { AppError } from './app-error.ts';

interface QueueOptions {
  /** Pieces of work of one key that are done at once. */
  atOnce: number;
  /** Callers of one key who may wait. */
  longest: number;
  /** Milliseconds one of them waits at most; well below the time a handler has. */
  patience: number;
}

interface Queue {
  running: number;
  waiting: (() => void)[];
}

/** After how many seconds those come again for whom there is no place in a queue. */
const COME_AGAIN = 5;

/**
 * Does the work of each key (an address, a meeting) a few at a time, in the order it came: so many who come at once are
 * slowed down and not refused, use no more of the database than those few, and do not delay others.
 */
export class Queues {
  readonly #options: QueueOptions;
  readonly #queues = new Map<string, Queue>();

  constructor(options: QueueOptions) {
    this.#options = options;
  }

  /**
   * Does the work when its turn comes; never, when the signal is aborted before.
   *
   * @throws AppError SERVICE_BUSY when too many wait already, or the turn has not come in time
   */
  async run<T>(key: string, signal: AbortSignal, work: () => Promise<T>): Promise<T> {
    const queue = this.#queues.get(key) ?? { running: 0, waiting: [] };
    this.#queues.set(key, queue);
    if (queue.running < this.#options.atOnce) queue.running += 1;
    else await this.#turn(queue, signal);
    try {
      return await work();
    } finally {
      // A call that is done hands its place on, so no call overtakes another.
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
