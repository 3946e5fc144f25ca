import { fileURLToPath } from 'node:url';

/**
 * Folder of Node's compile cache, which halves the load time of the server. If it is not writable, Node continues
 * without it.
 */
const COMPILE_CACHE = fileURLToPath(new URL('../../../../../node_modules/.cache/rmeet/compiled', import.meta.url));

/**
 * Megabytes of each half of V8's space for new objects. On a machine with much memory, V8 lets both grow to 128 MB,
 * fills them while a process loads its modules, and keeps them. Smaller ones are collected more often but faster; below
 * 8, requests become slower.
 */
const NEW_SPACE = '--max-semi-space-size=8';

/**
 * Additional environment of the server and media processes, compared with the supervisor's: settings that keep their
 * memory small at rest. Values already in the environment take precedence.
 */
export function environmentOfProcesses(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return {
    NODE_COMPILE_CACHE: COMPILE_CACHE,
    // glibc gives each thread its own arena, and the memory for hashing a password (19 MB) stays allocated in each of
    // them.
    MALLOC_ARENA_MAX: '1',
    ...env,
    NODE_OPTIONS: [NEW_SPACE, env['NODE_OPTIONS']].filter(Boolean).join(' '),
  };
}
