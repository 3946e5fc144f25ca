export interface Step {
  name: string;
  /** What was seen, or the failure. */
  seen: string;
  seconds: number;
  passed: boolean;
}

/** Runs steps one after the other; after a failure, the rest of its machine is skipped. */
export class Steps {
  readonly done: Step[] = [];

  async run<T>(name: string, work: () => Promise<{ seen: string; value: T }>): Promise<T> {
    const began = Date.now();
    const note = (seen: string, passed: boolean): void => {
      const step = { name, seen, seconds: Math.round((Date.now() - began) / 1_000), passed };
      this.done.push(step);
      console.log(`${passed ? 'ok  ' : 'FAIL'} ${String(step.seconds).padStart(4)} s  ${name}: ${seen}`);
    };
    try {
      const { seen, value } = await work();
      note(seen, true);
      return value;
    } catch (error) {
      note(String(error), false);
      throw error;
    }
  }
}
