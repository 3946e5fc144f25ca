/** Backgrounds of avatars; white text reaches 4.5:1 on each. */
const COLOURS = ['#1458a6', '#7a3e9d', '#1b7242', '#a3420f', '#9c2458', '#0d6e7a', '#5b5fc7', '#7b5b00'];

/**
 * One or two letters for a name: the initials of its first and last word, or the last two characters of a Chinese name.
 */
export function initialsOf(name: string): string {
  const words = name
    .trim()
    .split(/[\s（]+/u)
    .filter(Boolean);
  const first = words[0];
  const last = words.at(-1);
  if (first === undefined || last === undefined) return '?';
  if (/\p{Script=Han}/u.test(first)) return Array.from(first).slice(-2).join('');
  const letters = (words.length === 1 ? [first] : [first, last]).map((word) =>
    String.fromCodePoint(word.codePointAt(0) ?? 0),
  );
  return letters.join('').toLocaleUpperCase();
}

/** A stable colour for a terminal. */
export function colourOf(termId: string): string {
  let hash = 0;
  for (const letter of termId) hash = (hash * 31 + (letter.codePointAt(0) ?? 0)) % 1_000_003;
  return COLOURS[hash % COLOURS.length] ?? COLOURS[0] ?? '';
}
