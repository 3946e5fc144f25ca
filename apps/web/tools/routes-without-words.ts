import { parseAst, type Plugin } from 'vite';

/** What the browser needs of a route to call it. The rest is for the server, the documents and the tests. */
const NEEDED = new Set(['method', 'path', 'multipart']);
/** Functions that declare routes; `command` passes method and path on to `route`. */
const DECLARING = new Set(['route', 'command']);
const CONTRACT = /\/packages\/contract\/src\/[\w-]+\.ts$/;

type Node = Record<string, unknown> & { type: string; start: number; end: number };

/** Leaves out of the contract's routes all but method and path, and whether files come along: schemas, examples and sentences weigh about as much as React does. */
export function routesWithoutWords(): Plugin {
  return {
    name: 'routes-without-words',
    apply: 'build',
    enforce: 'pre',
    transform(code, id) {
      if (!CONTRACT.test(id)) return null;
      const unneeded = [...nodesOf(parseAst(code, { lang: 'ts' }))].filter(isRoute).flatMap(unneededOf);
      let left = code;
      for (const { start, end } of unneeded.sort((a, b) => b.start - a.start)) left = left.slice(0, start) + left.slice(end).replace(/^\s*,/, '');
      return { code: left, map: null };
    },
  };
}

function isRoute(node: Node): boolean {
  return node.type === 'CallExpression' && DECLARING.has((node['callee'] as { name?: string }).name ?? '');
}

function unneededOf(call: Node): Node[] {
  const [definition] = call['arguments'] as [Node];
  return (definition['properties'] as Node[]).filter((property) => property.type !== 'Property' || !NEEDED.has((property['key'] as { name: string }).name));
}

function* nodesOf(value: unknown): Generator<Node> {
  if (typeof value !== 'object' || value === null) return;
  if ('type' in value && 'start' in value) yield value as Node;
  for (const child of Object.values(value)) yield* nodesOf(child);
}
