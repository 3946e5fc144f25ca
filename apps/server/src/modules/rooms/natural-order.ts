/** Longer sequences of digits are compared only up to this length. */
const DIGITS = 99;

/**
 * A text whose character order is the natural order: `Room 2` before `Room 10`, case-insensitive. It is stored next to
 * the name, so that the database can sort and page by it.
 */
export function sortKeyOf(text: string): string {
  return text
    .normalize('NFKC')
    .toLowerCase()
    .replaceAll(/\d+/g, (digits) => {
      const number = digits.replace(/^0+(?=\d)/, '').slice(0, DIGITS);
      return `${String(number.length).padStart(2, '0')}${number}`;
    });
}
