import type { MediaClient } from './media.ts';

/** Combines several media zones; its own calls go to the first one, this server's own. */
export function joinZones(first: MediaClient, others: readonly MediaClient[]): MediaClient {
  const all = [first, ...others];
  const zoneOf = (id: string): MediaClient => all.find(({ zone }) => zone.id === id) ?? first;
  for (const client of all) Object.assign(client, { zones: () => all, in: zoneOf });
  return {
    ...first,
    async check() {
      const [own] = await Promise.all(all.map((client) => client.check()));
      return own ?? false;
    },
    close() {
      for (const client of all) client.close();
    },
  };
}
