/** The length of a polling turn and the time left at a moment of the server's clock, ms. */
export function turnAt(since: string, switchAt: string, now: number): { length: number; left: number } {
  const [from, to] = [Date.parse(since), Date.parse(switchAt)];
  const length = Math.max(1, to - from);
  return { length, left: Math.min(length, Math.max(0, to - now)) };
}
