import { fork } from 'node:child_process';
import { join } from 'node:path';
import { nextMessage, stopped } from '../../bench/sfu/process.ts';
import { startSoakEngine, type SoakEngine } from '../engine.ts';
import type { Soak } from '../soak.ts';
import { load, table } from '../table.ts';
import { Call, type Noticed } from './call.ts';
import { FLOODS, type Flood, type FloodKind, type FloodResult } from './flooder.ts';

const SECONDS = 10;
const QUIET_MS = 4_000;
/** What the others may notice; with a tolerance for a machine that is busy anyway. */
const LOSS_PERCENT = 1;

async function floodOnce(engine: SoakEngine, room: string, kind: FloodKind): Promise<FloodResult> {
  const options: Flood = { url: engine.url, port: engine.port, room, kind, seconds: SECONDS };
  const child = fork(join(import.meta.dirname, 'flooder.ts'), [JSON.stringify(options)]);
  try {
    return await Promise.race([nextMessage<FloodResult>(child), engine.ended]);
  } finally {
    await stopped(child);
  }
}

const cells = (noticed: Noticed): (string | number)[] => [
  noticed.lossPercent.toFixed(2),
  noticed.latencyMs,
  noticed.worstLatencyMs,
  noticed.longestGapMs,
  noticed.freezes,
];

/**
 * A call of three continues while a fourth client floods the room in one of nine ways: the flooder is disconnected, the
 * others do not notice.
 */
const floods: Soak = async ({ only }) => {
  const print = table([
    'flood        ',
    '    sent',
    'cut off ms',
    'loss %',
    'latency',
    'worst ms',
    'longest gap',
    'freezes',
    '| before: loss %',
    'latency',
    'worst ms',
    'longest gap',
    'freezes',
    'reason',
  ]);
  const failed: string[] = [];
  for (const kind of FLOODS.filter((name) => only === undefined || name === only)) {
    const engine = await startSoakEngine();
    try {
      const call = await Call.start(engine, 'call');
      await new Promise((resolve) => setTimeout(resolve, QUIET_MS));
      const before = call.noticed();
      call.begin();
      const { sent, cutOffMs, reason } = await floodOnce(engine, 'call', kind);
      const during = call.noticed();
      print([
        kind,
        sent,
        cutOffMs === undefined ? '-' : Math.round(cutOffMs),
        ...cells(during),
        ...cells(before),
        reason,
      ]);
      const well =
        cutOffMs !== undefined && call.whole && during.lossPercent <= LOSS_PERCENT && during.freezes <= before.freezes;
      if (!well) failed.push(kind);
      call.end();
    } finally {
      await engine.stop();
    }
  }
  return {
    passed: failed.length === 0,
    verdict:
      failed.length === 0
        ? `Every flooder was cut off, and the others had no freeze and at most ${LOSS_PERCENT} % of loss (${load()}).`
        : `NOT held off: ${failed.join(', ')} (${load()}).`,
  };
};
export default floods;
