import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { recordingIndex, recordingKeys, type RecordingIndex } from '@rmeet/contract';
import { until } from '@rmeet/testkit';
import { storedFrames } from '../../packages/recorder/test/stored-frames.ts';
import { expect, seesPeople, test } from './support.ts';

test('a meeting that was booked with a recording is recorded from its first person on, and again by command', async ({
  server,
  gather,
}) => {
  test.setTimeout(120_000);
  const meeting = await gather({ autoRecord: true });
  const { host, meetId } = meeting;
  const status = () => host.conferences.getRecordStatus({ query: { meetId } });
  const isRecording = () =>
    until('it is recorded', async () => (await status()).status === 'RECORDING', { within: 20_000 });
  const untilStored = (id: string) =>
    until(
      'two segments are stored',
      async () => {
        const names = await readdir(join(server.data, 'files', recordingKeys.folder(id), 'programme'));
        return names.filter((name) => name.endsWith('.m4s')).length >= 2;
      },
      { within: 20_000 },
    );
  const ask = (action: 'START' | 'STOP') => host.conferences.setConfRecord({ query: { meetId, action } });
  const chair = await meeting.enter('chair');
  await isRecording();
  const booked = (await status()).recordingId ?? '';
  const alice = await meeting.enter('alice');
  await seesPeople(chair.page, ['alice']);
  await seesPeople(alice.page, ['chair']);
  await untilStored(booked);
  await ask('STOP');
  await ask('START');
  await isRecording();
  const asked = (await status()).recordingId ?? '';
  expect(asked).not.toBe(booked);
  await untilStored(asked);
  await host.conferences.end({ params: { meetId } });
  // The end screen leads the host to it; guests have no page of recordings.
  await chair.page.getByTestId('end-recording').getByRole('link').click();
  await expect(chair.page).toHaveURL(new RegExp(`record-details/${asked}`));
  await expect(alice.page.getByTestId('call-ended')).toBeVisible();
  await expect(alice.page.getByTestId('end-recording')).toHaveCount(0);
  await expect(chair.page.getByTestId('player-large')).toBeVisible({ timeout: 30_000 });

  for (const id of [booked, asked]) {
    const read = async (): Promise<RecordingIndex> =>
      recordingIndex.parse(JSON.parse(await readFile(join(server.data, 'files', recordingKeys.index(id)), 'utf8')));
    await until('the recording is complete', async () => (await read()).isComplete, { within: 20_000 });
    const frames = await storedFrames(server.data, id, await read());
    expect(frames['aac']).toBeGreaterThan(50);
    expect(frames['h264']).toBeGreaterThan(0);
  }
});
