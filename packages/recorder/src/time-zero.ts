import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';

/** In the folder of a recording. */
const FILE = 'time-zero.json';
const noted = z.object({
  /** Since this start of the machine, its monotonic clock runs for all processes alike. */
  boot: z.string(),
  /** Unix time in ms of the recording's time 0, as its index has it. */
  startsAt: z.number(),
  /** The same moment by the monotonic clock, ms. */
  monotonic: z.number(),
});

/** Names the current start of this machine; undefined where the system has no name for it. */
async function currentBoot(): Promise<string | undefined> {
  return (await readFile('/proc/sys/kernel/random/boot_id', 'utf8').catch(() => undefined))?.trim();
}

/** How far the monotonic clock of the machine is ahead of `performance.now()`, which begins with the process. */
function aheadOfProcess(): number {
  return Number(process.hrtime.bigint()) / 1e6 - performance.now();
}

/** Notes the recording's time 0, ms of `performance.now()`, for the next recorder on this machine. */
export async function noteTimeZero(folder: string, startsAt: number, began: number): Promise<void> {
  const boot = await currentBoot();
  if (boot === undefined) return;
  const text = JSON.stringify({ boot, startsAt, monotonic: began + aheadOfProcess() } satisfies z.infer<typeof noted>);
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, FILE), text);
}

/**
 * The recording's time 0 as an earlier recorder on this machine noted it, ms of `performance.now()`. Undefined if none
 * did since the machine started: then only the wall clock says what time it is, which may have been set meanwhile.
 */
export async function readTimeZero(folder: string, startsAt: number): Promise<number | undefined> {
  try {
    const found = noted.parse(JSON.parse(await readFile(join(folder, FILE), 'utf8')));
    const isOfThis = found.boot === (await currentBoot()) && Math.abs(found.startsAt - startsAt) < 1;
    return isOfThis ? found.monotonic - aheadOfProcess() : undefined;
  } catch {
    // Missing, or cut off by the death of its process.
    return undefined;
  }
}
