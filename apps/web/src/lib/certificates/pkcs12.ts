import forge from 'node-forge';
import { derOf, factsOf, toBase64, toBytes } from './der.ts';
import { signerOf } from './keys.ts';
import { CertificateFault, type CertSigner } from './signer.ts';

const { asn1, pki, pkcs12 } = forge;
const parse = (der: string): forge.asn1.Asn1 => asn1.fromDer(der);

// In browsers the library derives keys from the low bytes of a password's letters; files have them in UTF-8 (RFC 8018,
// section 3). Its own code also in Node, so that tests try what browsers run.
(forge as typeof forge & { options: { usePureJavaScript: boolean } }).options.usePureJavaScript = true;
const { pbkdf2 } = forge.pkcs5;
forge.pkcs5.pbkdf2 = ((password: string, ...rest: [string, number, number]) =>
  pbkdf2(forge.util.encodeUtf8(password), ...rest)) as typeof pbkdf2;

/** Certificates in one file that are looked at. */
const MOST = 20;

interface Entry {
  node: forge.asn1.Asn1;
  /** What joins a key and its certificate; empty without it. */
  id: string;
}

const idOf = ({ attributes }: forge.pkcs12.Bag): string => {
  const { localKeyId } = (attributes ?? {}) as { localKeyId?: string[] };
  return localKeyId?.[0] ?? '';
};

/** The whole of an RSA key or certificate again, which the library takes apart; of others it leaves it as it was. */
const keyNode = ({ key, asn1: node }: forge.pkcs12.Bag): forge.asn1.Asn1 =>
  key ? pki.wrapRsaPrivateKey(pki.privateKeyToAsn1(key)) : node;
const certificateNode = ({ cert, asn1: node }: forge.pkcs12.Bag): forge.asn1.Asn1 =>
  cert ? pki.certificateToAsn1(cert) : node;

/** Which sentence an error of the library is: its words are all that it has. */
function faultOf(error: unknown): CertificateFault {
  if (error instanceof CertificateFault) return error;
  const { message } = error as Error;
  if (/invalid password|wrong password|failed to decrypt/i.test(message)) return new CertificateFault('password');
  if (/unsupported|not supported|cannot read encrypted|oid/i.test(message)) return new CertificateFault('encryption');
  return new CertificateFault('notPkcs12');
}

/** The keys and certificates of a file. @throws CertificateFault */
function unpack(file: Uint8Array, password: string): { keys: Entry[]; certificates: Entry[] } {
  const binary = Array.from(file, (byte) => String.fromCharCode(byte)).join('');
  try {
    const bags = pkcs12
      .pkcs12FromAsn1(asn1.fromDer(binary), false, password)
      .safeContents.flatMap(({ safeBags }) => safeBags);
    const of = (types: readonly (string | undefined)[]) => bags.filter(({ type }) => types.includes(type));
    const { pkcs8ShroudedKeyBag, keyBag, certBag } = pki.oids;
    return {
      keys: of([pkcs8ShroudedKeyBag, keyBag]).map((bag) => ({ node: keyNode(bag), id: idOf(bag) })),
      certificates: of([certBag])
        .slice(0, MOST)
        .map((bag) => ({ node: certificateNode(bag), id: idOf(bag) })),
    };
  } catch (error) {
    throw faultOf(error);
  }
}

/**
 * Opens a PKCS #12 file (RFC 7292) in this page, with new and old encryption: neither file nor password nor key leave
 * it. `now`: at which its certificate must be valid.
 *
 * @throws CertificateFault
 */
export async function openPkcs12(file: Uint8Array, password: string, now = new Date()): Promise<CertSigner> {
  const { keys, certificates } = unpack(file, password);
  const [key] = keys;
  if (!key) throw new CertificateFault('noKey');
  // Files without these marks have the certificate of the key first.
  const own = certificates.find(({ id }) => key.id === '' || id === key.id);
  if (!own) throw new CertificateFault('noCertificate');
  const { name, notBefore, notAfter } = factsOf(own.node);
  if (notAfter < now) throw new CertificateFault('expired');
  if (notBefore > now) throw new CertificateFault('notYet');
  const sign = await signerOf(key.node, parse);
  const base64Of = ({ node }: Entry): string => toBase64(toBytes(derOf(node)));
  return {
    name,
    prove: async (text) => ({
      certificate: base64Of(own),
      chain: certificates
        .filter((one) => one !== own)
        .slice(0, 4)
        .map((one) => base64Of(one)),
      ...(await sign(text)),
    }),
  };
}
