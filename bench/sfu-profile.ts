import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Benchmark } from './report.ts';
import { measure } from './sfu.ts';
import { CASES } from './sfu/cases.ts';
import { startRmeet } from './sfu/engines.ts';

const ROOT = join(import.meta.dirname, '..');
const SHOWN = 30;

/** The output of V8 with --cpu-prof: nodes of the call tree, samples by node, and the microseconds between them. */
interface Profile {
  nodes: { id: number; callFrame: { functionName: string; url: string; lineNumber: number } }[];
  samples: number[];
  timeDeltas: number[];
}

function moduleOf(url: string): string {
  if (url === '') return 'native';
  if (!url.startsWith('file:')) return url.replace(/^node:.*/, 'node');
  const path = relative(ROOT, fileURLToPath(url));
  return path.replace(/^.*node_modules\/((?:@[^/]+\/)?[^/]+)\/.*$/, '$1');
}

/** Microseconds by function and by module; without idle time. */
function selfTimes({ nodes, samples, timeDeltas }: Profile): {
  functions: Map<string, number>;
  modules: Map<string, number>;
  total: number;
} {
  const byId = new Map(nodes.map((node) => [node.id, node.callFrame]));
  const [functions, modules] = [new Map<string, number>(), new Map<string, number>()];
  let total = 0;
  samples.forEach((id, i) => {
    const { functionName, url, lineNumber } = byId.get(id)!;
    if (functionName === '(idle)') return;
    const time = timeDeltas[i] ?? 0;
    const module = moduleOf(url);
    const line = lineNumber >= 0 && url !== '' ? `:${lineNumber + 1}` : '';
    const name = `${functionName || '(anonymous)'} ${module}${line}`;
    functions.set(name, (functions.get(name) ?? 0) + time);
    modules.set(module, (modules.get(module) ?? 0) + time);
    total += time;
  });
  return { functions, modules, total };
}

const largest = (times: Map<string, number>): [string, number][] => [...times].sort((a, b) => b[1] - a[1]);

/**
 * Where the engine's main thread spends its time under load. The profiler itself takes time: the figures are shares,
 * not comparable with `sfu`.
 */
const profile: Benchmark = async (report, args) => {
  const names = args[0] === '--case' && args[1] ? args[1].split(',') : ['1x30@1000', '1x100@1000'];
  for (const load of CASES.filter(({ name }) => names.includes(name))) {
    const folder = mkdtempSync(join(tmpdir(), 'rmeet-profile-'));
    const engine = await startRmeet({
      execArgv: ['--cpu-prof', `--cpu-prof-dir=${folder}`, '--cpu-prof-interval=500'],
    });
    try {
      const { microseconds, mainThreadPercent } = await measure(engine, load);
      report({ case: `rmeet ${load.name} profiled`, figure: 'cpu_us_per_packet', value: microseconds, unit: 'us' });
      report({
        case: `rmeet ${load.name} profiled`,
        figure: 'main_thread',
        value: mainThreadPercent,
        unit: '% of the process',
      });
    } finally {
      await engine.stop();
    }
    const files = readdirSync(folder).filter((file) => file.endsWith('.cpuprofile'));
    for (const file of files) {
      const { functions, modules, total } = selfTimes(JSON.parse(readFileSync(join(folder, file), 'utf8')) as Profile);
      for (const [title, times] of [
        ['module', modules],
        ['function', functions],
      ] as const) {
        console.log(`\n${load.name}: self time of the main thread by ${title}`);
        for (const [name, time] of largest(times).slice(0, SHOWN))
          console.log(`${((100 * time) / total).toFixed(1).padStart(6)} %  ${name}`);
      }
    }
    rmSync(folder, { recursive: true, force: true });
  }
  return (
    'Shares of the main thread by function and module are above; ' +
    "the rest of the process is libdatachannel's threads."
  );
};
export default profile;
