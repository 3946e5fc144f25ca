import type { MediaEngine } from '@rmeet/testkit';

/**
 * Where an engine behaves differently from the other one and a scenario must know; docs/engines.md repeats the list.
 */
interface Difference {
  /** Title of the scenario. */
  scenario: string;
  engine: MediaEngine['kind'];
  what: string;
  why: string;
}

const differences: readonly Difference[] = [
  {
    scenario: 'without enough bandwidth, video is paused and sound continues',
    engine: 'livekit',
    what: 'over one peer connection it pauses video without telling the client (no streamStateUpdate)',
    why: 'only the handler of its subscriber connection passes that message on; over two connections it is told',
  },
];

/** How an engine differs from the other one in a scenario; undefined if it does not. */
export function differenceOf(scenario: string, { kind }: MediaEngine): Difference | undefined {
  return differences.find((difference) => difference.scenario === scenario && difference.engine === kind);
}
