import { fork } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { loadavg } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { median, type Benchmark, type Report } from './report.ts';
import { CASES, caseNamed, sizeOf, type Case } from './sfu/cases.ts';
import {
  janusMissing,
  livekitMissing,
  startJanus,
  startLiveKit,
  startRmeet,
  type RunningEngine,
} from './sfu/engines.ts';
import type { Load, LoadStats } from './sfu/load.ts';
import { mainThreadSeconds, nextMessage, processorSeconds, residentMegabytes, stopped } from './sfu/process.ts';

/** V8 compiles frequently used functions in several steps; with few packets that takes a while. */
const WARM_UP_MS = 20_000;
/** Maximum wait after that until everything sent reaches every receiver. */
const FULL_MS = 15_000;
/** Each case is measured in windows, of which the median counts: other work on the machine comes in bursts. */
const WINDOWS = 3;
const WINDOW_MS = 4_000;
/** The other engines, and the maximum share of their processor time per packet in each case. */
const LIMITS: Record<'janus' | 'livekit', Readonly<Record<string, number>>> = {
  janus: { '1x30@1000': 0.3, '1x100@100': 0.35, '5x5': 0.45, '40x40': 0.45 },
  livekit: { '1x30@1000': 0.4, '1x100@100': 0.6, '5x5': 0.75, '40x40': 0.6 },
};
const PEERS = ['rmeet-datachannel', 'janus', 'livekit'] as const;
type Peer = (typeof PEERS)[number];

const ENGINES = {
  rmeet: { start: () => startRmeet(), missing: () => undefined },
  'rmeet-datachannel': { start: () => startRmeet({ transport: 'datachannel' }), missing: () => undefined },
  janus: { start: startJanus, missing: janusMissing },
  livekit: { start: startLiveKit, missing: livekitMissing },
} as const;
type EngineName = keyof typeof ENGINES;

interface Measured {
  /** Processor time of the engine's process per packet that reached a subscriber. */
  microseconds: number;
  deliveredPerSecond: number;
  /** Share of the packets for subscribers that did not arrive. */
  lossPercent: number;
  /** Packets dropped by the kernel on the whole machine because a receiver was too slow. */
  overflows: number;
  /** The engine's share of one core, and within it the share of its first thread. */
  corePercent: number;
  mainThreadPercent: number;
}

const wait = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** UDP packets dropped because of full receive buffers since the machine started (RFC 4113; /proc/net/snmp). */
function socketOverflows(): number {
  const [names = [], values = []] = readFileSync('/proc/net/snmp', 'utf8')
    .split('\n')
    .filter((line) => line.startsWith('Udp:'))
    .map((line) => line.split(' '));
  return Number(values[names.indexOf('RcvbufErrors')]);
}

export interface CaseResult extends Measured {
  /** Milliseconds of processor time of the engine per connection with its subscriptions, before anything is sent. */
  setUpMs: number;
  /** Kilobytes of memory of the engine per subscription, at the end. */
  subscriptionKb: number;
}

/** Figures of one interval. */
async function measureWindow(pid: number, stats: () => Promise<LoadStats>): Promise<Measured> {
  const [before, used, usedByMain, overflows, began] = [
    await stats(),
    processorSeconds(pid),
    mainThreadSeconds(pid),
    socketOverflows(),
    performance.now(),
  ];
  await wait(WINDOW_MS);
  const [after, usedNow, usedByMainNow, ended] = [
    await stats(),
    processorSeconds(pid),
    mainThreadSeconds(pid),
    performance.now(),
  ];
  const received = after.received - before.received;
  const lost = Math.max(0, after.lost - before.lost);
  return {
    microseconds: ((usedNow - used) * 1e6) / received,
    deliveredPerSecond: (received * 1000) / (ended - began),
    lossPercent: (100 * lost) / Math.max(1, received + lost),
    overflows: socketOverflows() - overflows,
    corePercent: ((usedNow - used) * 100_000) / (ended - began),
    mainThreadPercent: (100 * (usedByMainNow - usedByMain)) / Math.max(0.001, usedNow - used),
  };
}

