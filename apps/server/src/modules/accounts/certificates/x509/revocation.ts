import { AsnConvert } from '@peculiar/asn1-schema';
import { CertificateList, type Extension } from '@peculiar/asn1-x509';
import { algorithmId, bufferOf, derOf, serialOf, type Parsed } from './certificate.ts';
import { isIssuedBy } from './keys.ts';

/** A revocation list (RFC 5280, section 5) that its authority has signed. */
interface RevocationList {
  thisUpdate: Date;
  nextUpdate: Date | null;
  /** Serial numbers, as certificates have them. */
  serials: ReadonlySet<string>;
}

/** Lists with a critical extension are incomplete (deltas, parts) or speak for other authorities (indirect ones). */
const isPartial = (extensions: readonly Extension[] | undefined): boolean =>
  (extensions ?? []).some(({ critical }) => critical);

/** @throws Error */
function parse(der: Buffer, authority: Parsed): RevocationList | undefined {
  const { tbsCertList: tbs, tbsCertListRaw, signatureAlgorithm, signature } = AsnConvert.parse(der, CertificateList);
  const issuerId = Buffer.from(AsnConvert.serialize(tbs.issuer)).toString('hex');
  const isOwn =
    tbsCertListRaw !== undefined &&
    authority.key !== undefined &&
    (authority.usage?.crlSign ?? true) &&
    issuerId === authority.subjectId &&
    algorithmId(tbs.signature) === algorithmId(signatureAlgorithm) &&
    isIssuedBy(authority.key, signatureAlgorithm.algorithm, bufferOf(tbsCertListRaw), bufferOf(signature));
  const entries = tbs.revokedCertificates ?? [];
  if (!isOwn || isPartial(tbs.crlExtensions) || entries.some((one) => isPartial(one.crlEntryExtensions)))
    return undefined;
  return {
    thisUpdate: tbs.thisUpdate.getTime(),
    nextUpdate: tbs.nextUpdate?.getTime() ?? null,
    serials: new Set(entries.map(({ userCertificate }) => serialOf(userCertificate))),
  };
}

/** The complete list of an authority from a file in DER or PEM; undefined if it is another file, or not signed by it. */
export function readList(file: Buffer, authority: Parsed): RevocationList | undefined {
  try {
    return parse(derOf(file), authority);
  } catch {
    return undefined;
  }
}
