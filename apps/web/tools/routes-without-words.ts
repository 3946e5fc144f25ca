import { parseAst, type Plugin } from 'vite';

/** What the browser needs of a route to call it. The rest is for the server, the documents and the tests. */
const NEEDED = new Set(['method', 'path', 'multipart']);
/** Functions that declare routes; `command` passes method and path on to `route`. */
const DECLARING = new Set(['route', 'command']);
/** What every route says by a property of its own: what a spread brings is left out with it. */
const OWN = ['method', 'path'] as const;
const MADE = new Set(['CallExpression', 'NewExpression']);
const CONTRACT = /\/packages\/(?:contract|conference)\/src\/(?:[\w-]+\/)*[\w-]+\.ts$/;

type Node = Record<string, unknown> & { type: string; start: number; end: number };

/**
 * Leaves out of the contract's routes all but method and path, and whether files come along: schemas, examples and
 * sentences weigh about as much as React does. Constants that calls make, schemas above all, fall away where they are
 * not used: the modules of the contract only declare.
 */
export function routesWithoutWords(): Plugin {
  return {
    name: 'routes-without-words',
    apply: 'build',
    enforce: 'pre',
    transform(code, id) {
      if (!CONTRACT.test(id)) return null;
      const program = parseAst(code, { lang: 'ts' }) as unknown as Node;
      const routes = [...nodesOf(program)].filter(isRoute);
      for (const call of routes) {
        const lacking = OWN.filter((name) => !propertiesOf(call).some((property) => keyOf(property) === name));
        if (lacking.length > 0)
          throw new Error(
            `${id}:${lineOf(code, call)}: a route says its ${lacking.join(' and ')} by a property of its own; ` +
              'browsers could not call it otherwise.',
          );
      }
      const edits = [...routes.flatMap(unneededOf).map(leftOut), ...madeConstants(program).flatMap(asPure)];
      let left = code;
      for (const { start, end, text, andComma } of edits.sort((a, b) => b.start - a.start))
        left = left.slice(0, start) + text + left.slice(end).replace(andComma ? /^\s*,/ : '', '');
      return { code: left, map: null };
    },
  };
}

interface Edit {
  start: number;
  end: number;
  text: string;
  /** Takes the comma behind it along. */
  andComma: boolean;
}

function leftOut({ start, end }: Node): Edit {
  return { start, end, text: '', andComma: true };
}

/** Says that making the value does nothing else, so that it falls away where it is not used. */
function asPure({ start, end }: Node): Edit[] {
  return [
    { start, end: start, text: '/* @__PURE__ */ (() => (', andComma: false },
    { start: end, end, text: '))()', andComma: false },
  ];
}

/** The values of the module's constants that calls make, schemas above all; routes are themselves. */
function madeConstants(program: Node): Node[] {
  const statements = (program['body'] as Node[]).map((one) => (one['declaration'] as Node | null | undefined) ?? one);
  return statements
    .filter(({ type }) => type === 'VariableDeclaration')
    .flatMap((one) => one['declarations'] as { init: Node | null }[])
    .map(({ init }) => init)
    .filter((init) => init !== null)
    .filter((init) => MADE.has(init.type) && !isRoute(init));
}

function isRoute(node: Node): boolean {
  return node.type === 'CallExpression' && DECLARING.has((node['callee'] as { name?: string }).name ?? '');
}

function unneededOf(call: Node): Node[] {
  return propertiesOf(call).filter((property) => !NEEDED.has(keyOf(property) ?? ''));
}

/** Of the object that declares the route; none where it is not written out there. */
function propertiesOf(call: Node): Node[] {
  const [definition] = call['arguments'] as [Node?];
  return definition?.type === 'ObjectExpression' ? (definition['properties'] as Node[]) : [];
}

/** The property's name; null of a spread. */
function keyOf(property: Node): string | null {
  if (property.type !== 'Property' || property['computed'] === true) return null;
  const key = property['key'] as { name?: string; value?: unknown };
  return key.name ?? String(key.value);
}

function lineOf(code: string, { start }: Node): number {
  return code.slice(0, start).split('\n').length;
}

function* nodesOf(value: unknown): Generator<Node> {
  if (typeof value !== 'object' || value === null) return;
  if ('type' in value && 'start' in value) yield value as Node;
  for (const child of Object.values(value)) yield* nodesOf(child);
}
