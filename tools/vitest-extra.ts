import { writeFileSync } from 'node:fs';
import type { Reporter } from 'vitest/node';
import type { VitestExtra } from './reports.ts';

/** Writes data that vitest's JSON report lacks (tools/suites.ts) to the file given by RMEET_TEST_EXTRA. */
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
