import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { RecordedMeeting } from './meeting.ts';

const run = promisify(execFile);

/** Decodes each picture at its own time. */
const TO_NOTHING = ['-fps_mode', 'passthrough', '-enc_time_base', '1:1000', '-f', 'null', '-'];

/** Whether ffmpeg plays the part of a running recording that is stored. Returns what went wrong. */
export async function playsSoFar(meeting: RecordedMeeting): Promise<string[]> {
  const address = await meeting.playlist();
  const text = await (await fetch(address)).text();
  const seconds = [...text.matchAll(/#EXTINF:([\d.]+)/g)].reduce((sum, [, length]) => sum + Number(length), 0);
  if (seconds === 0) return ['nothing that was recorded before can be played'];
  const until = ['-t', String(Math.max(1, Math.floor(seconds) - 1))];
  const from = ['-live_start_index', '0', '-allowed_extensions', 'ALL', '-i', address];
  const { stderr } = await run('ffmpeg', ['-v', 'error', ...from, ...until, ...TO_NOTHING]);
  return stderr === '' ? [] : [`what was recorded before does not play: ${stderr.slice(0, 300)}`];
}

/**
 * Whether ffmpeg reads a complete recording from its playlist, and all of it. It does not decode, because the addresses
 * work for a minute only.
 */
export async function plays(meeting: RecordedMeeting, seconds: number): Promise<string[]> {
  const from = ['-allowed_extensions', 'ALL', '-i', await meeting.playlist()];
  const sound = ['-map', '0:a', '-c', 'copy', '-f', 'framecrc', '-'];
  const pictures = ['-map', '0:v', '-c', 'copy', '-f', 'mpegts', '-y', '/dev/null'];
  const { stdout, stderr } = await run('ffmpeg', ['-v', 'error', ...from, ...sound, ...pictures], {
    maxBuffer: 1 << 28,
  });
  const ticks = Number(/^#tb 0: 1\/(\d+)$/m.exec(stdout)?.[1]);
  const packets = stdout.split('\n').filter((line) => /^\d/.test(line));
  const played = packets.reduce((sum, line) => sum + Number(line.split(',')[3]), 0) / ticks;
  const complaints = stderr.split('\n').filter((line) => line !== '');
  return [
    ...complaints.slice(0, 3).map((line) => `ffmpeg says of the playlist: ${line}`),
    ...(Math.abs(played - seconds) < 2 ? [] : [`${played.toFixed(1)} s of ${seconds.toFixed(1)} s are played`]),
  ];
}
