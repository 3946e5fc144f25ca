/**
 * `npm run soak -- <name>`: long runs against the embedded engine and the server. Prints a table while running; the
 * last line is the verdict.
 */
import { parseArgs } from 'node:util';
import type { Soak } from './soak.ts';

const soaks: Record<string, () => Promise<{ default: Soak }>> = {
  joins: () => import('./joins/main.ts'),
  fuzz: () => import('./fuzz/main.ts'),
  floods: () => import('./floods/main.ts'),
  sctp: () => import('./sctp/main.ts'),
  sync: () => import('./sync/main.ts'),
  kills: () => import('./kills/main.ts'),
  office: () => import('./office/main.ts'),
  connections: () => import('./connections/main.ts'),
  programme: () => import('./programme/main.ts'),
  recording: () => import('./recording/main.ts'),
  'recording-hour': () => import('./recording-hour/main.ts'),
  disks: () => import('./disks/main.ts'),
  power: () => import('./power/main.ts'),
  install: () => import('./install/main.ts'),
  'recording-kills': () => import('./recording-kills/main.ts'),
  broadcast: () => import('./broadcast/main.ts'),
  'active-directory': () => import('./active-directory/main.ts'),
  directory: () => import('./directory/main.ts'),
  files: () => import('./files/main.ts'),
  documents: () => import('./documents/main.ts'),
  transport: () => import('./transport/main.ts'),
};

const {
  positionals: [name = ''],
  values,
} = parseArgs({
  allowPositionals: true,
  options: {
    count: { type: 'string' },
    minutes: { type: 'string' },
    seed: { type: 'string' },
    only: { type: 'string' },
    postgres: { type: 'boolean' },
    meetings: { type: 'string' },
  },
});
const load = soaks[name];
if (load === undefined) {
  console.error(
    `Name a soak: ${Object.keys(soaks).join(', ')}. Options: ` +
      '--count N, --minutes M, --seed S, --only <kind>, --postgres, --meetings N.',
  );
  process.exit(2);
}
const { default: run } = await load();
const { passed, verdict } = await run({
  ...(values.count === undefined ? {} : { count: Number(values.count) }),
  ...(values.minutes === undefined ? {} : { minutes: Number(values.minutes) }),
  ...(values.seed === undefined ? {} : { seed: Number(values.seed) }),
  ...(values.only === undefined ? {} : { only: values.only }),
  ...(values.postgres === undefined ? {} : { postgres: values.postgres }),
  ...(values.meetings === undefined ? {} : { meetings: Number(values.meetings) }),
});
console.log(verdict);
process.exit(passed ? 0 : 1);
