import type { ConferenceVerb } from '@rmeet/conference';
import { ENGINE_ACK } from '@rmeet/contract';
import type { TenantTx } from '../../../platform/db/index.ts';
import { chunksOf, latencyOf, notifyDesks, type AcknowledgementDeps, type NewAck } from './acknowledgement-rows.ts';
import type { ConferenceRef } from './engine.ts';
import { findAcks, findVersions, putAcks } from './repo.ts';

/** How many versions back a process looks for missing acknowledgements of a conference that is new to it. */
const LOOK_BACK = 200;

/** Verbs that change something on the media engine. */
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

type EngineCommand = Awaited<ReturnType<typeof findVersions>>[number];

/** The engine's acknowledgements of these commands, as far as they differ from those stored. */
async function newAcks(
  tx: TenantTx,
  commands: readonly EngineCommand[],
  isFailed: (command: EngineCommand) => boolean,
  at: Date,
): Promise<NewAck[]> {
  const ids = commands.map(({ id }) => id);
  const stored = (await findAcks(tx, ids)).filter(({ termId }) => termId === ENGINE_ACK);
  const known = new Map(stored.map((row) => [row.commandId, row.failed]));
  return commands
    .map((command): NewAck => ({
      commandId: command.id,
      termId: ENGINE_ACK,
      at,
      latency: latencyOf(at, command.createdAt),
      failed: isFailed(command) ? 'engineFailed' : null,
      gap: null,
    }))
    .filter(({ commandId, failed }) => known.get(commandId) !== failed);
}

/** Stores which commands the media engine has applied. */
export function createEngineAcknowledgements({ db, push, now }: AcknowledgementDeps) {
  /** Per conference, the version of the control state up to which the engine has applied everything. */
  const acknowledged = new Map<string, number>();

  /**
   * The engine has applied every command up to version `upTo` of the control state, except for the terminals in
   * `failed`; commands that failed before are applied now.
   */
  return async function acknowledge(
    conference: ConferenceRef,
    { upTo, failed }: { upTo: number; failed: readonly string[] },
  ): Promise<void> {
    const from = acknowledged.get(conference.id) ?? Math.max(0, upTo - LOOK_BACK);
    if (upTo <= from) return;
    const at = now();
    const isFailed = ({ changes }: EngineCommand): boolean =>
      changes.some(({ termId }) => termId !== null && failed.includes(termId));
    const oldestFailed = await db.tenant(conference.tenantId, async (tx) => {
      const commands = (await findVersions(tx, conference.id, from, upTo)).filter(({ verb }) =>
        ENGINE_VERBS.has(verb as ConferenceVerb),
      );
      for (const rows of chunksOf(await newAcks(tx, commands, isFailed, at)))
        await notifyDesks(push, tx, conference, await putAcks(tx, rows));
      return commands.find(isFailed)?.version;
    });
    // The reconciler causes another attempt, which starts from the oldest failed command.
    acknowledged.set(conference.id, oldestFailed === undefined ? upTo : oldestFailed - 1);
  };
}
