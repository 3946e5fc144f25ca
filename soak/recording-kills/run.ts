import { setTimeout as sleep } from 'node:timers/promises';
import { until } from '@rmeet/testkit';
import { Random } from '../fuzz/random.ts';
import { Beacon } from './beacon.ts';
import { makeFault, type Fault, type FaultKind, type Stage } from './faults.ts';
import { judgeMeeting, type MeetingVerdict } from './judge.ts';
import { RecordedMeeting } from './meeting.ts';
import { Product, type ProductOptions } from './product.ts';

/** All are recorded again within this after a fault; a process that fails often is started again with a delay. */
const AGAIN_WITHIN = { within: 90_000, every: 100 };

export interface RecordOptions extends ProductOptions {
  meetings: number;
  kinds: readonly FaultKind[];
  seed: number;
  awayFor: Stage['awayFor'];
  /** How long it is quiet after each fault before all have to be recorded again, and how much longer by chance; ms. */
  quiet: { least: number; more: number };
  /** Called for each fault. */
  onFault?: (fault: Fault) => void;
}

export interface RecordReport {
  faults: Fault[];
  verdicts: MeetingVerdict[];
  /** What the processes printed. */
  log: string;
}

/** Makes the faults one after the other while meetings are recorded. */
async function makeFaults(stage: Stage, { kinds, seed, quiet, onFault }: RecordOptions): Promise<Fault[]> {
  const random = new Random(seed);
  const faults: Fault[] = [];
  for (const kind of kinds) {
    const fault = await makeFault(stage, kind, faults.filter((one) => one.kind === kind).length);
    faults.push(fault);
    await sleep(quiet.least);
    try {
      await until('all are recorded again', () => stage.meetings.every((one) => one.isRecording), AGAIN_WITHIN);
    } catch (error) {
      fault.wrong.push(String(error));
    }
    onFault?.(fault);
    await sleep(quiet.more * random.next());
  }
  return faults;
}

/** Records meetings through faults, and judges the recordings when they are complete. */
export async function recordThrough(options: RecordOptions): Promise<RecordReport> {
  const product = await Product.start(options);
  const beacon = new Beacon();
  const meetings: RecordedMeeting[] = [];
  try {
    const chair = await product.server.api.as('chair');
    for (let n = 0; n < options.meetings; n += 1) meetings.push(await RecordedMeeting.start(product, chair, beacon, n));
    await sleep(options.quiet.least);
    const faults = await makeFaults({ product, meetings, awayFor: options.awayFor }, options);
    for (const meeting of meetings) await meeting.end();
    beacon.stop();
    const verdicts: MeetingVerdict[] = [];
    for (const meeting of meetings) verdicts.push(await judgeMeeting(product, meeting, faults, beacon.stalls));
    return { faults, verdicts, log: product.server.log() };
  } catch (error) {
    throw new Error(`${String(error)}\n${product.server.log().slice(-3_000)}`, { cause: error });
  } finally {
    beacon.stop();
    for (const meeting of meetings) meeting.close();
    await product.stop();
  }
}
