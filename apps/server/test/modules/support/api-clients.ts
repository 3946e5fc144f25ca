import type { ApiClient, Args, contract } from '@rmeet/contract';
import { TOKEN_PATH } from '@rmeet/contract';
import { clientOf, type Person } from './client.ts';
import type { TestServer } from './server.ts';

type Body = Args<typeof contract.apiRecords.create>['body'];

let made = 0;

/** A new API client of an administrator's organisation; its secret, or empty if it has a key. */
export async function addClient(
  admin: Person,
  values: Partial<Body> = {},
): Promise<{ client: ApiClient; secret: string }> {
  made += 1;
  const { client, secret } = await admin.apiRecords.create({
    body: { name: `Client ${made}`, scopes: ['meetings:read', 'meetings:write'], ...values },
  });
  return { client, secret: secret ?? '' };
}

export interface TokenAnswer {
  status: number;
  headers: Record<string, unknown>;
  body: { access_token?: string; error?: string; error_description?: string; scope?: string; expires_in?: number };
}

export interface TokenRequest {
  fields?: Record<string, string> | [string, string][];
  /** Client id and secret for HTTP Basic. */
  basic?: { id: string; secret: string };
  address?: string;
}

const encoded = (text: string): string => encodeURIComponent(text).replaceAll('%20', '+');

/** Asks the token endpoint, with `grant_type=client_credentials` unless the fields say something else. */
export async function askForToken(
  server: TestServer,
  { fields = {}, basic, address = '192.0.2.10' }: TokenRequest,
): Promise<TokenAnswer> {
  const form = new URLSearchParams(Array.isArray(fields) ? fields : { grant_type: 'client_credentials', ...fields });
  const answer = await server.app.inject({
    method: 'POST',
    url: TOKEN_PATH,
    headers: {
      host: new URL(server.publicUrl).host,
      'content-type': 'application/x-www-form-urlencoded',
      ...(basic && {
        authorization: `Basic ${Buffer.from(`${encoded(basic.id)}:${encoded(basic.secret)}`).toString('base64')}`,
      }),
    },
    remoteAddress: address,
    payload: form.toString(),
  });
  return { status: answer.statusCode, headers: answer.headers, body: answer.json() };
}

/** Calls with the token of a client, from an address. */
export async function machineOf(
  server: TestServer,
  { client, secret }: { client: ApiClient; secret: string },
  { subject, scope, address = '192.0.2.10' }: { subject?: string; scope?: string; address?: string } = {},
): Promise<Person> {
  const fields = { ...(subject && { subject }), ...(scope && { scope }) };
  const { body } = await askForToken(server, { basic: { id: client.id, secret }, fields, address });
  if (!body.access_token) throw new Error(`There is no token: ${JSON.stringify(body)}`);
  return clientOf(server, body.access_token, address);
}
