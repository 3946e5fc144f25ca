/** One attribute of a relative distinguished name. */
interface Part {
  type: string;
  value: string;
}

const HEX_PAIR = /^[0-9a-f]{2}$/i;

/** Reads one escaped value (RFC 4514, section 2.4); a value in hexadecimal (`#04...`) stays as it is. */
function unescaped(text: string): string {
  const bytes: Buffer[] = [];
  const trimmed = text.replace(/^ +/, '').replace(/(?<!\\) +$/, '');
  for (let at = 0; at < trimmed.length; at += 1) {
    const pair = trimmed.slice(at + 1, at + 3);
    if (trimmed[at] === '\\' && HEX_PAIR.test(pair)) {
      bytes.push(Buffer.from(pair, 'hex'));
      at += 2;
    } else if (trimmed[at] === '\\') {
      bytes.push(Buffer.from(trimmed[at + 1] ?? ''));
      at += 1;
    } else bytes.push(Buffer.from(trimmed[at] ?? ''));
  }
  return Buffer.concat(bytes).toString('utf8');
}

/** Splits at a separator that is not escaped. */
function split(text: string, separator: ',' | '+'): string[] {
  const parts: string[] = [''];
  for (let at = 0; at < text.length; at += 1) {
    const character = text[at] ?? '';
    if (character === '\\') {
      parts[parts.length - 1] += character + (text[at + 1] ?? '');
      at += 1;
    } else if (character === separator || (separator === ',' && character === ';')) parts.push('');
    else parts[parts.length - 1] += character;
  }
  return parts;
}

/** The relative names of a distinguished name (RFC 4514), the person's own first; values without escapes. */
export function partsOf(dn: string): Part[][] {
  if (dn.trim() === '') return [];
  return split(dn, ',').map((rdn) =>
    split(rdn, '+').map((pair) => {
      const equals = pair.indexOf('=');
      return { type: pair.slice(0, equals).trim().toLowerCase(), value: unescaped(pair.slice(equals + 1)) };
    }),
  );
}

const partKey = ({ type, value }: Part): string =>
  JSON.stringify([type, value.toLowerCase().replaceAll(/ +/g, ' ').trim()]);

/** Equal for two notations of the same name: case, spaces and escapes do not matter. */
export function dnKey(dn: string): string {
  return partsOf(dn)
    .map((rdn) =>
      rdn
        .map((part) => partKey(part))
        .toSorted()
        .join('+'),
    )
    .join(',');
}

/** The name without its first part. */
export const parentOf = (dn: string): string => split(dn, ',').slice(1).join(',');

/** The organisational units between a person and the base of the search, the outermost first. */
export function unitsAbove(dn: string, base: string): string[] {
  const above = partsOf(dn).slice(1);
  return above
    .slice(0, Math.max(0, above.length - partsOf(base).length))
    .flatMap((rdn) => rdn.filter(({ type }) => type === 'ou').map(({ value }) => value))
    .toReversed();
}
