import type { FileAnswer } from '../../../platform/http/index.ts';
import type { Programme } from '../../recordings/index.ts';
import { admittedTo } from './admit.ts';
import type { WatchSignatures } from './signature.ts';
import type { Snapshots } from './snapshot.ts';

export interface ReplayDeps {
  snapshots: Snapshots;
  signatures: WatchSignatures;
  programme: Programme;
}

/** The recording of a broadcast that is over, under the addresses of the broadcast. */
export interface Replay {
  /** Undefined if the viewer may not watch it, or there is none. */
  playlist(broadcastId: string, sign: string): Promise<FileAnswer | undefined>;
  /**
   * An initialization segment or a segment, if the edit of the recording leaves it in; undefined as above.
   *
   * @throws AppError NOT_FOUND for a file that is missing
   */
  media(broadcastId: string, file: string, sign: string): Promise<FileAnswer | undefined>;
}

export function createReplay({ programme, ...deps }: ReplayDeps): Replay {
  const replayOf = async (broadcastId: string, sign: string) => (await admittedTo(deps, broadcastId, sign))?.replay;
  return {
    async playlist(broadcastId, sign) {
      const row = await replayOf(broadcastId, sign);
      return row ? programme.playlist(row, sign) : undefined;
    },
    async media(broadcastId, file, sign) {
      const row = await replayOf(broadcastId, sign);
      return row ? programme.media(row, file) : undefined;
    },
  };
}
