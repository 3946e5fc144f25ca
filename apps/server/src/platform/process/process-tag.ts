const DIGITS = 36;
const LENGTH = 2;

/** What the ICE user names of a media process begin with, so that the server can tell whose a TCP connection is. */
export function processTag(index: number): string {
  return index.toString(DIGITS).padStart(LENGTH, '0');
}

/** The media process of an ICE user name; undefined if none has such a tag. */
export function processOfTag(ufrag: string): number | undefined {
  const tag = ufrag.slice(0, LENGTH);
  return /^[0-9a-z]{2}$/.test(tag) ? Number.parseInt(tag, DIGITS) : undefined;
}
