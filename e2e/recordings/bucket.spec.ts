import { closePage, openPage, s3Program, startS3, startServer, storeFor } from '@rmeet/testkit';
import { storeRecording } from '../../packages/recorder/test/stored-recording.ts';
import { expect, test } from '../pages.ts';
import { colourOf, PROGRAMME } from './support.ts';

test.skip(s3Program === undefined, 'RMEET_TEST_S3_SERVER is not set.');

for (const mayRead of [true, false])
  test(`a recording in a bucket plays where the bucket ${mayRead ? 'allows' : 'does not allow'} it by CORS`, async ({
    chromium,
  }) => {
    const s3 = await startS3({ corsOrigin: mayRead ? '*' : undefined });
    const { endpoint, bucket, accessKey, secret } = s3.settings;
    const server = await startServer({
      env: {
        RMEET_S3_ENDPOINT: endpoint,
        RMEET_S3_PUBLIC_URL: endpoint.replace('127.0.0.1', 'localhost'),
        RMEET_S3_BUCKET: bucket,
        RMEET_S3_KEY: accessKey,
        RMEET_S3_SECRET: secret,
      },
    });
    const { id } = await storeRecording({ folder: s3.folder, databaseUrl: server.databaseUrl ?? '' });
    const page = await openPage(chromium, { locale: 'en-US' });
    const loaded: string[] = [];
    page.on('requestfinished', (request) => loaded.push(new URL(request.url()).host));
    await storeFor(page, server.url, { token: (await server.api.as('alice')).token });
    await page.goto(`${server.url}/#/record-details/${id}?t=6`);
    await expect.poll(() => colourOf(page, PROGRAMME)).toBe('blue');
    expect(loaded.some((host) => host.startsWith('localhost'))).toBe(mayRead);
    expect(server.log().includes("the bucket's CORS rules")).toBe(!mayRead);
    await closePage(page);
    await server.stop();
    await s3.remove();
  });
