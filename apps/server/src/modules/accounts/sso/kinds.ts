import type { contract, Data, ProviderSettings } from '@rmeet/contract';

/** An identity provider with its secret open. */
export interface Peer<S extends ProviderSettings = ProviderSettings> {
  id: string;
  tenantId: string;
  version: number;
  name: string;
  settings: S;
  secret: string;
}

/** What the answer of an identity provider is checked with. */
export type Kept = Record<string, string>;

/** What an identity provider sent back, by way of the browser. */
export interface SentBack {
  state: string;
  code?: string | undefined;
  ticket?: string | undefined;
  iss?: string | undefined;
  /** What the browser posted to this server (SAML); `code` stood for it. */
  answer?: string | undefined;
}

/** Who signed in at an identity provider, as it says. */
export interface Person {
  /** Never changes. */
  subject: string;
  /** Under the names of OpenID Connect Core 1.0, section 5.1, and under its own. */
  claims: Readonly<Record<string, unknown>>;
  /** The id of its session; empty if it has none. */
  sid: string;
  /** What its logout is asked with. */
  hint: string | null;
  /** The id of a message that must not be accepted twice while it is valid. */
  once?: { id: string; until: Date };
}

export type ProviderCheck = Data<typeof contract.identityProviders.check>;

/**
 * Why an identity provider refuses a person or this server, as far as people can do something about it.
 *
 * - `expired`: the code was used, or is too old.
 * - `notMember`: the person does not belong to the organisation, or may not use its application.
 * - `setup`: the settings are wrong, here or there.
 * - `busy`: it cannot answer now.
 */
export type RefusalReason = 'expired' | 'notMember' | 'setup' | 'busy';

export class Refusal extends Error {
  readonly reason: RefusalReason;
  /** Its code for the error: people see it. The rest is for administrators, since it may name addresses. */
  readonly code: string;
  constructor(reason: RefusalReason, code: string, detail = '') {
    super(`${code} ${detail}`.trim().slice(0, 200));
    this.reason = reason;
    this.code = code.slice(0, 100);
  }
}

/**
 * How people sign in at one kind of identity provider. Its failures are plain errors, which are logged, or Refusals.
 * `origin` is the address of this server that the browser uses.
 */
export interface ProviderKind<S extends ProviderSettings = ProviderSettings> {
  /** Where the browser goes, to come back with `state`. */
  begin(peer: Peer<S>, to: { state: string; origin: string; userAgent: string }): Promise<{ url: string; kept: Kept }>;
  /** The person, after all checks. */
  finish(peer: Peer<S>, kept: Kept, sent: SentBack, origin: string): Promise<Person>;
  /** What is wrong with the settings, or with the secret, if it can be tried without a person. */
  check(settings: S, secret: string | undefined): Promise<ProviderCheck>;
  /** Where a session ends there, too; null if it cannot be ended. */
  endAddress(peer: Peer<S>, hint: string | null, returnTo: string): Promise<string | null>;
}

/** Where identity providers send the browser back to; one of the addresses of this server. */
export const redirectUriOf = (origin: string): string => `${origin}/api/sso/callback`;

/** A fault of the settings of a provider that ends no sessions. */
export const faultOf = (fault: ProviderCheck['fault'], detail: string): ProviderCheck => ({
  fault,
  detail: detail.slice(0, 300),
  canLogOut: false,
});