/** One load on one newly started engine. */
export async function measure(engine: RunningEngine, load: Case): Promise<CaseResult> {
  const { connections, subscriptions } = sizeOf(load);
  const [usedBefore, memoryBefore] = [processorSeconds(engine.pid), residentMegabytes(engine.pid)];
  const options: Load = { served: engine.served, load };
  const child = fork(join(import.meta.dirname, 'sfu', 'load.ts'), [JSON.stringify(options)]);
  const tell = (what: 'go' | 'stats'): Promise<LoadStats> => {
    child.send(what);
    return nextMessage(child);
  };
  try {
    await nextMessage(child);
    const setUpMs = ((processorSeconds(engine.pid) - usedBefore) * 1000) / connections;
    await tell('go');
    await wait(WARM_UP_MS);
    // An engine that shares the estimated bandwidth must first detect that there is enough.
    const expected = load.raw ? load.raw.packetsPerSecond * load.raw.publishers * load.subscribers : 0;
    const since = performance.now();
    for (let delivered = -1; delivered < expected * 0.95 && performance.now() - since < FULL_MS;) {
      const { received } = await tell('stats');
      await wait(1_000);
      delivered = (await tell('stats')).received - received;
    }
    const windows: Measured[] = [];
    for (let n = 0; n < WINDOWS; n++) windows.push(await measureWindow(engine.pid, () => tell('stats')));
    const middle = (figure: keyof Measured): number => median(windows.map((window) => window[figure]));
    return {
      microseconds: middle('microseconds'),
      deliveredPerSecond: middle('deliveredPerSecond'),
      lossPercent: middle('lossPercent'),
      overflows: middle('overflows'),
      corePercent: middle('corePercent'),
      mainThreadPercent: middle('mainThreadPercent'),
      setUpMs,
      subscriptionKb: ((residentMegabytes(engine.pid) - memoryBefore) * 1024) / subscriptions,
    };
  } finally {
    await stopped(child);
  }
}

function reportCase(report: Report, name: string, measured: CaseResult): void {
  const figures: [figure: string, value: number, unit: string][] = [
    ['cpu_us_per_packet', measured.microseconds, 'us'],
    ['packets_per_core', 1e6 / measured.microseconds, 'packets/s'],
    ['delivered', measured.deliveredPerSecond, 'packets/s'],
    ['loss', measured.lossPercent, '%'],
    ['socket_overflows', measured.overflows, 'packets'],
    ['engine_cpu', measured.corePercent, '% of a core'],
    ['set_up_cpu', measured.setUpMs, 'ms per connection'],
    ['memory', measured.subscriptionKb, 'KB per subscription'],
    ['machine_load', loadavg()[0] ?? Number.NaN, 'load average'],
  ];
  for (const [figure, value, unit] of figures) report({ case: name, figure, value, unit });
}

/** The selected engines and cases: `--case 1x30@1000,5x5 --engines rmeet,janus`; default: all of them. */
function chosen(args: readonly string[]): { cases: Case[]; engines: EngineName[] } {
  const { values } = parseArgs({ args: [...args], options: { case: { type: 'string' }, engines: { type: 'string' } } });
  const names = values.case?.split(',') ?? CASES.map(({ name }) => name);
  const engines = values.engines?.split(',') ?? Object.keys(ENGINES);
  const cases = names.map(caseNamed);
  if (cases.includes(undefined) || engines.some((name) => !(name in ENGINES))) {
    throw new Error(
      `Cases are ${CASES.map(({ name }) => name).join(', ')}, and 1x<subscribers>@<packets a second>; engines are ` +
        `${Object.keys(ENGINES).join(', ')}.`,
    );
  }
  return { cases: cases as Case[], engines: engines as EngineName[] };
}

/**
 * The share of another engine's processor time in a case, with its limit; undefined if one of both was not measured.
 */
function comparison(name: string, peer: Peer, results: ReadonlyMap<EngineName, CaseResult>): string | undefined {
  const [own, other] = [results.get('rmeet'), results.get(peer)];
  if (!own || !other) return undefined;
  const most = peer === 'rmeet-datachannel' ? undefined : LIMITS[peer][name];
  const share = own.microseconds / other.microseconds;
  const limit = most === undefined ? '' : share <= most ? ` (at most ${most})` : ` (MORE than ${most})`;
  return `${name} ${share.toFixed(2)}${limit}`;
}

/**
 * Processor time per forwarded packet, the cost to set up a connection and to hold a subscription: the engines in turn,
 * case by case.
 */
const sfu: Benchmark = async (report, args) => {
  const { cases, engines } = chosen(args);
  const notes = engines.flatMap((name) => ENGINES[name].missing() ?? []);
  const ratios: Record<Peer, string[]> = { 'rmeet-datachannel': [], janus: [], livekit: [] };
  const overloaded: string[] = [];
  for (const load of cases) {
    const results = new Map<EngineName, CaseResult>();
    for (const name of engines) {
      if (ENGINES[name].missing() !== undefined) continue;
      const engine = await ENGINES[name].start();
      try {
        const measured = await measure(engine, load);
        results.set(name, measured);
        reportCase(report, `${name} ${load.name}`, measured);
        if (measured.lossPercent > 2) overloaded.push(`${name} ${load.name}`);
      } finally {
        await engine.stop();
      }
    }
    for (const peer of PEERS) {
      const text = comparison(load.name, peer, results);
      if (text !== undefined) ratios[peer].push(text);
    }
  }
  for (const peer of PEERS)
    if (ratios[peer].length > 0)
      notes.unshift(`Processor time per forwarded packet, rmeet to ${peer}: ${ratios[peer].join(', ')}.`);
  if (overloaded.length > 0)
    notes.push(`Not all packets arrived, so engine, load or machine was overloaded, in: ${overloaded.join(', ')}.`);
  return notes.join(' ') || 'Measured without a peer to compare with.';
};
export default sfu;
