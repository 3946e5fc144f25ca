import type { TenantTx } from '../../../platform/db/index.ts';
import { chunksOf, latencyOf, notifyDesks, type AcknowledgementDeps, type NewAck } from './acknowledgement-rows.ts';
import { createEngineAcknowledgements } from './engine-acknowledgements.ts';
import type { ConferenceRef } from './engine.ts';
import { findAcknowledged, findPublished, insertAcks, type Acknowledgeable } from './repo.ts';

/**
 * Acknowledgements of a conference are collected for this long, so that those of a hundred terminals take a few
 * statements.
 */
const COLLECT = 50;
const RETRY = 1_000;
interface Ack {
  termId: string;
  /** The push version up to which the terminal has applied everything. */
  version: number;
  failed: string | null;
  gap: number | null;
  at: Date;
}

interface Batch {
  conference: ConferenceRef;
  acks: Ack[];
}

/**
 * One row for each command that a terminal has applied, from the first acknowledgement that covers it: a terminal
 * acknowledges everything up to a version, so later acknowledgements cover it too.
 *
 * @param from the version that each terminal acknowledged before
 */
function rowsOf(
  acks: readonly Ack[],
  commands: readonly Acknowledgeable[],
  from: (termId: string) => number,
): NewAck[] {
  return [...Map.groupBy(acks, ({ termId }) => termId)].flatMap(([termId, own]) => {
    const sorted = own.toSorted((a, b) => a.version - b.version);
    const expected = commands.filter(
      ({ pushVersion, affected }) => pushVersion > from(termId) && affected.includes(termId),
    );
    return expected.flatMap((command): NewAck[] => {
      const ack = sorted.find(({ version }) => version >= command.pushVersion);
      if (!ack) return [];
      const isLast = ack.version === command.pushVersion;
      return [
        {
          commandId: command.id,
          termId,
          at: ack.at,
          latency: latencyOf(ack.at, command.createdAt),
          failed: isLast ? ack.failed : null,
          gap: isLast ? ack.gap : null,
        },
      ];
    });
  });
}

/** Collects and stores the acknowledgements of terminals. */
class TerminalAcknowledgements {
  readonly #deps: AcknowledgementDeps;
  #batches = new Map<string, Batch>();
  #timer: NodeJS.Timeout | undefined;
  #current: Promise<void> = Promise.resolve();
  #isStopped = false;
  /** The push version that each terminal acknowledged last. */
  readonly #acknowledged = new Map<string, number>();

  constructor(deps: AcknowledgementDeps) {
    this.#deps = deps;
    deps.push.onConnection((caller, state) => {
      if (caller.kind === 'terminal' && state === 'closed') this.#acknowledged.delete(caller.termId);
    });
  }

  add(conference: ConferenceRef, ack: Ack, delay = COLLECT): void {
    const batch = this.#batches.get(conference.id) ?? { conference, acks: [] };
    this.#batches.set(conference.id, batch);
    batch.acks.push(ack);
    if (!this.#isStopped)
      this.#timer ??= setTimeout(() => {
        this.#current = this.#current.then(() => this.#flush());
      }, delay);
  }

  stop(): Promise<void> {
    this.#isStopped = true;
    this.#current = this.#current.then(() => this.#flush());
    return this.#current;
  }

  async #flush(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const batches = this.#batches;
    this.#batches = new Map();
    for (const batch of batches.values()) {
      try {
        await this.#store(batch);
      } catch (error) {
        const conferenceId = batch.conference.id;
        this.#deps.log.warn({ error, conferenceId }, 'Acknowledgements were not stored; trying again');
        for (const ack of batch.acks) this.add(batch.conference, ack, RETRY);
      }
    }
  }

  async #store({ conference, acks }: Batch): Promise<void> {
    const { db, push } = this.#deps;
    const from = (termId: string): number => this.#acknowledged.get(termId) ?? 0;
    await db.tenant(conference.tenantId, async (tx) => {
      await this.#load(tx, conference, acks);
      const published = await findPublished(
        tx,
        conference.id,
        Math.min(...acks.map(({ termId }) => from(termId))),
        Math.max(...acks.map(({ version }) => version)),
      );
      for (const rows of chunksOf(rowsOf(acks, published, from)))
        await notifyDesks(push, tx, conference, await insertAcks(tx, rows));
    });
    for (const { termId, version } of acks) if (version > from(termId)) this.#acknowledged.set(termId, version);
  }

  /** Loads the last acknowledged versions of terminals that connected here since, from another process or anew. */
  async #load(tx: TenantTx, conference: ConferenceRef, acks: readonly Ack[]): Promise<void> {
    const unknown = [...new Set(acks.map(({ termId }) => termId))].filter((termId) => !this.#acknowledged.has(termId));
    if (unknown.length === 0) return;
    const found = new Map(
      (await findAcknowledged(tx, conference.id, unknown)).map(({ termId, version }) => [termId, version]),
    );
    for (const termId of unknown) this.#acknowledged.set(termId, found.get(termId) ?? 0);
  }
}

/** Stores which commands terminals and the engine have applied, and sends the acknowledgements to desks. */
export function createAcknowledgements(deps: AcknowledgementDeps) {
  const terminals = new TerminalAcknowledgements(deps);
  return {
    /** A terminal has applied everything up to a version of the push topic; `failed` names what failed of the last. */
    terminal(
      conference: ConferenceRef,
      termId: string,
      version: number,
      { failed = null, gap = null }: { failed?: string | null; gap?: number | null } = {},
    ): void {
      terminals.add(conference, { termId, version, failed, gap, at: deps.now() });
    },

    engine: createEngineAcknowledgements(deps),

    /** Stores what was collected so far, and accepts no more. */
    stop: (): Promise<void> => terminals.stop(),
  };
}

export type Acknowledgements = ReturnType<typeof createAcknowledgements>;
