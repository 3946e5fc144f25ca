import { contract, createClient, type Envelope } from '@rmeet/contract';
import type { TestServer } from '../../apps/server/test/modules/support/server.ts';
import { encrypt } from '../../apps/server/test/modules/support/client.ts';
import { PASSWORD, type Filled } from './fill.ts';

/** Typed calls over HTTP as a user of the tenant. */
async function signedIn(server: TestServer, account: string) {
  let token = '';
  async function send(method: string, path: string, body: unknown): Promise<unknown> {
    const response = await fetch(`${server.origin}${path}`, {
      method,
      headers: { authorization: token, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const { status, data, statusCode } = (await response.json()) as Envelope;
    if (!status) throw new Error(`${method} ${path} answered ${statusCode}.`);
    return data;
  }
  const [auth, meetings, history] = [
    createClient(contract.auth, send),
    createClient(contract.meetings, send),
    createClient(contract.history, send),
  ];
  ({ token } = await auth.login({
    body: { account, password: await encrypt(server, PASSWORD), deviceId: `bench ${account}` },
  }));
  return { meetings, history };
}

export type Caller = Awaited<ReturnType<typeof signedIn>>;

export interface Callers {
  /** The administrator of the tenant. */
  admin: Caller;
  /** Has as many meetings as most people. */
  person: Caller;
  /** Hosts and is invited to thousands of meetings. */
  secretary: Caller;
}

export async function signIn(server: TestServer, { admin, person, secretary }: Filled): Promise<Callers> {
  return {
    admin: await signedIn(server, admin),
    person: await signedIn(server, person),
    secretary: await signedIn(server, secretary),
  };
}
