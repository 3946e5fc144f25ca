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
}

/** Who signed in at an identity provider, as it says. */
export interface Person {
  /** Never changes. */
  subject: string;
  claims: Readonly<Record<string, unknown>>;
  /** The id of its session; empty if it has none. */
  sid: string;
  /** What its logout is asked with. */
  hint: string | null;
}

export type ProviderCheck = Data<typeof contract.identityProviders.check>;

/** How people sign in at one kind of identity provider. Its failures are plain errors, which are logged. */
export interface ProviderKind<S extends ProviderSettings = ProviderSettings> {
  /** Where the browser goes, with `state`, to come back to `redirectUri`. */
  begin(peer: Peer<S>, to: { state: string; redirectUri: string }): Promise<{ url: string; kept: Kept }>;
  /** The person, after all checks. */
  finish(peer: Peer<S>, kept: Kept, sent: SentBack, redirectUri: string): Promise<Person>;
  /** What is wrong with the settings. */
  check(settings: S): Promise<ProviderCheck>;
  /** Where a session ends there, too; null if it cannot be ended. */
  endAddress(peer: Peer<S>, hint: string | null, returnTo: string): Promise<string | null>;
}
