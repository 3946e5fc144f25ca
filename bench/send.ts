import type { Envelope } from '@rmeet/contract';

/** Sends calls over HTTP for `createClient`, with the token of now. @throws Error on any answer but OK */
export function sender(origin: string, token: () => string) {
  return async (method: string, path: string, body: unknown): Promise<unknown> => {
    const response = await fetch(`${origin}${path}`, {
      method,
      headers: { authorization: token(), ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const { status, data, statusCode } = (await response.json()) as Envelope;
    if (!status) throw new Error(`${method} ${path} answered ${statusCode}.`);
    return data;
  };
}
