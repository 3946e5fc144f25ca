const HIDDEN = '***';
/** Names of secrets, or their ends. */
const NAMES = 'pass(?:word|wd|phrase)?|pwd|secret|token|ticket|authorization|cookie|credential|captcha|key';

/**
 * What looks like a secret or personal, in any text. The log hides named fields already (redact.ts); this finds what
 * was written into a message, a stack or a statement.
 */
const PATTERNS: readonly (readonly [RegExp, string])[] = [
  // Accounts in addresses: postgres://user:password@host.
  [/([a-z][a-z0-9+.-]*:\/\/)[^\s/@"']*@/gi, `$1${HIDDEN}@`],
  // PEM blocks, also with escaped line ends.
  [/-----BEGIN [A-Z0-9 ]+-----[\s\S]*?(?:-----END [A-Z0-9 ]+-----|$)/g, HIDDEN],
  // JSON Web Tokens.
  [/\beyJ[\w-]+\.[\w-]+(?:\.[\w-]*)?/g, HIDDEN],
  // Hashes of passwords in PHC form.
  [/\$(?:argon2\w*|scrypt|2[aby]|pbkdf2[\w-]*)\$[^\s"']+/gi, HIDDEN],
  // Keys and tokens of the product and of others: a prefix and many characters.
  [/\b(?:rms|rmt|whsec|sk|pk|ghp|xox[a-z]|LTAI|AKIA|AKID)[_-]?[A-Za-z0-9_-]{10,}/g, HIDDEN],
  [/\b(Bearer|Basic|Digest)\s+[\w.~+/=-]+/gi, `$1 ${HIDDEN}`],
  // name="value" and "name":"value", which may be escaped; name "value"; name=value and name: value.
  [new RegExp(`((?:${NAMES})["'\\\\]*\\s*[:=]?\\s*["'\\\\]+)(?=[^"'\\\\:=,}])[^"'\\\\]+`, 'gi'), `$1${HIDDEN}`],
  [new RegExp(`((?:${NAMES})["'\\\\]*\\s*[:=]\\s*)(?!true|false|null|[[{])[^\\s"'\\\\,;&})\\]]+`, 'gi'), `$1${HIDDEN}`],
  // Codes sent to people, but not the names of errors.
  [/(code["'\\]*\s*[:=]\s*["'\\]*)\d{4,8}\b/gi, `$1${HIDDEN}`],
  [/[\w.+-]+@[\w-]+(?:\.[\w-]+)+/g, HIDDEN],
  // Telephone numbers: E.164 with or without spaces, Chinese mobile and fixed ones.
  [/\+\d[\d\s-]{5,18}\d/g, HIDDEN],
  [/(?<![\d-])1[3-9]\d[\s-]?\d{4}[\s-]?\d{4}(?!\d)/g, HIDDEN],
  [/(?<![\d.:-])0\d{2,3}-\d{7,8}(?!\d)/g, HIDDEN],
  // Long random texts: hexadecimal and base64url; base64, which has slashes as paths have.
  [/(?<![\w/.-])(?=[A-Za-z+_-]*\d)(?=[\d+_-]*[A-Za-z])[A-Za-z0-9+_-]{24,}={0,2}(?![\w/])/g, HIDDEN],
  [/[A-Za-z0-9+/]{22,}={1,2}/g, HIDDEN],
  [/(?<![\w/.-])(?=[^\s"]*\d)(?=[^\s"]*[A-Z])(?=[^\s"]*[a-z])[A-Za-z0-9][A-Za-z0-9+/]{31,}(?![\w.-])/g, HIDDEN],
];

/** UUIDs name rows, and are what support needs to find them. */
const UUID = /\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/gi;
const MARK = '\u0000';

/**
 * A text without secrets: without these known ones wherever they stand, and without everything that looks like one.
 *
 * @param known values of settings; short ones are left, because they would also hide other words
 */
export function scrub(text: string, known: readonly string[] = []): string {
  let clean = text;
  for (const secret of known) if (secret.length >= SHORTEST) clean = clean.replaceAll(secret, HIDDEN);
  const ids: string[] = [];
  clean = clean.replaceAll(MARK, '').replace(UUID, (id) => `${MARK}${ids.push(id) - 1}${MARK}`);
  for (const [pattern, replacement] of PATTERNS) clean = clean.replace(pattern, replacement);
  return clean.replace(/\0(\d+)\0/g, (_, n: string) => ids[Number(n)] ?? '');
}

/** Known secrets of fewer characters are only hidden where they look like one. */
const SHORTEST = 4;
