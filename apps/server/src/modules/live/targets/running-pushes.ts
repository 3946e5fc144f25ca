import { and, eq, ne, or } from 'drizzle-orm';
import type { ProgrammePushes } from '@rmeet/recorder';
import { parseRtmpAddress, type PushState } from '@rmeet/rtmp';
import type { Db, TenantTx } from '../../../platform/db/index.ts';
import type { Log } from '../../../platform/log/log.ts';
import type { SecretBox } from '../../../platform/secrets/index.ts';
import { broadcast } from '../tables.ts';
import { addressOf, signedAddress } from './addresses.ts';
import type { PushHosts } from './hosts.ts';
import { broadcastTarget, type BroadcastTargetRow } from './tables.ts';
import { findTargets } from './targets.ts';

export type Pushes = Pick<ProgrammePushes, 'set'>;

export interface RunningPushesDeps {
  db: Db;
  log: Log;
  secrets: SecretBox;
  hosts: PushHosts;
  now: () => Date;
  recording: { id: string; tenantId: string };
}

/** Characters of a server's answer that are stored. */
const LONGEST_REASON = 300;

/** A target with another address or key is pushed to anew. */
const pushKeyOf = ({ id, addressSealed, keySealed }: BroadcastTargetRow): string =>
  [id, addressSealed, keySealed ?? ''].join(' ');

/** The row of a push key. */
const targetIdOf = (key: string): string => key.slice(0, key.indexOf(' '));

/** Where the programme of a recording is pushed to now: to the targets of its broadcast while that is on air. */
async function targetsOf(tx: TenantTx, recordingId: string): Promise<BroadcastTargetRow[]> {
  // An outside stream is not recorded: it is named by its broadcast.
  const isOf = or(
    eq(broadcast.recordingId, recordingId),
    and(eq(broadcast.id, recordingId), ne(broadcast.source, 'conference')),
  );
  const row = await tx.findOne(broadcast, and(isOf, eq(broadcast.state, 'onAir')));
  return row ? findTargets(tx, row.id) : [];
}

/** The pushes of one recording: follows what people want, and stores how they are. */
export class RunningPushes {
  readonly #deps: RunningPushesDeps;
  #keys: readonly string[] = [];
  /** Names of streams are secrets, and servers repeat them in their answers. */
  #streams: readonly string[] = [];
  #work: Promise<void> = Promise.resolve();

  constructor(deps: RunningPushesDeps) {
    this.#deps = deps;
  }

  /** Pushes to what is wanted now. Call it about once a second. */
  async follow(pushes: Pushes): Promise<void> {
    const { db, secrets, recording } = this.#deps;
    const rows = await db.tenant(recording.tenantId, (tx) => targetsOf(tx, recording.id));
    const keys = rows.map(pushKeyOf);
    if (keys.length === this.#keys.length && keys.every((key) => this.#keys.includes(key))) return;
    this.#keys = keys;
    this.#streams = rows.flatMap((row) => parseRtmpAddress(addressOf(secrets, row))?.stream.split('?')[0] ?? []);
    pushes.set(rows.map((row) => this.#targetOf(row)));
  }

  #targetOf(row: BroadcastTargetRow): Parameters<Pushes['set']>[0][number] {
    const { secrets, hosts, now } = this.#deps;
    const address = addressOf(secrets, row);
    const lookup = hosts.lookupFor(address);
    return {
      id: pushKeyOf(row),
      address() {
        // The configuration may have changed since it was stored.
        if (!hosts.allows(address)) throw new TypeError('Nothing may be pushed to this address.');
        return signedAddress(secrets, row, address, now());
      },
      ...(lookup && { lookup }),
    };
  }

  /** A push changed: `id` is that of its target in `follow`. Resolves when that is stored, or cannot be. */
  note(id: string, state: PushState, reason: string): Promise<void> {
    const { db, log, recording } = this.#deps;
    const { tenantId, id: recordingId } = recording;
    const told = this.#streams.reduce((text, stream) => text.replaceAll(stream, '…'), reason).slice(0, LONGEST_REASON);
    const columns = { state: state === 'stopped' ? ('idle' as const) : state, reason: told };
    this.#work = this.#work
      .then(() =>
        db.tenant(tenantId, (tx) => tx.update(broadcastTarget, columns, eq(broadcastTarget.id, targetIdOf(id)))),
      )
      .then(
        () => undefined,
        (error: unknown) => log.warn({ error, recordingId }, 'The state of a push could not be stored'),
      );
    return this.#work;
  }
}
