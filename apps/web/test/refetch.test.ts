import { InfiniteQueryObserver, QueryClient, QueryObserver } from '@tanstack/react-query';
import { expect, test } from 'vitest';
import { refetch } from '../src/lib/refetch.ts';

const KEY = ['meetings'];

/** A server that answers on demand, in the order of requests; each answer is the number of requests so far. */
function slowServer() {
  const waiting: (() => void)[] = [];
  let asked = 0;
  return {
    get asked() {
      return asked;
    },
    ask(): Promise<number> {
      asked += 1;
      const answer = asked;
      return new Promise((resolve) => waiting.push(() => resolve(answer)));
    },
    /** Answers the oldest request; resolves when the page has had time to send further ones. */
    async answer(): Promise<void> {
      waiting.shift()?.();
      await new Promise((resolve) => setImmediate(resolve));
    },
  };
}

test('with changes faster than responses, the last response was requested after the last change', async () => {
  const client = new QueryClient();
  const server = slowServer();
  const list = new QueryObserver(client, { queryKey: KEY, queryFn: () => server.ask() });
  const stop = list.subscribe(() => undefined);
  await server.answer();
  expect(list.getCurrentResult().data).toBe(1);

  const changes = [refetch(client, { queryKey: KEY }), refetch(client, { queryKey: KEY })];
  await Promise.resolve();
  changes.push(refetch(client, { queryKey: KEY }));
  await server.answer();
  expect(list.getCurrentResult().data).toBe(2);
  const askedBefore = server.asked;
  changes.push(refetch(client, { queryKey: KEY }));
  await server.answer();
  await server.answer();
  await Promise.all(changes);
  expect(list.getCurrentResult().data).toBeGreaterThan(askedBefore);
  expect(list.getCurrentResult().fetchStatus).toBe('idle');
  stop();
});

test('a requested further page arrives even if a change happens meanwhile', async () => {
  const client = new QueryClient();
  const server = slowServer();
  const list = new InfiniteQueryObserver(client, {
    queryKey: KEY,
    queryFn: () => server.ask(),
    initialPageParam: 1,
    getNextPageParam: (_last, pages) => pages.length + 1,
  });
  const stop = list.subscribe(() => undefined);
  await server.answer();
  const more = list.fetchNextPage();
  const change = refetch(client, { queryKey: KEY });
  await server.answer();
  expect((await more).data?.pages).toHaveLength(2);
  await server.answer();
  await server.answer();
  await change;
  expect(list.getCurrentResult().data?.pages).toEqual([3, 4]);
  stop();
});

test('a failed query blocks nothing', async () => {
  const client = new QueryClient();
  let fails = true;
  const list = new QueryObserver(client, {
    queryKey: KEY,
    retry: false,
    queryFn: () => (fails ? Promise.reject(new Error('busy')) : Promise.resolve('answer')),
  });
  const stop = list.subscribe(() => undefined);
  const change = refetch(client, { queryKey: KEY });
  fails = false;
  await change;
  expect(list.getCurrentResult().data).toBe('answer');
  stop();
});
