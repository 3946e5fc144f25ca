import type { ConferenceVerb } from '@rmeet/conference';
import { ENGINE_ACK } from '@rmeet/contract';
import type { Db, TenantTx } from '../../../platform/db/index.ts';
import type { Log } from '../../../platform/log/log.ts';
import type { Push } from '../../../platform/push/index.ts';
import type { ConferenceRef } from './engine.ts';
import { presentAck } from './present.ts';
import {
  findAcknowledged,
  findAcks,
  findTold,
  findVersions,
  insertAcks,
  putAcks,
  type Acknowledgeable,
  type AckRow,
} from './repo.ts';

/**
 * Acknowledgements of a conference are gathered this long, so that a hundred terminals make a handful of statements.
 */
const GATHER = 50;
const RETRY = 1_000;
/** Rows of one statement, which takes 65,535 parameters at most. */
const ROWS_AT_ONCE = 1_000;
/** How far back the engine's acknowledgements are looked at by a process that has not seen the conference before. */
const ENGINE_LOOK_BACK = 200;

/** Verbs that the media engine has a part in. */
const ENGINE_VERBS: ReadonlySet<ConferenceVerb> = new Set([
  'mute',
  'muteAll',
  'selfUnmute',
  'camera',
  'chairman',
  'speaker',
  'mode',
  'lock',
  'rename',
  'remove',
  'sendBack',
  'undo',
  'contentLock',
  'dualStream',
  'giveFloor',
  'polling',
  'broadcastPolling',
  'pollingTurn',
  'rollCall',
  'callUp',
  'rollMark',
  'rollCallEnd',
  'scene',
]);

interface Ack {
  termId: string;
  /** The push version up to which everything is done. */
  version: number;
  failed: string | null;
  gap: number | null;
  at: Date;
}

interface Gathered {
  conference: ConferenceRef;
  acks: Ack[];
}

type NewAck = Omit<AckRow, 'tenantId'>;

const latencyOf = (at: Date, createdAt: Date): number => Math.max(0, at.getTime() - createdAt.getTime());

/**
 * One row for each command that a terminal has done, by the first acknowledgement that covers it: a terminal
 * acknowledges everything up to a version, so that later ones cover it, too.
 *
 * @param from the version each terminal acknowledged before
 */
