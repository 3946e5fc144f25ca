import { z } from 'zod';
import { API_BASE } from '../constants.ts';
import { officeLimit, route } from '../http/route.ts';
import { exampleLoginUser, loginUser } from './auth.ts';

/** A challenge must be signed within this time, ms. */
export const CERT_CHALLENGE_LIFETIME = 300_000;
/** Certificates that one account may have bound. */
export const CERT_BINDINGS_MAX = 10;

/** What a signature of a challenge is for. */
export type CertPurpose = 'signIn' | 'bind';

/**
 * How a challenge is signed; the key of the certificate decides which are accepted:
 * - `RS256`, `PS256`: RSA with SHA-256, PKCS #1 v1.5 or PSS (RFC 8017);
 * - `ES256`, `ES384`, `ES512`: ECDSA on P-256, P-384, P-521 with SHA-256, SHA-384, SHA-512;
 * - `SM2`: SM2 with SM3 and the identity `1234567812345678` (GM/T 0003.2, GM/T 0009).
 *
 * Signatures on curves are DER (RFC 3279, section 2.2.3) or `r` and `s` behind each other (IEEE P1363).
 */
export const CERT_ALGORITHMS = ['RS256', 'PS256', 'ES256', 'ES384', 'ES512', 'SM2'] as const;
export type CertAlgorithm = (typeof CERT_ALGORITHMS)[number];

interface CertChallengeFacts {
  /** The page's own origin, such as `https://meet.example.org`. */
  origin: string;
  purpose: CertPurpose;
  tenantId: string;
  /** When the challenge was made, ISO 8601 in UTC. */
  time: string;
  challenge: string;
}

/**
 * The text that is signed, in UTF-8. It names the product, the address, the purpose and the organisation, so that a
 * signature is worth nothing anywhere else. Page, local agent and server each put it together themselves.
 */
export const certText = ({ origin, purpose, tenantId, time, challenge }: CertChallengeFacts): string =>
  [
    'Rmeet certificate sign-in, version 1',
    `origin: ${origin}`,
    `purpose: ${purpose}`,
    `organisation: ${tenantId}`,
    `time: ${time}`,
    `challenge: ${challenge}`,
    '',
  ].join('\n');

const CERTS = `${API_BASE}/certs`;
const token = z.string().min(1).max(100);
/** Base64 of DER. */
const der = z
  .string()
  .max(22_000)
  .regex(/^[A-Za-z0-9+/]+={0,2}$/);

const challenge = z.object({
  challenge: z.string(),
  /** Kept by the page: who only has the signed text cannot use it. It is never signed, and never given to an agent. */
  secret: z.string(),
  tenantId: z.uuid(),
  time: z.iso.datetime(),
  expiresAt: z.iso.datetime(),
  /** The name in the certificate that the connection itself has shown (mutual TLS); null without one. */
  passed: z.string().nullable(),
  /** Where a local agent answers on the computer of the person; null: none is used. */
  agent: z.url().nullable(),
});
export type CertChallenge = z.infer<typeof challenge>;

const proof = z.object({
  certificate: der,
  /** Certificates between it and those that the organisation trusts, in any order. */
  chain: z.array(der).max(4).default([]),
  algorithm: z.enum(CERT_ALGORITHMS),
  /** Base64. */
  signature: z
    .string()
    .max(1_400)
    .regex(/^[A-Za-z0-9+/]+={0,2}$/),
});
export type CertProof = z.input<typeof proof>;

const answer = z.object({
  challenge: token,
  secret: token,
  /** Without it, the certificate of the connection counts, where a proxy passes it on. */
  proof: proof.optional(),
});
export type CertAnswer = z.input<typeof answer>;

/** A certificate that signs in to one account. */
const bound = z.object({
  id: z.uuid(),
  subject: z.string(),
  issuer: z.string(),
  /** SHA-256 of the certificate, hexadecimal. */
  fingerprint: z.string(),
  expiresAt: z.iso.datetime(),
  since: z.iso.datetime(),
  lastUsedAt: z.iso.datetime().nullable(),
});
export type BoundCertificate = z.infer<typeof bound>;
export const boundCertificate = bound;

const own = z.object({
  bound: z.array(bound),
  /** The organisation lets people sign in by certificate. */
  isOffered: z.boolean(),
});
export type OwnCertificates = z.infer<typeof own>;

