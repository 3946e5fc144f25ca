import type { Engine, EngineOptions } from './options.ts';

/** Starts the engine. Rejects when a port is taken. */
export async function start(options: EngineOptions): Promise<Engine> {
  await Promise.reject(new Error(`not built yet (${options.port})`));
  throw new Error('unreachable');
}
