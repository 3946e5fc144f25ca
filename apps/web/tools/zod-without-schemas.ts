/**
 * Stands in for zod in the browser. The contract's routes carry schemas, but the browser only reads their methods and
 * paths: the server checks what it is sent. Without zod every page is about 30 KB (gzip) lighter.
 * Whoever parses in the browser all the same is told so at once.
 */
const PARSING = new Set(['parse', 'safeParse', 'parseAsync', 'safeParseAsync', 'encode', 'decode', 'toJSONSchema']);

const schema: unknown = new Proxy(() => undefined, {
  get: (_, name) => {
    if (PARSING.has(String(name)))
      throw new Error(`zod is not part of the web app, so ${String(name)} cannot be called`);
    return schema;
  },
  apply: () => schema,
});

export const z = schema;
