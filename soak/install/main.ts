import type { Soak } from '../main.ts';
import { installAsService, unrunBlocks } from './service.ts';
import { tryAs, tryOnBookworm } from './try.ts';

export interface Step {
  name: string;
  /** What was seen, or what failed. */
  seen: string;
  seconds: number;
  passed: boolean;
}

/** Runs steps one after the other; after one that fails the rest of its machine makes no sense. */
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

const machines: Record<string, (steps: Steps) => Promise<void>> = {
  user: (steps) => tryAs('maria', steps),
  root: (steps) => tryAs('root', steps),
  debian12: tryOnBookworm,
  service: installAsService,
};

/**
 * `npm run soak -- install`: docs/installation.md and the start of README.md on empty Debian systems, each a machine of its own under
 * systemd-nspawn: every command of the document, and people who meet after it. As root, on Debian; about 25 minutes.
 */
const soak: Soak = async ({ only }) => {
  const unrun = unrunBlocks();
  if (unrun.length > 0) return { passed: false, verdict: `No machine runs these commands of docs/installation.md: ${unrun.join(', ')}` };
  const steps = new Steps();
  let failed = 0;
  for (const [name, install] of Object.entries(machines)) {
    if (only !== undefined && only !== name) continue;
    console.log(`${name}:`);
    try {
      await install(steps);
    } catch (error) {
      // Of a step it has been printed.
      if (steps.done.at(-1)?.passed !== false) console.log(`FAIL ${name}: ${String(error)}`);
      failed++;
    }
  }
  const passed = failed === 0 && steps.done.length > 0;
  return { passed, verdict: `${steps.done.filter((step) => step.passed).length} of ${steps.done.length} steps passed${passed ? '' : `; ${failed} machines failed`}` };
};
export default soak;
