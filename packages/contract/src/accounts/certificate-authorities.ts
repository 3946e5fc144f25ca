import { z } from 'zod';
import { API_BASE } from '../constants.ts';
import { route } from '../http/route.ts';
import { line } from '../line.ts';
import { boundCertificate, exampleBound } from './certs.ts';

/** Certificate authorities that one tenant may trust. */
export const CERT_AUTHORITIES_MAX = 20;
/** Maximum size of a revocation list, bytes. */
export const CERT_LIST_BYTES = 2 * 1024 * 1024;

/**
 * What names the account in a certificate that is not bound to one:
 * - `bound`: nothing, only bound certificates sign in;
 * - `commonName`, `serialNumber`, `userId`: this attribute of the subject is the account name;
 * - `mail`: a mail address of the subjectAltName is that of the account;
 * - `upn`: the user principal name (otherName 1.3.6.1.4.1.311.20.2.3) is the account name, or, in one of the listed
 *   domains, its part before the `@`.
 */
export const CERT_MATCHES = ['bound', 'commonName', 'serialNumber', 'userId', 'mail', 'upn'] as const;
export type CertMatch = (typeof CERT_MATCHES)[number];

const domain = z
  .string()
  .trim()
  .toLowerCase()
  .max(200)
  .regex(/^[\p{L}\p{N}-]+(\.[\p{L}\p{N}-]+)+$/u);
/** Whom certificates sign in. */
export const certRules = z.object({
  match: z.enum(CERT_MATCHES).default('bound'),
  /** Domains of user principal names whose part before the `@` is an account name. */
  domains: z.array(domain).max(20).default([]),
  /** Refuse certificates while the revocation list of one of their authorities is missing or out of date. */
  refuseStale: z.boolean().default(true),
});
export type CertRules = z.infer<typeof certRules>;

/** The kinds of keys that are accepted. */
export const CERT_KEYS = ['RSA', 'P-256', 'P-384', 'P-521', 'SM2'] as const;
export type CertKey = (typeof CERT_KEYS)[number];

/** What is wrong with a revocation list that was fetched. */
export const CERT_LIST_FAULTS = ['ADDRESS_REFUSED', 'UNREACHABLE', 'INVALID', 'OLDER'] as const;
export type CertListFault = (typeof CERT_LIST_FAULTS)[number];

const list = z.object({
  /** Where it is fetched from every hour; empty: administrators upload it. */
  address: z.string(),
  /** When the authority made it, and when the next one is due; null: none is there, or it says nothing. */
  thisUpdate: z.iso.datetime().nullable(),
  nextUpdate: z.iso.datetime().nullable(),
  /** Certificates on it. */
  revoked: z.number().int(),
  /** Missing, or its next one is overdue. */
  isStale: z.boolean(),
  /** The last attempt to fetch it; null: none yet. */
  fetchedAt: z.iso.datetime().nullable(),
  /** Why that attempt failed. */
  fault: z.enum(CERT_LIST_FAULTS).nullable(),
});

const authority = z.object({
  id: z.uuid(),
  subject: z.string(),
  issuer: z.string(),
  /** SHA-256 of the certificate, hexadecimal. */
  fingerprint: z.string(),
  key: z.enum(CERT_KEYS),
  notBefore: z.iso.datetime(),
  notAfter: z.iso.datetime(),
  /** Not valid at this time. */
  isExpired: z.boolean(),
  /** Null: revoked certificates of this authority are not noticed. */
  list: list.nullable(),
});
export type CertAuthority = z.infer<typeof authority>;

const overview = z.object({
  records: z.array(authority),
  rules: certRules,
  /** The mode CERTIFICATE is offered by the organisation. */
  isOffered: z.boolean(),
  can: z.object({ update: z.boolean() }),
});
export type CertAuthorities = z.infer<typeof overview>;

const binding = boundCertificate.extend({ account: z.string(), name: z.string() });
export type CertBinding = z.infer<typeof binding>;

/** A certificate as PEM, or base64 of a file in DER or PEM. */
const pem = z.string().trim().min(1).max(30_000);
const params = z.object({ id: z.uuid() });
const AUTHORITIES = `${API_BASE}/certificate-authorities`;
const BINDINGS = `${API_BASE}/certificate-bindings`;
const managed = { callers: ['user'], permission: 'tenants:settings' } as const;

