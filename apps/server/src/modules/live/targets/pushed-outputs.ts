import type { Quality } from '@rmeet/live';
import { ProgrammePushes } from '@rmeet/recorder';
import { RunningPushes, type RunningPushesDeps } from './running-pushes.ts';

/** How often people's wishes are read, ms. */
const FOLLOW_EVERY = 1_000;

type Recording = RunningPushesDeps['recording'];

/** Takes a programme as it is made. */
interface ProgrammeOutput {
  takeInit(number: number, data: Buffer): void;
  takePart(part: Parameters<ProgrammePushes['takePart']>[0]): void;
}

/** Where the programmes of a recorder process go, besides the disk. */
interface Outputs {
  open(recording: Recording, startsAt: number, quality?: Quality): ProgrammeOutput;
  end(recordingId: string): void;
  leave(recordingId: string): void;
}

/** Pushes a programme to the targets of its broadcast. */
class Pushed {
  readonly pushes: ProgrammePushes;
  readonly #running: RunningPushes;
  readonly #timer: NodeJS.Timeout;
  #isFailing = false;

  constructor(deps: RunningPushesDeps) {
    const running = new RunningPushes(deps);
    this.pushes = new ProgrammePushes({ onState: (id, state, reason) => void running.note(id, state, reason) });
    this.#running = running;
    this.#timer = setInterval(() => void this.#follow(deps), FOLLOW_EVERY);
  }

  async #follow({ log, recording: { id } }: RunningPushesDeps): Promise<void> {
    try {
      await this.#running.follow(this.pushes);
      this.#isFailing = false;
    } catch (error) {
      // What is pushed goes on.
      if (!this.#isFailing) log.warn({ error, recordingId: id }, 'The push targets of a broadcast could not be read');
      this.#isFailing = true;
    }
  }

  close(): void {
    clearInterval(this.#timer);
    this.pushes.set([]);
  }
}

/** The outputs of a recorder process, which go to the targets of their broadcasts, too. */
export function withPushes<O extends Outputs>(outputs: O, deps: Omit<RunningPushesDeps, 'recording'>): O {
  const pushed = new Map<string, Pushed>();
  const close = (recordingId: string): void => {
    pushed.get(recordingId)?.close();
    pushed.delete(recordingId);
  };
  return {
    ...outputs,
    open(recording, startsAt, quality = 'high') {
      const output = outputs.open(recording, startsAt, quality);
      if (quality !== 'high') return output;
      close(recording.id);
      const push = new Pushed({ ...deps, recording });
      pushed.set(recording.id, push);
      const { pushes } = push;
      return {
        takeInit(number, data) {
          output.takeInit(number, data);
          pushes.takeInit(number, data);
        },
        takePart(part) {
          output.takePart(part);
          pushes.takePart(part);
        },
      };
    },
    end(recordingId) {
      close(recordingId);
      outputs.end(recordingId);
    },
    leave(recordingId) {
      close(recordingId);
      outputs.leave(recordingId);
    },
  };
}
