import { contract, createClient } from '@rmeet/contract';
import type { TestServer } from '../../apps/server/test/modules/support/server.ts';
import { encrypt } from '../../apps/server/test/modules/support/client.ts';
import { PASSWORD, type Filled } from './fill.ts';
import { sender } from '../send.ts';

/** Typed calls over HTTP as a user of the tenant. */
async function signedIn(server: TestServer, account: string) {
  let token = '';
  const send = sender(server.origin, () => token);
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
