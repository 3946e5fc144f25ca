import type { Parsed } from './certificate.ts';
import { isIssuedBy } from './keys.ts';

/** Why no path leads from a certificate to a trusted authority. */
type PathFault = 'CERT_NOT_TRUSTED' | 'CERT_EXPIRED' | 'CERT_NOT_SUITABLE';

/** Certificates in a path, the first and the trusted one included. */
const LONGEST = 6;
/** Signatures that are checked for one sign-in: who sends many alike certificates must not keep the server busy. */
const CHECKS = 24;

const CLIENT_AUTHENTICATION = '1.3.6.1.5.5.7.3.2';
const ANY_PURPOSE = '2.5.29.37.0';

const isSelfIssued = ({ subjectId, issuerId }: Parsed): boolean => subjectId === issuerId;

export const isValidAt = ({ notBefore, notAfter }: Parsed, now: Date): boolean => notBefore <= now && now <= notAfter;

/** Whether a certificate may issue others at all (RFC 5280, section 6.1.4 k to n). */
export const mayIssue = ({ version, isAuthority, usage, key, hasUnknownDemand }: Parsed): boolean =>
  version === 2 && isAuthority && (usage?.keyCertSign ?? true) && key !== undefined && !hasUnknownDemand;

/** Whether a certificate may sign a person in. One that may issue certificates must not. */
function maySignIn({ isAuthority, usage, purposes, key, hasUnknownDemand }: Parsed): boolean {
  const isForClients = !purposes || purposes.some((one) => one === CLIENT_AUTHENTICATION || one === ANY_PURPOSE);
  return !isAuthority && (usage?.digitalSignature ?? true) && isForClients && key !== undefined && !hasUnknownDemand;
}

/** Whether the names and key identifiers of two certificates fit. */
const fits = (issuer: Parsed, { issuerId, issuerKeyId }: Parsed): boolean =>
  issuer.subjectId === issuerId &&
  (issuer.keyId === undefined || issuerKeyId === undefined || issuer.keyId === issuerKeyId);

/** Whether one certificate was issued by another, by name and signature. */
export const isIssuer = (issuer: Parsed, { algorithm, signed, signature }: Parsed): boolean =>
  issuer.key !== undefined && isIssuedBy(issuer.key, algorithm, signed, signature);

/** Why a path with right signatures is not good. The last one is trusted. */
function faultOf([leaf, ...authorities]: readonly Parsed[], now: Date): PathFault | undefined {
  if (!leaf) return 'CERT_NOT_TRUSTED';
  if (!isValidAt(leaf, now)) return 'CERT_EXPIRED';
  if (!maySignIn(leaf)) return 'CERT_NOT_SUITABLE';
  let below = 0;
  for (const one of authorities) {
    if (!isValidAt(one, now) || !mayIssue(one)) return 'CERT_NOT_TRUSTED';
    // Self-issued ones, of a change of keys, are not counted (RFC 5280, section 6.1.4 l).
    if (one.pathLength !== undefined && below > one.pathLength) return 'CERT_NOT_TRUSTED';
    if (!isSelfIssued(one)) below += 1;
  }
  return undefined;
}

interface Sources {
  /** Sent along by the person: anything. */
  sent: readonly Parsed[];
  /** Of the tenant; each of them ends a path. */
  trusted: readonly Parsed[];
}

/**
 * The paths from a certificate to trusted ones, by names and signatures. A trusted one goes on to others of them that
 * issued it, so that their revocation lists count, too.
 */
function* pathsFrom(path: readonly Parsed[], sources: Sources, left: { checks: number }): Generator<readonly Parsed[]> {
  const last = path.at(-1);
  if (!last) return;
  const isTrusted = (one: Parsed): boolean =>
    sources.trusted.some(({ fingerprint }) => fingerprint === one.fingerprint);
  const candidates = (
    path.length > 1 && isTrusted(last) ? sources.trusted : [...sources.trusted, ...sources.sent]
  ).filter((one) => fits(one, last) && !path.some(({ fingerprint }) => fingerprint === one.fingerprint));
  for (const one of path.length < LONGEST ? candidates : []) {
    if (left.checks === 0) break;
    left.checks -= 1;
    if (isIssuer(one, last)) yield* pathsFrom([...path, one], sources, left);
  }
  if (path.length > 1 && isTrusted(last)) yield path;
}

/**
 * A path from a certificate to a trusted authority, both included, that is valid now (RFC 5280, section 6; policies are
 * not demanded, and certificates with critical name constraints are refused).
 */
export function findPath(leaf: Parsed, sources: Sources, now: Date): readonly Parsed[] | PathFault {
  let fault: PathFault = 'CERT_NOT_TRUSTED';
  for (const path of pathsFrom([leaf], sources, { checks: CHECKS })) {
    const found = faultOf(path, now);
    if (found === undefined) return path;
    fault = found;
  }
  return fault;
}