const id = '0198f6a2-1111-7c40-9a11-5b1f0e3c2d10';
const exampleChallenge: CertChallenge = {
  challenge: 'n3ZcQx1YzP0cQx1YzP0c',
  secret: 'q1YzP0cQx1YzP0cn3ZcQx',
  tenantId: id,
  time: '2026-11-20T09:00:00.000Z',
  expiresAt: '2026-11-20T09:05:00.000Z',
  passed: null,
  agent: null,
};
const exampleAnswer = {
  challenge: exampleChallenge.challenge,
  secret: exampleChallenge.secret,
  proof: { certificate: 'MIIBszCCAVmgAwIBAgIU', chain: [], algorithm: 'ES256' as const, signature: 'MEUCIQDx' },
};
export const exampleBound: BoundCertificate = {
  id,
  subject: 'CN=alice, O=North Hospital',
  issuer: 'CN=North Hospital CA',
  fingerprint: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
  expiresAt: '2028-11-20T09:00:00.000Z',
  since: '2026-11-20T09:00:00.000Z',
  lastUsedAt: null,
};
const exampleOwn: OwnCertificates = { bound: [exampleBound], isOffered: true };

const failures = [
  'CERT_CHALLENGE_INVALID',
  'CERT_SIGNATURE_INVALID',
  'CERT_NOT_TRUSTED',
  'CERT_EXPIRED',
  'CERT_NOT_SUITABLE',
  'CERT_REVOKED',
  'CERT_LIST_STALE',
  'SIGN_IN_MODE_OFF',
] as const;

/** Sign-in by certificate, and the certificates that are bound to the caller's account. */
export const certs = {
  getCodeData: route({
    method: 'GET',
    path: `${CERTS}/get-code-data`,
    summary: 'A challenge to sign, for the people of one organisation; valid for five minutes, once, in this browser.',
    callers: ['anyone'],
    limit: officeLimit,
    input: { query: z.object({ tenantUri: z.string().trim().min(1).max(120).optional() }) },
    data: challenge,
    errors: ['SIGN_IN_MODE_OFF'],
    example: { query: { tenantUri: 'North Hospital' }, data: exampleChallenge },
  }),
  verifyToToken: route({
    method: 'POST',
    path: `${CERTS}/login/verifyToToken`,
    summary: 'Signs in by a signed challenge, or by the certificate that the connection has shown.',
    callers: ['anyone'],
    limit: officeLimit,
    input: { body: answer.extend({ deviceId: z.string().max(64).optional() }) },
    data: z.object({ token: z.string(), user: loginUser }),
    errors: [...failures, 'CERT_NOT_KNOWN', 'ACCOUNT_DISABLED', 'TENANT_DISABLED', 'MULTI_AUTH_REQUIRED'],
    example: { body: exampleAnswer, data: { token: 'q1YzP0c', user: exampleLoginUser } },
  }),
  own: route({
    method: 'GET',
    path: `${CERTS}/own`,
    summary: "The certificates that are bound to the caller's account.",
    callers: ['user'],
    input: {},
    data: own,
    errors: [],
    example: { data: exampleOwn },
  }),
  startBind: route({
    method: 'POST',
    path: `${CERTS}/own/start`,
    summary: "A challenge whose signature binds a certificate to the caller's account.",
    callers: ['user'],
    limit: { by: 'caller', max: 30, seconds: 60 },
    input: {},
    data: challenge,
    errors: ['SIGN_IN_MODE_OFF'],
    example: { data: exampleChallenge },
  }),
  bind: route({
    method: 'POST',
    path: `${CERTS}/own`,
    summary: "Binds the certificate of a signed challenge to the caller's account, which began it.",
    callers: ['user'],
    audit: true,
    limit: { by: 'caller', max: 30, seconds: 60 },
    input: { body: answer },
    data: own,
    errors: [...failures, 'CERT_BOUND_ELSEWHERE', 'CERT_BINDINGS_MAX'],
    example: { body: exampleAnswer, data: exampleOwn },
  }),
  unbind: route({
    method: 'DELETE',
    path: `${CERTS}/own/:id`,
    summary: "Ends a bound certificate of the caller's account.",
    callers: ['user'],
    audit: true,
    input: { params: z.object({ id: z.uuid() }) },
    data: own,
    errors: [],
    example: { params: { id }, data: { ...exampleOwn, bound: [] } },
  }),
};