const id = '0198f6a2-1111-7c40-9a11-5b1f0e3c2d10';
const example: CertAuthorities = {
  records: [
    {
      id,
      subject: 'CN=North Hospital CA',
      issuer: 'CN=North Hospital CA',
      fingerprint: exampleBound.fingerprint,
      key: 'P-256',
      notBefore: '2024-11-20T09:00:00.000Z',
      notAfter: '2034-11-20T09:00:00.000Z',
      isExpired: false,
      list: {
        address: 'https://ca.example.org/list.crl',
        thisUpdate: '2026-11-20T00:00:00.000Z',
        nextUpdate: '2026-11-21T00:00:00.000Z',
        revoked: 3,
        isStale: false,
        fetchedAt: '2026-11-20T09:23:00.000Z',
        fault: null,
      },
    },
  ],
  rules: { match: 'commonName', domains: [], refuseStale: true },
  isOffered: true,
  can: { update: true },
};
const exampleBinding: CertBinding = { ...exampleBound, account: 'alice', name: 'Alice' };
const examplePem = '-----BEGIN CERTIFICATE-----\nMIIBszCCAVmgAwIBAgIU\n-----END CERTIFICATE-----';

/**
 * The certificate authorities that the caller's tenant trusts, their revocation lists, and whom certificates sign in.
 * Only administrators change them: they sign anyone in.
 */
export const certificateAuthorities = {
  list: route({
    method: 'GET',
    path: AUTHORITIES,
    ...managed,
    summary: 'The trusted authorities with their revocation lists, and the rules.',
    input: {},
    data: overview,
    errors: [],
    example: { data: example },
  }),
  add: route({
    method: 'POST',
    path: AUTHORITIES,
    ...managed,
    audit: true,
    summary: 'Trusts a certificate authority, a root or one below it.',
    input: { body: z.object({ certificate: pem }) },
    data: overview,
    errors: ['CERT_UNREADABLE', 'CERT_NOT_AUTHORITY', 'CERT_AUTHORITY_KNOWN', 'CERT_AUTHORITIES_MAX'],
    example: { body: { certificate: examplePem }, data: example },
  }),
  remove: route({
    method: 'DELETE',
    path: `${AUTHORITIES}/:id`,
    ...managed,
    audit: true,
    summary: 'Trusts an authority no more, and forgets its revocation list.',
    input: { params },
    data: overview,
    errors: [],
    example: { params: { id }, data: example },
  }),
  setRules: route({
    method: 'PUT',
    path: `${AUTHORITIES}/rules`,
    ...managed,
    audit: true,
    summary: 'Whom certificates sign in.',
    input: { body: certRules },
    data: overview,
    errors: [],
    example: { body: example.rules, data: example },
  }),
  setList: route({
    method: 'PUT',
    path: `${AUTHORITIES}/:id/list`,
    ...managed,
    audit: true,
    bodyBytes: 4 * 1024 * 1024,
    summary:
      'Where the revocation list of an authority is fetched from, which is done at once, or a list that is uploaded. ' +
      'With neither, the authority has no list any more.',
    input: {
      params,
      body: z.object({
        address: line().max(500).default(''),
        /** Base64 of the list, DER or PEM. */
        list: z
          .base64()
          .min(1)
          .max(Math.ceil((CERT_LIST_BYTES * 4) / 3) + 4)
          .optional(),
      }),
    },
    data: overview,
    errors: ['CERT_LIST_INVALID', 'CERT_LIST_OLDER', 'CERT_ADDRESS_REFUSED'],
    example: { params: { id }, body: { address: 'https://ca.example.org/list.crl' }, data: example },
  }),
  bindings: route({
    method: 'GET',
    path: BINDINGS,
    ...managed,
    summary: 'Certificates that are bound to accounts: the newest 200, or those of one account.',
    input: { query: z.object({ account: line().max(120).optional() }) },
    data: z.object({ records: z.array(binding), can: z.object({ update: z.boolean() }) }),
    errors: [],
    example: { query: {}, data: { records: [exampleBinding], can: { update: true } } },
  }),
  bind: route({
    method: 'POST',
    path: BINDINGS,
    ...managed,
    audit: true,
    summary: 'Binds a certificate to an account. Its owner need not sign: an administrator answers for it.',
    input: { body: z.object({ account: line().min(1).max(120), certificate: pem }) },
    data: binding,
    errors: [
      'CERT_UNREADABLE',
      'CERT_NOT_TRUSTED',
      'CERT_EXPIRED',
      'CERT_NOT_SUITABLE',
      'CERT_REVOKED',
      'CERT_LIST_STALE',
      'CERT_BOUND_ELSEWHERE',
      'CERT_BINDINGS_MAX',
    ],
    example: { body: { account: 'alice', certificate: examplePem }, data: exampleBinding },
  }),
  unbind: route({
    method: 'DELETE',
    path: `${BINDINGS}/:id`,
    ...managed,
    audit: true,
    summary: 'Ends a bound certificate of an account.',
    input: { params },
    data: z.null(),
    errors: [],
    example: { params: { id }, data: null },
  }),
};
