import { describe, expect, test } from 'vitest';
import type { ConferenceTopology } from '@rmeet/contract';
import { interruptionOf } from '../../src/features/conferences/desk/model/log.ts';
import { layeredGraph } from '../../src/features/conferences/desk/topology/layout.ts';

const terminal = (termId: string) => ({
  termId,
  name: termId,
  deviceType: 5,
  mcuZoneId: 'local',
  mcuId: 'local-2',
  roundTrip: 9,
  up: 100,
  down: 200,
  loss: 1,
});
const TOPOLOGY: ConferenceTopology = {
  meetId: '0198f6a2-7e6d-7c40-9a11-5b1f0e3c2d11',
  generation: 1,
  mcuZoneId: 'local',
  mcuId: 'local-2',
  cascades: [],
  zones: [
    {
      mcuZoneId: 'local',
      name: '',
      available: true,
      mcus: [
        { mcuId: 'local-1', state: 'up', load: 1 },
        { mcuId: 'local-2', state: 'full', load: 1 },
      ],
    },
    { mcuZoneId: 'second', name: 'Second', available: false, mcus: [{ mcuId: 'second-1', state: 'away', load: null }] },
  ],
  terminals: [terminal('a'), terminal('b'), terminal('c')],
};

describe('the graph', () => {
  test('links terminals to their media server, and places no two nodes of a column on each other', () => {
    const { nodes, links, height } = layeredGraph(TOPOLOGY);
    expect(links.filter(({ to }) => to.kind === 'terminal').map(({ from, to }) => [from.id, to.id])).toEqual([
      ['local-2', 'a'],
      ['local-2', 'b'],
      ['local-2', 'c'],
    ]);
    expect(
      nodes
        .filter(({ current }) => current)
        .map(({ id }) => id)
        .toSorted(),
    ).toEqual(['a', 'b', 'c', 'local', 'local-2']);
    for (const kind of ['zone', 'server', 'terminal'] as const) {
      const ys = nodes
        .filter((node) => node.kind === kind)
        .map(({ y }) => y)
        .toSorted((a, b) => a - b);
      expect(ys.every((y, at) => at === 0 || y - (ys[at - 1] ?? 0) >= 30)).toBe(true);
      expect(ys.at(-1) ?? 0).toBeLessThan(height);
    }
  });
});

describe('the interruption by a move', () => {
  test('has median, 95th percentile and worst of the terminals that are back, and names the others', () => {
    const affected = Array.from({ length: 21 }, (_, n) => `T${n}`);
    const acks = affected
      .slice(0, 20)
      .map((termId, n) => ({ termId, failed: n === 19 ? 'engineFailed' : null, gap: (n + 1) * 10 }));
    expect(interruptionOf(affected, [...acks, { termId: '@engine', failed: null }])).toEqual({
      back: 19,
      missing: ['T19', 'T20'],
      median: 100,
      p95: 190,
      worst: 190,
    });
  });

  test('has no times if no terminal is back', () => {
    expect(interruptionOf(['T1'], [])).toEqual({ back: 0, missing: ['T1'], median: null, p95: null, worst: null });
  });
});
