import { writeFileSync } from 'node:fs';
import type { Reporter } from 'vitest/node';
import type { VitestExtra } from './reports.ts';

/** Writes what vitest's JSON report leaves out (tools/suites.ts) to the file that RMEET_TEST_EXTRA names. */
export default class implements Reporter {
  /** Vitest calls it once, after the last file. */
  onTestRunEnd(...[files, errors]: Parameters<NonNullable<Reporter['onTestRunEnd']>>): void {
    const seconds = files.map((file) => {
      const { environmentSetupDuration, prepareDuration, collectDuration, setupDuration, duration } = file.diagnostic();
      return [
        file.moduleId,
        (environmentSetupDuration + prepareDuration + collectDuration + setupDuration + duration) / 1000,
      ] as const;
    });
    const extra: VitestExtra = {
      seconds: Object.fromEntries(seconds),
      unhandled: errors.map(({ stack, message }) => stack ?? message),
    };
    writeFileSync(process.env['RMEET_TEST_EXTRA'] ?? '/dev/null', JSON.stringify(extra));
  }
}