function rowsOf(
  acks: readonly Ack[],
  commands: readonly Acknowledgeable[],
  from: (termId: string) => number,
): NewAck[] {
  return [...Map.groupBy(acks, ({ termId }) => termId)].flatMap(([termId, own]) => {
    const sorted = own.toSorted((a, b) => a.version - b.version);
    const asked = commands.filter(
      ({ pushVersion, concerned }) => pushVersion > from(termId) && concerned.includes(termId),
    );
    return asked.flatMap((command): NewAck[] => {
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

function* slicesOf<T>(rows: readonly T[], size: number): Generator<T[]> {
  for (let start = 0; start < rows.length; start += size) yield rows.slice(start, start + size);
}

export interface AcknowledgementDeps {
  db: Db;
  push: Push;
  now: () => Date;
  log: Log;
}

/** Notes what terminals and the engine have done of the commands, and tells desks. */
export function createAcknowledgements({ db, push, now, log }: AcknowledgementDeps) {
  let gathered = new Map<string, Gathered>();
  let timer: NodeJS.Timeout | undefined;
  let current: Promise<void> = Promise.resolve();
  let isStopped = false;
  /** The push version each terminal has acknowledged last. */
  const done = new Map<string, number>();
  /** The control's version the engine has acknowledged last, per conference, and the oldest one that it failed at. */
  const engineDone = new Map<string, number>();

  push.onConnection((caller, state) => {
    if (caller.kind === 'terminal' && state === 'closed') done.delete(caller.termId);
  });

  async function tellDesks(tx: TenantTx, conference: ConferenceRef, rows: readonly AckRow[]): Promise<void> {
    if (rows.length === 0) return;
    const acks = rows.map((row) => ({ commandId: row.commandId, ...presentAck(row) }));
    await push.publish(tx, `meeting:${conference.meetingId}`, {
      type: 'acknowledged',
      acks,
      conferenceId: conference.id,
    });
  }

  /** Looks up what terminals have acknowledged that connected, or were served by another process, since. */
  async function lookUp(tx: TenantTx, conference: ConferenceRef, acks: readonly Ack[]): Promise<void> {
    const unknown = [...new Set(acks.map(({ termId }) => termId))].filter((termId) => !done.has(termId));
    if (unknown.length === 0) return;
    const found = new Map(
      (await findAcknowledged(tx, conference.id, unknown)).map(({ termId, version }) => [termId, version]),
    );
    for (const termId of unknown) done.set(termId, found.get(termId) ?? 0);
  }

  async function store({ conference, acks }: Gathered): Promise<void> {
    const from = (termId: string): number => done.get(termId) ?? 0;
    await db.tenant(conference.tenantId, async (tx) => {
      await lookUp(tx, conference, acks);
      const told = await findTold(
        tx,
        conference.id,
        Math.min(...acks.map(({ termId }) => from(termId))),
        Math.max(...acks.map(({ version }) => version)),
      );
      for (const rows of slicesOf(rowsOf(acks, told, from), ROWS_AT_ONCE))
        await tellDesks(tx, conference, await insertAcks(tx, rows));
    });
    for (const { termId, version } of acks) if (version > from(termId)) done.set(termId, version);
  }

  async function flush(): Promise<void> {
    clearTimeout(timer);
    timer = undefined;
    const batch = gathered;
    gathered = new Map();
    for (const each of batch.values()) {
      try {
        await store(each);
      } catch (error) {
        log.warn({ error, conferenceId: each.conference.id }, 'Acknowledgements were not stored; trying again');
        for (const ack of each.acks) gather(each.conference, ack, RETRY);
      }
    }
  }

  function gather(conference: ConferenceRef, ack: Ack, wait = GATHER): void {
    const of = gathered.get(conference.id) ?? { conference, acks: [] };
    gathered.set(conference.id, of);
    of.acks.push(ack);
    if (!isStopped)
      timer ??= setTimeout(() => {
        current = current.then(flush);
      }, wait);
  }

  return {
    /**
     * A terminal has done everything up to a version of the push topic; `failed` says what it could not of the last.
     */
    terminal(
      conference: ConferenceRef,
      termId: string,
      version: number,
      { failed = null, gap = null }: { failed?: string | null; gap?: number | null } = {},
    ): void {
      gather(conference, { termId, version, failed, gap, at: now() });
    },

    /**
     * The engine has done every command up to version `upTo` of the control, but for the terminals in `failed`; what it
     * failed at before is done now.
     */
    async engine(
      conference: ConferenceRef,
      { upTo, failed }: { upTo: number; failed: readonly string[] },
    ): Promise<void> {
      const from = engineDone.get(conference.id) ?? Math.max(0, upTo - ENGINE_LOOK_BACK);
      if (upTo <= from) return;
      const at = now();
      const oldestFailed = await db.tenant(conference.tenantId, async (tx) => {
        const commands = (await findVersions(tx, conference.id, from, upTo)).filter(({ verb }) =>
          ENGINE_VERBS.has(verb as ConferenceVerb),
        );
        const isFailed = ({ changes }: (typeof commands)[number]): boolean =>
          changes.some(({ termId }) => termId !== null && failed.includes(termId));
        const known = new Map(
          (
            await findAcks(
              tx,
              commands.map(({ id }) => id),
            )
          )
            .filter(({ termId }) => termId === ENGINE_ACK)
            .map((row) => [row.commandId, row.failed]),
        );
        const rows = commands
          .map((command): NewAck => ({
            commandId: command.id,
            termId: ENGINE_ACK,
            at,
            latency: latencyOf(at, command.createdAt),
            failed: isFailed(command) ? 'engineFailed' : null,
            gap: null,
          }))
          .filter(({ commandId, failed: word }) => known.get(commandId) !== word);
        for (const slice of slicesOf(rows, ROWS_AT_ONCE)) await tellDesks(tx, conference, await putAcks(tx, slice));
        return commands.find(isFailed)?.version;
      });
      // Counted again from there the next time, which the reconciler sees to.
      engineDone.set(conference.id, oldestFailed === undefined ? upTo : oldestFailed - 1);
    },

    /** Stores what was gathered so far, and takes no more. */
    stop(): Promise<void> {
      isStopped = true;
      current = current.then(flush);
      return current;
    },
  };
}

export type Acknowledgements = ReturnType<typeof createAcknowledgements>;
