import type { Rolldown } from 'vite';

const isHtml = (id: string): boolean => id.endsWith('.html');

type Output = NonNullable<Rolldown.OutputOptions['codeSplitting']>;

/** The setup page is a static import of its entry alone; no other page needs it. */
const SETUP = /\/src\/features\/setup\//;

/**
 * Puts what every page starts with into one chunk. Left alone, the build makes a chunk of each combination of entries
 * that share a module: 20 files at the start of a page, of which each costs about 1 KB of response headers and
 * compresses less well than the whole.
 */
export const startChunk: Output = {
  // What the start of a page imports is part of it already ($initial); what else its modules name is not used there.
  includeDependenciesRecursively: false,
  groups: [
    {
      debugName: 'start',
      tags: ['$initial'],
      name: (id, context) => {
        const info = context.getModuleInfo(id);
        if (info === null || SETUP.test(id)) return null;
        // Entries run when they are loaded, and what is imported dynamically, too, is a file of its own.
        const isEntry = info.isEntry || (info.importers.some(isHtml) && !id.startsWith('\0'));
        return isEntry || info.dynamicImporters.length > 0 ? null : 'start';
      },
    },
  ],
};
