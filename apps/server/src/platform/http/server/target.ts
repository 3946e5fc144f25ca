/** The authority of a target in absolute form, as proxies send it (RFC 9112, section 3.2.2). */
const AUTHORITY = /^https?:\/\/[^/?#]*/i;
/** An allowed path: visible ASCII without characters that only other programs treat as separators. */
const WRITTEN = /^(?:\/[!"$-.0-[\]-~]+)*\/?$/;
const ENCODED_SEPARATOR = /%2f|%5c/i;
// eslint-disable-next-line no-control-regex -- they are what is looked for
const CONTROL = /[\0-\x1f\x7f]/;
/** Longest name that file systems allow, in bytes (pathconf(3), NAME_MAX). */
const LONGEST_NAME = 255;

function decoded(path: string): string | undefined {
  try {
    return decodeURIComponent(path);
  } catch {
    return undefined; // not percent-encoded UTF-8
  }
}

/**
 * Whether every component interprets the path in the same way: the router, the files, and the media processes behind.
 */
function isPlain(path: string): boolean {
  if (!WRITTEN.test(path)) return false;
  const plain = decoded(path);
  if (plain === undefined || plain.split(/[/\\]/).some((segment) => segment === '.' || segment === '..')) return false;
  // Parameters of the API may contain anything, and are checked there.
  if (path.startsWith('/api/')) return true;
  return (
    !ENCODED_SEPARATOR.test(path) &&
    !CONTROL.test(plain) &&
    path.split('/').every((name) => name.length <= LONGEST_NAME)
  );
}

/**
 * Path and query of a request's target, in origin form. A target with dot segments or empty ones, one that cannot be
 * decoded, or one that is no path at all, such as `*`, is invalid: it becomes a path without a handler, which is
 * answered as not found.
 */
export function routableTarget(target: string): string {
  const own = target.replace(AUTHORITY, '');
  const origin = own === '' || own.startsWith('?') ? `/${own}` : own;
  const [path = ''] = origin.split('?', 1);
  if (isPlain(path)) return origin;
  return /^\/+api(?:\W|$)/i.test(path) ? '/api/-' : '/-';
}
