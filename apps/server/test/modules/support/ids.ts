export const UUID = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g;
const MEETING_NUMBER = /\b[1-9]\d{8}\b/g;

/**
 * A text, or JSON of a value, without ids and meeting numbers: these may contain the four digits of a password by
 * chance.
 */
export function withoutIds(value: unknown): string {
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return text.replaceAll(UUID, 'id').replaceAll(MEETING_NUMBER, 'number');
}
