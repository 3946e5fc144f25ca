import { fork } from 'node:child_process';
import { join } from 'node:path';
import { median, type Benchmark, type Report } from './report.ts';
import { janusMissing, startJanus, startRmeet, type RunningEngine } from './sfu/engines.ts';
import type { Load, LoadStats } from './sfu/load.ts';
import { nextMessage, processorSeconds, stopped } from './sfu/process.ts';

const SUBSCRIBERS = [30, 100];
const RATES = [100, 1_000];
const PACKET_SIZE = 1_100;
const WARM_UP_MS = 2_000;
/** Each case is measured in windows, of which the middle one counts: other work on the machine comes in bursts. */
const WINDOWS = 3;
const WINDOW_MS = 4_000;
const GOAL = 0.5;

interface Measured {
  /** Processor time of the engine's process per packet that reached a subscriber. */
  microseconds: number;
  deliveredPerSecond: number;
  /** Share of the expected packets that came. */
  lossPercent: number;
}

const wait = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

export async function measure(engine: RunningEngine, subscribers: number, packetsPerSecond: number): Promise<Measured> {
  const load: Load = { served: engine.served, subscribers, packetsPerSecond, size: PACKET_SIZE };
  const child = fork(join(import.meta.dirname, 'sfu', 'load.ts'), [JSON.stringify(load)]);
  const stats = (): Promise<LoadStats> => {
    child.send('stats');
    return nextMessage(child);
  };
  try {
    await nextMessage(child);
    await wait(WARM_UP_MS);
    const windows: Measured[] = [];
    for (let n = 0; n < WINDOWS; n++) {
      const [before, used, began] = [await stats(), processorSeconds(engine.pid), performance.now()];
      await wait(WINDOW_MS);
      const [after, usedNow, ended] = [await stats(), processorSeconds(engine.pid), performance.now()];
      const received = after.received - before.received;
      const expected = subscribers * packetsPerSecond * (ended - began) / 1000;
      windows.push({
        microseconds: (usedNow - used) * 1e6 / received, deliveredPerSecond: received * 1000 / (ended - began),
        lossPercent: Math.max(0, 100 * (1 - received / expected)),
      });
    }
    const middle = (figure: keyof Measured): number => median(windows.map((window) => window[figure]));
    return { microseconds: middle('microseconds'), deliveredPerSecond: middle('deliveredPerSecond'), lossPercent: middle('lossPercent') };
  } finally {
    await stopped(child);
  }
}

function reportCase(report: Report, name: string, measured: Measured): void {
  report({ case: name, figure: 'cpu_us_per_packet', value: measured.microseconds, unit: 'us' });
  report({ case: name, figure: 'delivered', value: measured.deliveredPerSecond, unit: 'packets/s' });
  report({ case: name, figure: 'loss', value: measured.lossPercent, unit: '%' });
}

/** Processor time per forwarded packet: one publisher to many subscribers, the embedded engine and Janus in turn. */
const sfu: Benchmark = async (report) => {
  const missing = janusMissing();
  const ratios: string[] = [];
  const overloaded: string[] = [];
  for (const subscribers of SUBSCRIBERS) {
    for (const rate of RATES) {
      const results = new Map<string, Measured>();
      for (const [name, start] of [['rmeet', startRmeet], ['janus', startJanus]] as const) {
        if (name === 'janus' && missing) continue;
        const engine = await start();
        try {
          const measured = await measure(engine, subscribers, rate);
          results.set(name, measured);
          reportCase(report, `${name} 1x${subscribers}@${rate}`, measured);
          if (measured.lossPercent > 2) overloaded.push(`${name} 1x${subscribers}@${rate}`);
        } finally {
          await engine.stop();
        }
      }
      const [own, other] = [results.get('rmeet'), results.get('janus')];
      if (own && other) ratios.push(`1x${subscribers}@${rate} ${(own.microseconds / other.microseconds).toFixed(2)}`);
    }
  }
  const comparison = ratios.length > 0
    ? `Processor time per forwarded packet, rmeet to janus: ${ratios.join(', ')} (goal: at most ${GOAL}).`
    : `Processor time per forwarded packet of rmeet alone. ${missing}`;
  return overloaded.length > 0 ? `${comparison} Not all packets arrived, so the machine was overloaded, in: ${overloaded.join(', ')}.` : comparison;
};
export default sfu;
