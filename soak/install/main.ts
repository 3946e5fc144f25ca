import type { Soak } from '../soak.ts';
import { Steps } from './steps.ts';
import { installAsService, unrunBlocks } from './service.ts';
import { tryAs, tryOnBookworm } from './try.ts';

const machines: Record<string, (steps: Steps) => Promise<void>> = {
  user: (steps) => tryAs('maria', steps),
  root: (steps) => tryAs('root', steps),
  debian12: tryOnBookworm,
  service: installAsService,
};

/**
 * `npm run soak -- install`: docs/installation.md and the start of README.md on empty Debian systems, each a separate
 * machine under systemd-nspawn: every command of the document, and a meeting of people afterwards. As root, on Debian;
 * about 25 minutes.
 */
const soak: Soak = async ({ only }) => {
  const unrun = unrunBlocks();
  if (unrun.length > 0)
    return { passed: false, verdict: `No machine runs these commands of docs/installation.md: ${unrun.join(', ')}` };
  const steps = new Steps();
  let failed = 0;
  for (const [name, install] of Object.entries(machines)) {
    if (only !== undefined && only !== name) continue;
    console.log(`${name}:`);
    try {
      await install(steps);
    } catch (error) {
      // The failure of a step has been printed already.
      if (steps.done.at(-1)?.passed !== false) console.log(`FAIL ${name}: ${String(error)}`);
      failed++;
    }
  }
  const passed = failed === 0 && steps.done.length > 0;
  return {
    passed,
    verdict:
      `${steps.done.filter((step) => step.passed).length} of ${steps.done.length} steps ` +
      `passed${passed ? '' : `; ${failed} machines failed`}`,
  };
};
export default soak;
