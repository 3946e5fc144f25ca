import { fileURLToPath } from 'node:url';
import { buildSite } from '@rmeet/manual/site';
import type { Plugin } from 'vite';

/** The script of the manual's pages, an input of the build of its own. */
export const MANUAL_SCRIPT = fileURLToPath(new URL('../src/entries/help/help.ts', import.meta.url));

/** Writes the manual (packages/manual) as static pages to `help/`, with the built script and styles of this app. */
export function manualSite(): Plugin {
  return {
    name: 'rmeet-manual',
    apply: 'build',
    generateBundle(_options, bundle) {
      const chunk = Object.values(bundle).find((one) => one.type === 'chunk' && one.facadeModuleId === MANUAL_SCRIPT);
      if (chunk?.type !== 'chunk') throw new Error('The script of the manual was not built.');
      const styles = [...(chunk.viteMetadata?.importedCss ?? [])].map((file) => `/${file}`);
      for (const { path, content } of buildSite({ script: `/${chunk.fileName}`, styles }))
        this.emitFile({ type: 'asset', fileName: `help/${path}`, source: content });
    },
  };
}
