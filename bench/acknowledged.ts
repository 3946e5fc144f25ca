import type { CommandAnswer } from '@rmeet/contract';
import { until, type Desk } from '@rmeet/testkit';

const ANSWER_WITHIN = 10_000;

export interface Acknowledged {
  /** Milliseconds by termId, as measured by the server. */
  latencies: Map<string, number>;
  failed: string[];
}

/** The acknowledgements that the desk receives, by command. */
export function follow(desk: Desk): Map<string, Acknowledged> {
  const heard = new Map<string, Acknowledged>();
  desk.push.on('event', ({ event }) => {
    if (event.type !== 'acknowledged') return;
    for (const { commandId, termId, latency, failed } of event.acks) {
      const one = heard.get(commandId) ?? { latencies: new Map<string, number>(), failed: [] };
      one.latencies.set(termId, latency);
      if (failed !== null) one.failed.push(`${termId}: ${failed}`);
      heard.set(commandId, one);
    }
  });
  return heard;
}

/** Waits until all affected terminals have acknowledged. */
export async function settled(
  heard: ReadonlyMap<string, Acknowledged>,
  { commandId, affected }: CommandAnswer,
): Promise<Acknowledged> {
  const none: Acknowledged = { latencies: new Map(), failed: [] };
  const isThere = (): boolean => affected.every((termId) => heard.get(commandId)?.latencies.has(termId));
  await until(`all have acknowledged ${commandId}`, isThere, { within: ANSWER_WITHIN });
  return heard.get(commandId) ?? none;
}
