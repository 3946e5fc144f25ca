import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  bookMeeting,
  joinAsTerminal,
  S3_SKIPPED,
  s3Program,
  startS3,
  startServer,
  until,
  type RunningServer,
  type S3Server,
} from '@rmeet/testkit';
import { tempFolder } from './support/db.ts';

const SUPERVISOR = fileURLToPath(new URL('../../src/supervisor.ts', import.meta.url));
const WITHIN = { within: 30_000 };

let s3: S3Server;
let server: RunningServer;
let machine: ChildProcess;
let folder: Awaited<ReturnType<typeof tempFolder>>;
beforeAll(async () => {
  if (s3Program === undefined) return;
  s3 = await startS3();
  const { endpoint, accessKey, secret } = s3.settings;
  const bucket = {
    RMEET_S3_BUCKET: 'files',
    RMEET_S3_ENDPOINT: endpoint,
    RMEET_S3_KEY: accessKey,
    RMEET_S3_SECRET: secret,
  };
  server = await startServer({ env: { ...bucket, RMEET_RECORDERS: '0' } });
  folder = await tempFolder();
  // The engine of the server is a LiveKit server for other machines.
  const keys = JSON.parse(readFileSync(join(server.data, 'media-keys.json'), 'utf8')) as Record<string, string>;
  const inherited = Object.entries(process.env).filter(([name]) => !name.startsWith('RMEET_'));
  machine = spawn(process.execPath, [SUPERVISOR], {
    env: {
      ...Object.fromEntries(inherited),
      ...bucket,
      RMEET_ROLE: 'recorder',
      RMEET_DATA: folder.path,
      RMEET_PUBLIC_URL: server.url,
      DATABASE_URL: server.databaseUrl,
      LIVEKIT_URL: server.url.replace('http', 'ws'),
      LIVEKIT_API_KEY: keys['apiKey'],
      LIVEKIT_API_SECRET: keys['apiSecret'],
    },
    stdio: 'ignore',
  });
}, 90_000);
afterAll(async () => {
  if (s3Program === undefined) return;
  const exit = once(machine, 'exit');
  machine.kill('SIGTERM');
  await exit;
  await server.stop();
  await folder.remove();
  await s3.remove();
});

test.skipIf(s3Program === undefined)(
  `a machine that only records writes to the bucket; the server plays it and makes an MP4${S3_SKIPPED}`,
  async () => {
    const chair = await server.api.as('chair');
    const { meetId, numericId } = await bookMeeting(chair);
    const person = await joinAsTerminal(chair, server.url, { numericId, autoSubscribe: false });
    await person.media.publishAudio({ tone: 500 });
    await person.media.publishVideo({ colour: 'red', codec: 'h264' });
    await chair.conferences.setConfRecord({ query: { meetId, action: 'START' } });
    const statusOf = () => chair.conferences.getRecordStatus({ query: { meetId } });
    await until('it records', async () => (await statusOf()).status === 'RECORDING', WITHIN);
    const id = (await statusOf()).recordingId!;
    const params = { id };
    await until('segments are stored', async () => (await chair.recordings.detail({ params })).bytes > 60_000, WITHIN);
    await chair.conferences.end({ params: { meetId } });
    await until('it is ready', async () => (await chair.recordings.detail({ params })).state === 'ready', WITHIN);
    expect(server.run().recorders).toEqual([]);
    expect(readdirSync(join(folder.path, 'recording-spool'))).toEqual([]);

    const { sign } = await chair.recordings.playback({ params });
    const playlist = await fetch(
      `${server.url}/api/api/v1/recordings/${id}/tracks/programme/playlist.m3u8?sign=${sign}`,
    );
    const names = (await playlist.text()).split('\n').filter((line) => line.startsWith('segment-'));
    expect(names.length).toBeGreaterThan(1);
    for (const name of names) expect((await fetch(new URL(name, playlist.url))).status).toBe(200);

    const { id: exportId } = await chair.recordings.startExport({ params, body: {} });
    const made = await until(
      'the MP4 is made',
      async () => {
        const { records } = await chair.recordings.exports({ params });
        return records.find((one) => one.id === exportId && one.state === 'ready');
      },
      WITHIN,
    );
    expect(made.bytes).toBeGreaterThan(10_000);
    person.kill();
  },
  90_000,
);
