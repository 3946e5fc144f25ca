import type { Args, Data, Method, Route, Routes } from './route.ts';

type Call<R> = R extends Route
  ? {} extends Args<R>
    ? (args?: Args<R>) => Promise<Data<R>>
    : (args: Args<R>) => Promise<Data<R>>
  : never;

/** One function per route, named as in the contract. */
export type Client<C extends Routes> = { [K in keyof C]: Call<C[K]> };

/**
 * Sends one call, `body` as JSON unless it is a form; resolves with `data` of the envelope or throws what the caller's
 * error handling expects.
 */
export type Send = (method: Method, path: string, body: unknown) => Promise<unknown>;

type Values = Record<string, string | number | boolean | null | undefined>;

interface RawArgs {
  params?: Values;
  query?: Values;
  body?: unknown;
  files?: readonly File[];
}

/** The body of a call as it is sent: if the route takes files, a form with the body in `meeting` and the files. */
function bodyOf({ multipart }: Route, { body, files = [] }: RawArgs): unknown {
  if (!multipart || files.length === 0) return body;
  const form = new FormData();
  // First, so that it is validated before the files are read.
  form.append('meeting', JSON.stringify(body));
  for (const file of files) form.append('file', file, file.name);
  return form;
}

/** The path of a call with its parameters filled in and its query appended. */
export function pathOf(route: Route, args: RawArgs = {}): string {
  const path = route.path.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(String(args.params?.[name])));
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(args.query ?? {})) {
    if (value !== undefined && value !== null && value !== '') query.set(name, String(value));
  }
  return query.size > 0 ? `${path}?${query.toString()}` : path;
}

/** The typed client of one domain. */
export function createClient<C extends Routes>(routes: C, send: Send): Client<C> {
  const calls = Object.entries(routes).map(([name, route]) => [
    name,
    (args: RawArgs = {}) => send(route.method, pathOf(route, args), bodyOf(route, args)),
  ]);
  return Object.fromEntries(calls) as Client<C>;
}
