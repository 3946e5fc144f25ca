/** A pattern for LIKE and ILIKE that finds texts containing `keyword`, with any characters in it. */
export function containing(keyword: string): string {
  return `%${keyword.replace(/[\\%_]/g, '\\$&')}%`;
}
