import { fileURLToPath } from 'node:url';
import type { Rolldown } from 'vite';

const isHtml = (id: string): boolean => id.endsWith('.html');

type Output = NonNullable<Rolldown.OutputOptions['codeSplitting']>;
type Modules = { getModuleInfo: (id: string) => { importedIds: readonly string[] } | null };

/** The setup page is a static import of its entry alone; no other page needs it. */
const SETUP = /\/src\/features\/setup\//;
/** The pages of the manual are static: their script has no part of the app. Links to them need their addresses only. */
const MANUAL = /\/packages\/manual\/(?!src\/page-ids\.ts)|\/src\/entries\/help\//;
/** The sign-in page with what the steps behind it use, too; not those steps, which are in folders. */
const SIGN_IN = /\/src\/(?:features\/auth\/[^/]+|lib\/captcha)\.tsx?$/;
/** What signed-in pages know of their account. */
const ACCOUNT = new RegExp(
  '/contract/src/(?:accounts/(?:account-roles|permissions|second-factor|sign-in|tenants)|recordings/settings)\\.ts$|' +
    '/src/lib/(?:api/clients/(?:permissions|tenants|users)|loadAccess|profile)\\.ts$|/queryOptions\\.js$',
);

const antd = (part: string) =>
  fileURLToPath(new URL(`../../../node_modules/antd/es/${part}/index.js`, import.meta.url));

/**
 * Puts what every page starts with into one chunk. Left alone, the build makes a chunk of each combination of entries
 * that share a module: 20 files at the start of a page, of which each costs about 1 KB of response headers and
 * compresses less well than the whole. The same holds for the sign-in page, and for the theme, which all pages with
 * antd load.
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
        if (info === null || SETUP.test(id) || MANUAL.test(id)) return null;
        // Entries run when they are loaded, and what is imported dynamically, too, is a file of its own.
        const isEntry = info.isEntry || (info.importers.some(isHtml) && !id.startsWith('\0'));
        return isEntry || info.dynamicImporters.length > 0 ? null : 'start';
      },
    },
    { debugName: 'sign-in', name: (id) => (SIGN_IN.test(id) ? 'auth' : null) },
    { debugName: 'account', name: (id) => (ACCOUNT.test(id) ? 'account' : null) },
    { debugName: 'theme', name: withImportsOf('theme', antd('config-provider')) },
    { debugName: 'select', name: withImportsOf('select', antd('select')) },
  ],
};

/** Names the chunk of a module and of all that it imports, directly or not. */
function withImportsOf(name: string, module: string) {
  let found: Set<string> | undefined;
  return (id: string, modules: Modules): string | null => {
    found ??= importsOf(module, modules);
    return found.has(id) ? name : null;
  };
}

function importsOf(module: string, modules: Modules): Set<string> {
  const found = new Set<string>();
  const add = (id: string): void => {
    if (found.has(id)) return;
    found.add(id);
    modules.getModuleInfo(id)?.importedIds.forEach(add);
  };
  add(module);
  return found;
}
