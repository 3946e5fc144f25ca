import { constants, publicEncrypt } from 'node:crypto';
import { contract, createClient, type Envelope, type Send } from '@rmeet/contract';

/** Opens a conference's desk: an account's token, or that of a desk opened by a link. */
export type Credentials = { token: string } | { deskToken: string };

/** A conference and the right to watch it. */
export interface Access {
  meetId: string;
  credentials: Credentials;
}

/** The server refuses a call: its message, in English. */
export class CallRefused extends Error {
  readonly code: string;

  constructor({ statusCode, message }: Envelope) {
    super(message);
    this.name = 'CallRefused';
    this.code = statusCode;
  }
}

/** Sends calls to a server. @throws CallRefused */
export function sendTo(url: string, credentials?: Credentials): Send {
  const token =
    credentials === undefined ? undefined : 'token' in credentials ? credentials.token : credentials.deskToken;
  return async (method, path, body) => {
    const response = await fetch(new URL(path, url), {
      method,
      headers: {
        'accept-language': 'en',
        ...(token === undefined ? {} : { authorization: token }),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const envelope = (await response.json()) as Envelope;
    if (envelope.statusCode !== 'OK') throw new CallRefused(envelope);
    return envelope.data;
  };
}

/** The account to sign in with. */
export interface Account {
  account: string;
  password: string;
  /** Its tenant, by id or name; required if other tenants have the account name, too. */
  tenant?: string | undefined;
}

/**
 * With an account that may control the meeting of this number. The sign-in ends the account's sessions on other
 * devices.
 */
export async function accessByAccount(
  url: string,
  numericId: string,
  { account, password, tenant }: Account,
): Promise<Access> {
  const auth = createClient(contract.auth, sendTo(url));
  const { publicKey } = await auth.loginMode({ query: {} });
  const encrypted = publicEncrypt(
    { key: publicKey, padding: constants.RSA_PKCS1_OAEP_PADDING, oaepHash: 'sha256' },
    Buffer.from(password),
  ).toString('base64');
  const { token } = await auth.login({
    body: { account, password: encrypted, ...(tenant === undefined ? {} : { tenant }) },
  });
  const credentials = { token };
  const { meetId } = await createClient(contract.meetings, sendTo(url, credentials)).numeric({
    params: { id: numericId },
  });
  return { meetId, credentials };
}

/** With a link to the desk of a meeting, as its host creates them for the chair or a viewer. */
export async function accessByLink(link: string): Promise<Access & { url: string }> {
  const { origin, hash } = new URL(link);
  const sign = new URLSearchParams(hash.slice(hash.indexOf('?') + 1)).get('token') ?? '';
  const { token, meetId } = await createClient(contract.conferences, sendTo(origin)).openDesk({ body: { sign } });
  return { url: origin, meetId, credentials: { deskToken: token } };
}
