import type { Page } from '@playwright/test';
import { trafficOf, until, type Traffic } from '@rmeet/testkit';

const SECONDS = 5;
/** Maximum time until a page is at rest, ms. */
const PATIENCE = 25_000;

/**
 * Limits for what a page may send, receive (both directions together) and render in SECONDS while nothing happens. For
 * signalling this is one message per second: livekit-client sends `ping` and `pingReq` every 5 s, each of which is
 * answered; that makes four messages, and one remains for everything else.
 */
const BUDGET = { signalling: 1, push: 6, calls: 2, commits: 20 } as const;
const KEEP_ALIVE = /(ping|pingReq|pong|pongResp)$/;
/** Two rounds, in case one falls on each end of the interval. */
const KEEP_ALIVES = 8;

function isWithinBudget({ signalling, push, calls, commits }: Traffic): boolean {
  const count = (kinds: Record<string, number>, isCounted: (kind: string) => boolean = () => true): number =>
    Object.entries(kinds).reduce((sum, [kind, times]) => (isCounted(kind) ? sum + times : sum), 0);
  const keepsAlive = (kind: string): boolean => KEEP_ALIVE.test(kind);
  return (
    count(signalling, (kind) => !keepsAlive(kind)) <= BUDGET.signalling &&
    count(signalling, keepsAlive) <= KEEP_ALIVES &&
    count(push) <= BUDGET.push &&
    count(calls) <= BUDGET.calls &&
    commits <= BUDGET.commits
  );
}

/** Waits until pages stay below the limits of an idle page for 5 s; on failure, lists their activity by kind. */
export async function comeToRest(pages: Record<string, Page>): Promise<void> {
  const from = Date.now();
  await until(
    'pages have come to rest',
    async () => {
      if (Date.now() - from < SECONDS * 1_000) return false;
      const traffic = await Promise.all(
        Object.entries(pages).map(async ([name, page]) => [name, await trafficOf(page, { seconds: SECONDS })] as const),
      );
      const loud = traffic.filter(([, one]) => !isWithinBudget(one));
      if (loud.length === 0) return true;
      throw new Error(`in ${SECONDS} s: ${JSON.stringify(Object.fromEntries(loud))}`);
    },
    { within: PATIENCE, every: 250 },
  );
}
