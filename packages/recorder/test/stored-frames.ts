import { execFile } from 'node:child_process';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { recordingKeys, type RecordingIndex } from '@rmeet/contract';

const run = promisify(execFile);

/**
 * The frames of a recording's programme by codec, as ffprobe reads them from each stretch that is stored in the data
 * folder of a server.
 */
export async function storedFrames(
  dataFolder: string,
  id: string,
  { tracks }: RecordingIndex,
): Promise<Record<string, number>> {
  const frames: Record<string, number> = {};
  const programme = tracks.find(({ kind }) => kind === 'programme')?.segments ?? [];
  const path = join(dataFolder, `${id}.mp4`);
  for (const [init, segments] of Map.groupBy(programme, (segment) => segment.init)) {
    const keys = [
      recordingKeys.init(id, 'programme', init),
      ...segments.map((segment) => recordingKeys.segment(id, 'programme', segment)),
    ];
    const files = keys.map((key) => readFile(join(dataFolder, 'files', key)));
    await writeFile(path, Buffer.concat(await Promise.all(files)));
    const shown = ['-show_entries', 'stream=codec_name,nb_read_frames', '-of', 'json'];
    const { stdout } = await run('ffprobe', ['-v', 'error', '-count_frames', ...shown, path]);
    const { streams } = JSON.parse(stdout) as { streams: { codec_name: string; nb_read_frames?: string }[] };
    // A short stretch may have no frame of a stream, which ffprobe then does not count.
    for (const { codec_name: codec, nb_read_frames: count = '0' } of streams)
      frames[codec] = (frames[codec] ?? 0) + Number(count);
  }
  await rm(path, { force: true });
  return frames;
}
