/** More digits than that in a row do not count further. */
const DIGITS = 99;

/**
 * A text that sorts, character by character, as people count: `Room 2` before `Room 10`, whatever its case. It is
 * stored beside the name, so that the database sorts and pages by it.
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
