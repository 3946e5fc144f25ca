/** A length of time in ms as a clock shows it: `04:09`, or `1:04:09` from an hour on. */
export function runningTime(length: number): string {
  const seconds = Math.max(0, Math.floor(length / 1_000));
  const two = (value: number): string => String(value).padStart(2, '0');
  const hours = Math.floor(seconds / 3_600);
  const rest = `${two(Math.floor(seconds / 60) % 60)}:${two(seconds % 60)}`;
  return hours === 0 ? rest : `${hours}:${rest}`;
}
