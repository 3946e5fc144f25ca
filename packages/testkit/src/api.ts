import { constants, publicEncrypt } from 'node:crypto';
import { contract, createClient, type Client, type Envelope, type LoginUser } from '@rmeet/contract';

/** A failed call: the envelope's code, the HTTP status and the message. */
export class CallError extends Error {
  readonly code: string;
  readonly httpStatus: number;

  constructor(code: string, httpStatus: number, message: string) {
    super(`${code}: ${message}`);
    this.code = code;
    this.httpStatus = httpStatus;
  }
}

/** Typed calls on behalf of an account. */
export interface Api {
  auth: Client<typeof contract.auth>;
  scanLogon: Client<typeof contract.scanLogon>;
  hrsms: Client<typeof contract.hrsms>;
  sso: Client<typeof contract.sso>;
  identityProviders: Client<typeof contract.identityProviders>;
  certs: Client<typeof contract.certs>;
  certificateAuthorities: Client<typeof contract.certificateAuthorities>;
  multiauth: Client<typeof contract.multiauth>;
  passkeys: Client<typeof contract.passkeys>;
  users: Client<typeof contract.users>;
  userTasks: Client<typeof contract.userTasks>;
  invitations: Client<typeof contract.invitations>;
  tenants: Client<typeof contract.tenants>;
  directories: Client<typeof contract.directories>;
  scim: Client<typeof contract.scim>;
  operators: Client<typeof contract.operators>;
  roles: Client<typeof contract.roles>;
  permissions: Client<typeof contract.permissions>;
  apiRecords: Client<typeof contract.apiRecords>;
  webhooks: Client<typeof contract.webhooks>;
  guests: Client<typeof contract.guests>;
  assistant: Client<typeof contract.assistant>;
  audit: Client<typeof contract.audit>;
  meetings: Client<typeof contract.meetings>;
  booking: Client<typeof contract.booking>;
  meetingFiles: Client<typeof contract.meetingFiles>;
  history: Client<typeof contract.history>;
  fixedNumber: Client<typeof contract.fixedNumber>;
  whiteList: Client<typeof contract.whiteList>;
  conferences: Client<typeof contract.conferences>;
  rooms: Client<typeof contract.rooms>;
  terminals: Client<typeof contract.terminals>;
  resources: Client<typeof contract.resources>;
  approvals: Client<typeof contract.approvals>;
  notices: Client<typeof contract.notices>;
  announcements: Client<typeof contract.announcements>;
  memo: Client<typeof contract.memo>;
  startApps: Client<typeof contract.startApps>;
  recordings: Client<typeof contract.recordings>;
  broadcasts: Client<typeof contract.broadcasts>;
  liveProviders: Client<typeof contract.liveProviders>;
  manualLives: Client<typeof contract.manualLives>;
  watch: Client<typeof contract.watch>;
  clientPackages: Client<typeof contract.clientPackages>;
  hostKeys: Client<typeof contract.hostKeys>;
  statistics: Client<typeof contract.statistics>;
  documents: Client<typeof contract.documents>;
  downloads: Client<typeof contract.downloads>;
  /** The same calls with a token: an account's or a terminal's. */
  withToken(token: string): Api;
  /** Signs an account in and returns the calls in its name. */
  as(account: string, password?: string): Promise<Api & { token: string; user: LoginUser }>;
}

type SignedIn = Awaited<ReturnType<Api['as']>>;

export const DEMO_PASSWORD = 'Rmeet-demo-1';

/** How calls are sent to a server, with a token or without one. @throws CallError for answers that are not OK */
const sendTo =
  (url: string, token: string | undefined) =>
  async (method: string, path: string, body: unknown): Promise<unknown> => {
    const isForm = body instanceof FormData;
    const response = await fetch(url + path, {
      method,
      headers: {
        ...(token ? { authorization: token } : {}),
        ...(body === undefined || isForm ? {} : { 'content-type': 'application/json' }),
        'accept-language': 'en',
      },
      ...(body === undefined ? {} : { body: isForm ? body : JSON.stringify(body) }),
    });
    const envelope = (await response.json()) as Envelope;
    if (envelope.statusCode !== 'OK') throw new CallError(envelope.statusCode, response.status, envelope.message);
    return envelope.data;
  };

