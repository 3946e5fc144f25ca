import type { FastifyInstance } from 'fastify';

/** Collects the methods of each mounted path; the function returned lists those of a concrete path. */
export function methodsOfPaths(app: FastifyInstance): (path: string) => string[] {
  const known: { pattern: RegExp; methods: Set<string> }[] = [];
  const byUrl = new Map<string, Set<string>>();
  app.addHook('onRoute', ({ url, method }) => {
    if (url.includes('*')) return;
    let methods = byUrl.get(url);
    if (!methods) {
      methods = new Set();
      byUrl.set(url, methods);
      const source = url.split('/').map((part) => (part.startsWith(':') ? '[^/]+' : part.replace(/\W/g, '\\$&'))).join('/');
      known.push({ pattern: new RegExp(`^${source}$`), methods });
    }
    for (const one of [method].flat()) methods.add(one);
  });
  return (path) => {
    const all = new Set<string>();
    for (const { pattern, methods } of known) if (pattern.test(path)) for (const method of methods) all.add(method);
    return [...all];
  };
}
