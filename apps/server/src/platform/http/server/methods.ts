import type { FastifyInstance } from 'fastify';

const parametersIn = (url: string): number => url.split('/:').length - 1;

/**
 * Collects the methods of each mounted path; the returned function lists those of a concrete path. If several match,
 * such as `/users/:id` and `/users/me`, the most specific path counts.
 */
export function methodsOfPaths(app: FastifyInstance): (path: string) => string[] {
  const known: { pattern: RegExp; parameters: number; methods: Set<string> }[] = [];
  const byUrl = new Map<string, Set<string>>();
  app.addHook('onRoute', ({ url, method }) => {
    if (url.includes('*')) return;
    let methods = byUrl.get(url);
    if (!methods) {
      methods = new Set();
      byUrl.set(url, methods);
      const source = url
        .split('/')
        .map((part) => (part.startsWith(':') ? '[^/]+' : part.replace(/\W/g, '\\$&')))
        .join('/');
      known.push({ pattern: new RegExp(`^${source}$`), parameters: parametersIn(url), methods });
    }
    for (const one of [method].flat()) methods.add(one);
  });
  return (path) => {
    const [closest] = known
      .filter(({ pattern }) => pattern.test(path))
      .toSorted((one, other) => one.parameters - other.parameters);
    return [...(closest?.methods ?? [])];
  };
}