/** Calls against a running server. */
export function createApi(url: string, token?: string): Api {
  const send = sendTo(url, token);
  const api: Api = {
    auth: createClient(contract.auth, send),
    scanLogon: createClient(contract.scanLogon, send),
    hrsms: createClient(contract.hrsms, send),
    sso: createClient(contract.sso, send),
    identityProviders: createClient(contract.identityProviders, send),
    certs: createClient(contract.certs, send),
    certificateAuthorities: createClient(contract.certificateAuthorities, send),
    multiauth: createClient(contract.multiauth, send),
    passkeys: createClient(contract.passkeys, send),
    users: createClient(contract.users, send),
    userTasks: createClient(contract.userTasks, send),
    invitations: createClient(contract.invitations, send),
    tenants: createClient(contract.tenants, send),
    directories: createClient(contract.directories, send),
    scim: createClient(contract.scim, send),
    operators: createClient(contract.operators, send),
    roles: createClient(contract.roles, send),
    permissions: createClient(contract.permissions, send),
    apiRecords: createClient(contract.apiRecords, send),
    webhooks: createClient(contract.webhooks, send),
    guests: createClient(contract.guests, send),
    assistant: createClient(contract.assistant, send),
    audit: createClient(contract.audit, send),
    meetings: createClient(contract.meetings, send),
    booking: createClient(contract.booking, send),
    meetingFiles: createClient(contract.meetingFiles, send),
    history: createClient(contract.history, send),
    fixedNumber: createClient(contract.fixedNumber, send),
    whiteList: createClient(contract.whiteList, send),
    conferences: createClient(contract.conferences, send),
    rooms: createClient(contract.rooms, send),
    terminals: createClient(contract.terminals, send),
    resources: createClient(contract.resources, send),
    approvals: createClient(contract.approvals, send),
    notices: createClient(contract.notices, send),
    announcements: createClient(contract.announcements, send),
    memo: createClient(contract.memo, send),
    startApps: createClient(contract.startApps, send),
    recordings: createClient(contract.recordings, send),
    broadcasts: createClient(contract.broadcasts, send),
    liveProviders: createClient(contract.liveProviders, send),
    manualLives: createClient(contract.manualLives, send),
    watch: createClient(contract.watch, send),
    clientPackages: createClient(contract.clientPackages, send),
    hostKeys: createClient(contract.hostKeys, send),
    statistics: createClient(contract.statistics, send),
    documents: createClient(contract.documents, send),
    downloads: createClient(contract.downloads, send),
    withToken: (other) => createApi(url, other),
    as: async (account, password = DEMO_PASSWORD) => {
      const { publicKey } = await api.auth.loginMode({ query: {} });
      const session = await api.auth.login({ body: { account, password: encryptPassword(publicKey, password) } });
      return { ...createApi(url, session.token), token: session.token, user: session.user };
    },
  };
  return api;
}

/**
 * The same calls, but an account that already signed in continues with that session while it is open. Checking a
 * password takes as long as ten other calls, and a new sign-in ends the sessions of pages that use the previous one.
 */
export function rememberSessions(api: Api): Api {
  const sessions = new Map<string, SignedIn>();
  // A call that users and operators may make.
  const isOpen = (one: SignedIn): Promise<boolean> =>
    one.tenants.isTenantAdmin().then(
      () => true,
      () => false,
    );
  return {
    ...api,
    as: async (account, password = DEMO_PASSWORD) => {
      const known = sessions.get(`${account} ${password}`);
      if (known && (await isOpen(known))) return known;
      const made = await api.as(account, password);
      sessions.set(`${account} ${password}`, made);
      return made;
    },
  };
}

/** A password encrypted for transmission: RSA-OAEP with SHA-256 with the server's key, base64. */
export function encryptPassword(publicKey: string, password: string): string {
  return publicEncrypt(
    { key: publicKey, padding: constants.RSA_PKCS1_OAEP_PADDING, oaepHash: 'sha256' },
    Buffer.from(password),
  ).toString('base64');
}
