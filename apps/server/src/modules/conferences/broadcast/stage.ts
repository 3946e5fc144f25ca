import type { ConferenceBroadcast } from '@rmeet/conference';
import type { TenantTx } from '../../../platform/db/index.ts';
import { AppError, type Context, type UserCaller } from '../../../platform/http/index.ts';
import { authorize, SERVER, type Authorization } from '../control/authorization.ts';
import type { Control } from '../control/index.ts';
import type { Recordings } from '../recording/record.ts';
import type { ConferenceRow } from '../tables.ts';

type UserContext = Context<UserCaller>;

interface StageDeps {
  control: Pick<Control, 'execute'>;
  recording: Pick<Recordings, 'ensure' | 'finish'>;
}

/** What a broadcast does in a running conference, within the transaction of the broadcast. */
export function createStage({ control, recording }: StageDeps) {
  return {
    /**
     * Locks the running conference of a meeting for a caller who may see it; undefined if there is none. Conferences
     * are always locked before their broadcasts.
     *
     * @throws AppError NOT_FOUND
     */
    async hold(tx: TenantTx, { caller }: UserContext, meetId: string): Promise<Authorization | undefined> {
      try {
        return await authorize(tx, caller, meetId, true);
      } catch (error) {
        if (error instanceof AppError && error.code === 'CONFERENCE_OVER') return undefined;
        throw error;
      }
    },

    /** See Recordings.ensure(). */
    record: recording.ensure,

    /** See Recordings.finish(). */
    stopRecording: recording.finish,

    /** Tells everybody in the conference whether they are on air; null: not any more. */
    async show(tx: TenantTx, conference: ConferenceRow, broadcast: ConferenceBroadcast | null): Promise<void> {
      await control.execute(tx, conference, { verb: 'broadcast', broadcast }, SERVER, null);
    },
  };
}

export type Stage = ReturnType<typeof createStage>;
