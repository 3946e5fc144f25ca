import { z } from 'zod';

/**
 * The ways to sign in that a tenant may offer, in their usual order. `SSO` works while it has identity providers,
 * `CERTIFICATE` while it trusts certificate authorities, `PASSKEY` at addresses with a host name.
 */
export const SIGN_IN_MODES = ['PASSWORD', 'QR', 'SMS', 'SSO', 'CERTIFICATE', 'PASSKEY'] as const;
export type SignInMode = (typeof SIGN_IN_MODES)[number];

/** How a session was opened; `TICKET`: handed over from another session. */
export const SIGN_IN_METHODS = [...SIGN_IN_MODES, 'TICKET'] as const;
export type SignInMethod = (typeof SIGN_IN_METHODS)[number];

export const initialSignInSettings = { modes: [...SIGN_IN_MODES] };

/** How the people of a tenant sign in. */
export const signInSettings = z.object({
  /**
   * The offered modes, the usual one first. Others are rejected, except the password of administrators: without it, a
   * wrong setting would lock them out.
   */
  modes: z
    .array(z.enum(SIGN_IN_MODES))
    .min(1)
    .refine((modes) => new Set(modes).size === modes.length),
});
export type SignInSettings = z.infer<typeof signInSettings>;

/** The kinds of identity providers. */
export const SSO_KINDS = ['OIDC', 'SAML', 'WECOM', 'DINGTALK', 'FEISHU', 'CAS'] as const;
export type SsoKind = (typeof SSO_KINDS)[number];

/** An identity provider on the sign-in page. */
export const ssoChoice = z.object({ id: z.uuid(), name: z.string(), kind: z.enum(SSO_KINDS) });
export type SsoChoice = z.infer<typeof ssoChoice>;
