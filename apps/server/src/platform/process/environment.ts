import { fileURLToPath } from 'node:url';

/**
 * Where Node keeps what it compiled, which halves the time to load the server. Node goes on without it where it may not
 * write.
 */
const COMPILE_CACHE = fileURLToPath(new URL('../../../../../node_modules/.cache/rmeet/compiled', import.meta.url));

/**
 * Megabytes of each half of V8's space for new objects. On a machine with much memory V8 lets both grow to 128 MB,
 * fills them while a process loads its modules, and keeps them. Smaller ones are collected more often and each time
 * sooner; below 8 that costs requests time.
 */
const NEW_SPACE = '--max-semi-space-size=8';

/**
 * What the server and media processes are started with, beside what the supervisor was: settings that keep them small
 * at rest. What the environment says already wins.
 */
export function environmentOfProcesses(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return {
    NODE_COMPILE_CACHE: COMPILE_CACHE,
    // glibc gives each thread an arena of its own, and of each what a hash of a password took (19 MB) stays with the
    // process.
    MALLOC_ARENA_MAX: '1',
    ...env,
    NODE_OPTIONS: [NEW_SPACE, env['NODE_OPTIONS']].filter(Boolean).join(' '),
  };
}
