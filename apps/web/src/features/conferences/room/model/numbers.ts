/** `482 913 057`: three groups are easier to read out than nine digits. */
export const grouped = (number: string): string => number.replace(/(\d{3})(?=\d)/g, '$1 ');
