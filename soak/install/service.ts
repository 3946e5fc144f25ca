import type { Steps } from './main.ts';
export async function installAsService(_: Steps): Promise<void> {}
