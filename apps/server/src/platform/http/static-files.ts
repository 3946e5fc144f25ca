import { existsSync } from 'node:fs';
import { join } from 'node:path';
import staticFiles from '@fastify/static';
import type { FastifyInstance } from 'fastify';

/**
 * Serves the built web app: `/`, `/manage/` and `/admin/` are its three pages. Files under assets/ carry their hash in
 * their name and never change; everything else is asked for again. Uses the .br and .gz files the build wrote.
 */
export async function serveWebApp(app: FastifyInstance, folder: string): Promise<void> {
  if (!existsSync(join(folder, 'index.html'))) {
    app.get('/', (_request, reply) => reply.code(503).type('text/plain; charset=utf-8').send('The web app is not built yet: npm start builds it.'));
    return;
  }
  await app.register(staticFiles, {
    root: folder,
    preCompressed: true,
    redirect: true,
    cacheControl: false,
    setHeaders: (response, path) => {
      const isHashed = path.startsWith(join(folder, 'assets'));
      void response.header('cache-control', isHashed ? 'public, max-age=31536000, immutable' : 'no-cache');
    },
  });
}
