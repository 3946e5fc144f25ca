import { existsSync } from 'node:fs';
import { join } from 'node:path';
import staticFiles from '@fastify/static';
import type { FastifyInstance } from 'fastify';

/** The pages for account holders, and for guests. */
const PAGES = /^\/(manage|admin)?\/?(index\.html)?(\?.*)?$/;

/**
 * Serves the built web app: `/`, `/manage/` and `/admin/` are its three pages. Files under assets/ have their hash in
 * the name and never change; all others are revalidated on each request. Uses the .br and .gz files from the build.
 *
 * @param isSetupOpen whether there is no account yet: then every page redirects to `/setup/`
 */
export async function serveWebApp(
  app: FastifyInstance,
  folder: string,
  isSetupOpen: () => Promise<boolean> = async () => false,
): Promise<void> {
  app.addHook('onRequest', async (request, reply) => {
    if (!PAGES.test(request.url) || !(await isSetupOpen())) return;
    return reply.header('cache-control', 'no-store').redirect('/setup/');
  });
  if (!existsSync(join(folder, 'index.html'))) {
    app.get('/', (_request, reply) =>
      reply.code(503).type('text/plain; charset=utf-8').send('The web app is not built yet: npm start builds it.'),
    );
    return;
  }
  await app.register(staticFiles, {
    root: folder,
    preCompressed: true,
    redirect: true,
    cacheControl: false,
    // The build's manifest (`.vite`) is for tools.
    dotfiles: 'ignore',
    setHeaders: (response, path) => {
      const isHashed = path.startsWith(join(folder, 'assets'));
      void response.header('cache-control', isHashed ? 'public, max-age=31536000, immutable' : 'no-cache');
    },
  });
}
