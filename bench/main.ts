/** `npm run bench -- <name>`: one JSON line per figure, last line a sentence. */
import type { Benchmark } from './report.ts';

const benchmarks: Record<string, () => Promise<{ default: Benchmark }>> = {
  sfu: () => import('./sfu.ts'),
  'sfu-loss': () => import('./sfu-loss.ts'),
  'sfu-profile': () => import('./sfu-profile.ts'),
  participants: () => import('./participants.ts'),
  join: () => import('./join.ts'),
  start: () => import('./start.ts'),
  memory: () => import('./memory.ts'),
  web: () => import('./web.ts'),
  'sign-in': () => import('./sign-in.ts'),
  tenancy: () => import('./tenancy.ts'),
  users: () => import('./users.ts'),
  'user-import': () => import('./user-import.ts'),
  meetings: () => import('./meetings.ts'),
  control: () => import('./control.ts'),
  polling: () => import('./polling.ts'),
  packager: () => import('./packager.ts'),
  recording: () => import('./recording.ts'),
  live: () => import('./live.ts'),
  scenes: () => import('./scenes.ts'),
  statistics: () => import('./statistics.ts'),
};

const name = process.argv[2];
const load = name === undefined ? undefined : benchmarks[name];
if (load === undefined) {
  console.error(`Name a benchmark: ${Object.keys(benchmarks).join(', ')}.`);
  process.exit(2);
}
const { default: run } = await load();
const sentence = await run((figure) => {
  console.log(JSON.stringify({ bench: name, ...figure, value: Number(figure.value.toFixed(2)) }));
}, process.argv.slice(3));
console.log(sentence);
process.exit(0);
