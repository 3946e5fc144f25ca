import { createWriteStream } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { pathOf, recordingIndex, recordingKeys, recordings, type RecordingIndex } from '@rmeet/contract';
import { until, type Api, type RunningServer } from '@rmeet/testkit';
import type { Recorded, RunningRecording } from '../../packages/recorder/test/stage.ts';

const WITHIN = { within: 60_000 };

/** A recording as the product keeps it. */
export interface StoredRecording {
  id: string;
  index: RecordingIndex;
}

/** Records by command of the chair, as a user does; the recorder is a process of the product. */
export async function recordInProduct({ server, chair, meetId }: Recorded): Promise<RunningRecording & { id: string }> {
  const ask = (action: 'START' | 'PAUSE' | 'RESUME') => chair.conferences.setConfRecord({ query: { meetId, action } });
  const status = () => chair.conferences.getRecordStatus({ query: { meetId } });
  const untilStatus = (wanted: string) =>
    until(`the recording is ${wanted}`, async () => (await status()).status === wanted, WITHIN);
  await ask('START');
  await untilStatus('RECORDING');
  const { recordingId, startedAt } = await status();
  const id = recordingId!;
  return {
    id,
    began: performance.now() - (Date.now() - Date.parse(startedAt!)),
    pause: async () => {
      await ask('PAUSE');
      await untilStatus('PAUSED');
    },
    resume: async () => {
      await ask('RESUME');
      await untilStatus('RECORDING');
    },
    stop: async () => {
      await until(
        'it is ready',
        async () => (await chair.recordings.detail({ params: { id } })).state === 'ready',
        WITHIN,
      );
      return indexOf(server, id);
    },
  };
}

async function indexOf({ data }: RunningServer, id: string): Promise<RecordingIndex> {
  return recordingIndex.parse(JSON.parse(await readFile(join(data, 'files', recordingKeys.index(id)), 'utf8')));
}

/** The folder of a stored track. */
export function trackFolder({ data }: RunningServer, id: string, track: string): string {
  return join(data, 'files', recordingKeys.folder(id), track);
}

/** Has the product make an MP4 of a track, and saves it. */
export async function saveMp4(
  server: RunningServer,
  api: Api & { token: string },
  { id }: StoredRecording,
  track: string,
  path: string,
): Promise<string> {
  const started = await api.recordings.startExport({ params: { id }, body: { track } });
  await until(
    `the MP4 of ${track} is ready`,
    async () => {
      const { records } = await api.recordings.exports({ params: { id } });
      const made = records.find((one) => one.id === started.id);
      if (made?.state === 'failed') throw new Error('it failed');
      return made?.state === 'ready';
    },
    WITHIN,
  );
  const response = await fetch(server.url + pathOf(recordings.exportFile, { params: { id: started.id } }), {
    headers: { authorization: api.token },
  });
  if (!response.ok || !response.body) throw new Error(`The MP4 of ${track} is answered ${response.status}.`);
  await pipeline(Readable.fromWeb(response.body), createWriteStream(path));
  return path;
}

/** A stretch of a track whose segments share an initialization segment, as one file. */
interface CmafStretch {
  path: string;
  /** Where it lies in what is played, seconds. */
  from: number;
  seconds: number;
}

/** The CMAF of a track, concatenated: one file for each initialization segment. */
export async function concatenated(
  server: RunningServer,
  { id, index }: StoredRecording,
  track: string,
  folder: string,
): Promise<CmafStretch[]> {
  const { segments } = index.tracks.find((one) => one.id === track)!;
  const stored = trackFolder(server, id, track);
  const stretches: CmafStretch[] = [];
  let from = 0;
  for (const [init, some] of Map.groupBy(segments, (segment) => segment.init)) {
    const names = [`init-${init}.mp4`, ...some.map(({ number }) => `segment-${init}-${number}.m4s`)];
    const path = join(folder, `${track}-${init}.cmaf.mp4`);
    await writeFile(path, Buffer.concat(await Promise.all(names.map((name) => readFile(join(stored, name))))));
    const seconds = some.reduce((sum, { duration }) => sum + duration, 0) / 1_000;
    stretches.push({ path, from, seconds });
    from += seconds;
  }
  return stretches;
}
