/** A pattern for LIKE and ILIKE that finds texts containing `keyword`, whatever characters it has. */
export function containing(keyword: string): string {
  return `%${keyword.replace(/[\\%_]/g, '\\$&')}%`;
}
