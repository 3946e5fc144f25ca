import { fork } from 'node:child_process';
import { join } from 'node:path';
import type { Benchmark } from './report.ts';
import type { Crowd, CrowdStats } from './sfu/crowd.ts';
import { API_KEY, API_SECRET, startRmeet } from './sfu/engines.ts';
import { nextMessage, processorSeconds, residentMegabytes, stopped } from './sfu/process.ts';

const PEOPLE = 100;
const PICTURES = 4;
const MEASURED_MS = 10_000;

/** The resources of a hundred headless participants at 180p, in addition to the engine. */
// oxlint-disable-next-line max-lines-per-function -- one benchmark from its set-up to its figures
const participants: Benchmark = async (report) => {
  const engine = await startRmeet();
  const crowd: Crowd = {
    url: engine.served.url,
    apiKey: API_KEY,
    apiSecret: API_SECRET,
    people: PEOPLE,
    pictures: PICTURES,
  };
  const began = performance.now();
  const child = fork(join(import.meta.dirname, 'sfu', 'crowd.ts'), [JSON.stringify(crowd)]);
  const stats = (): Promise<CrowdStats> => {
    child.send('stats');
    return nextMessage(child);
  };
  try {
    await nextMessage(child);
    const setUp = performance.now() - began;
    const [before, crowdBefore, engineBefore, from] = [
      await stats(),
      processorSeconds(child.pid!),
      processorSeconds(engine.pid),
      performance.now(),
    ];
    await new Promise((resolve) => setTimeout(resolve, MEASURED_MS));
    const [after, crowdAfter, engineAfter, to] = [
      await stats(),
      processorSeconds(child.pid!),
      processorSeconds(engine.pid),
      performance.now(),
    ];
    const seconds = (to - from) / 1000;
    const received = after.receivedPackets - before.receivedPackets;
    const lost = Math.max(0, after.lost - before.lost);
    const crowdShare = (100 * (crowdAfter - crowdBefore)) / seconds;
    const engineShare = (100 * (engineAfter - engineBefore)) / seconds;
    const name = `rmeet ${PEOPLE} people, ${PICTURES} pictures each`;
    report({ case: name, figure: 'set_up', value: setUp / 1000, unit: 's' });
    report({ case: name, figure: 'participants_cpu', value: crowdShare, unit: '% of a core' });
    report({ case: name, figure: 'engine_cpu', value: engineShare, unit: '% of a core' });
    report({ case: name, figure: 'participants_memory', value: residentMegabytes(child.pid!), unit: 'MB' });
    report({
      case: name,
      figure: 'sent',
      value: (after.sentPackets - before.sentPackets) / seconds,
      unit: 'packets/s',
    });
    report({ case: name, figure: 'received', value: received / seconds, unit: 'packets/s' });
    report({
      case: name,
      figure: 'frames',
      value: (after.frames - before.frames) / seconds / PEOPLE / PICTURES,
      unit: 'frames/s per picture',
    });
    report({ case: name, figure: 'loss', value: (100 * lost) / (received + lost), unit: '%' });
    return (
      `${PEOPLE} participants at 180p, each taking ${PICTURES} pictures, use ${crowdShare.toFixed(0)} % of a ` +
      `core and the engine ${engineShare.toFixed(0)} %.`
    );
  } finally {
    await stopped(child);
    await engine.stop();
  }
};
export default participants;
