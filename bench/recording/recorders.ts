import { join } from 'node:path';
import { ConferenceRecorder } from '../../packages/recorder/src/index.ts';

/** What a process records: each meeting to a folder of its own. */
export interface RecordersOptions {
  url: string;
  token: string;
  meetIds: string[];
  folder: string;
  withTracks: boolean;
}

/** Records meetings until it gets a message; a message says that all have begun. */
const { url, token, meetIds, folder, withTracks } = JSON.parse(process.argv[2]!) as RecordersOptions;
const recorders = await Promise.all(
  meetIds.map(
    (meetId) =>
      new Promise<ConferenceRecorder>((resolve, reject) => {
        const started = ConferenceRecorder.start({
          url,
          credentials: { token },
          meetId,
          folder: join(folder, meetId),
          index: null,
          startsAt: Date.now(),
          withTracks,
          onFile: () => undefined,
          onFirstPart: () => void started.then(resolve),
          onFailure: reject,
        });
        started.catch(reject);
      }),
  ),
);
process.send!('records');
process.once('message', () => {
  void Promise.all(recorders.map((recorder) => recorder.stop())).then(() => process.exit(0));
});
