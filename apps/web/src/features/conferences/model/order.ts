/** The order of keys after people came and went: those who stay keep their places, newcomers go to the end. */
export function keepOrder(previous: readonly string[], present: readonly string[]): string[] {
  const here = new Set(present);
  const stayed = previous.filter((key) => here.has(key));
  const known = new Set(stayed);
  return [...stayed, ...present.filter((key) => !known.has(key))];
}

/**
 * Brings whoever spoke lately onto the first page, and moves nobody else: each takes the place of the one there who has
 * been silent for longest. The first `fixed` places (our own tile) are never given away.
 * `recent` names the speakers, latest first; only as many count as the page has places to give.
 */
export function promoteSpeakers(order: readonly string[], recent: readonly string[], firstPage: number, fixed: number): string[] {
  const result = [...order];
  const seats = firstPage - fixed;
  if (order.length <= firstPage || seats <= 0) return result;
  const due = recent.filter((key) => order.includes(key) && order.indexOf(key) >= fixed).slice(0, seats);
  const rank = (key: string) => {
    const at = due.indexOf(key);
    return at === -1 ? Number.POSITIVE_INFINITY : at;
  };
  for (const speaker of due) {
    const from = result.indexOf(speaker);
    if (from < firstPage) continue;
    const to = quietestSeat(result, fixed, firstPage, rank);
    const silent = result[to];
    if (silent === undefined) continue;
    result[to] = speaker;
    result[from] = silent;
  }
  return result;
}

function quietestSeat(order: readonly string[], from: number, to: number, rank: (key: string) => number): number {
  let seat = from;
  for (let at = from; at < to; at += 1) {
    if (rank(order[at] ?? '') >= rank(order[seat] ?? '')) seat = at;
  }
  return seat;
}
