import type { Gateway, TextMessage } from './types.ts';

/** The parts of a request to a gateway. */
export interface FilledRequest {
  url: string;
  method: Gateway['method'];
  headers: Record<string, string>;
  body: string | undefined;
}

type Escape = (value: string) => string;

const inJson: Escape = (value) => JSON.stringify(value).slice(1, -1);
const asItIs: Escape = (value) => value;

/** How values are escaped in a body of this content type. */
function escapeFor(contentType: string): Escape {
  const [type = ''] = contentType.toLowerCase().split(';');
  if (/[/+]json$/.test(type.trim())) return inJson;
  if (type.trim() === 'application/x-www-form-urlencoded') return encodeURIComponent;
  return asItIs;
}

/** The content type of a body without a header for it. */
const guessed = (body: string): string =>
  /^\s*[[{]/.test(body) ? 'application/json' : 'application/x-www-form-urlencoded';

/** All placeholders at once, so that inserted values are not searched for placeholders again. */
function fill(template: string, values: Record<string, string>, escape: Escape): string {
  return template.replace(/\{(phone|text|secret)\}/g, (_, name: string) => escape(values[name] ?? ''));
}

/** The request that sends a message to a gateway: each value is escaped for its place. */
export function requestOf(
  { url, method, headers, body, secret }: Gateway,
  { phone, text }: TextMessage,
): FilledRequest {
  const values = { phone: phone.replaceAll(/[\s-]/g, ''), text, secret };
  const given = headers.find(({ name }) => name.toLowerCase() === 'content-type');
  const hasBody = method !== 'GET' && body !== '';
  const contentType = given?.value ?? guessed(body);
  return {
    url: fill(url, values, encodeURIComponent),
    method,
    headers: {
      ...Object.fromEntries(headers.map(({ name, value }) => [name, value.replaceAll('{secret}', () => secret)])),
      ...(hasBody && !given ? { 'Content-Type': contentType } : {}),
    },
    body: hasBody ? fill(body, values, escapeFor(contentType)) : undefined,
  };
}

/** Whether a response means success. */
export function isSuccess(
  { successPath, successValue }: Pick<Gateway, 'successPath' | 'successValue'>,
  answer: string,
): boolean {
  if (successPath === '') return true;
  try {
    let found: unknown = JSON.parse(answer);
    for (const name of successPath.split('.')) found = (found as Record<string, unknown> | null | undefined)?.[name];
    return (
      (typeof found === 'string' || typeof found === 'number' || typeof found === 'boolean') &&
      String(found) === successValue
    );
  } catch {
    return false; // not JSON
  }
}
