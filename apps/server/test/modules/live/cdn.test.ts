import { afterAll, beforeAll, expect, test } from 'vitest';
import { clientOf, codeOf, signIn, type Person } from '../support/client.ts';
import { openLive } from '../support/live.ts';
import { startTestServer, type TestServer } from '../support/server.ts';

let server: TestServer;
let alice: Person;
beforeAll(async () => {
  server = await startTestServer({ liveCdnUrl: 'https://cdn.example.org' });
  alice = await signIn(server, 'alice');
});
afterAll(() => server.close());

test('viewers of a public broadcast play it at the CDN while it is on air, those of another one do not', async () => {
  const { id, act } = await openLive(server, alice, { access: 'public' });
  const { watch } = clientOf(server);
  const { view, cdn: before } = await watch.open({ params: { id }, body: {} });
  expect(before).toBeNull();
  const at = async () => {
    server.clock.advance({ seconds: 3 });
    return (await watch.state({ body: { view } })).cdn;
  };
  await act('START');
  const recordingId = (await alice.broadcasts.detail({ params: { id } })).recordingId ?? '';
  const path = `/api/api/v1/live/public/${id}/playlist.m3u8?recording=${recordingId}`;
  expect(await at()).toBe(`https://cdn.example.org${path}`);
  await act('PAUSE');
  expect(await at()).toBeNull();
  await act('RESUME');
  expect(await at()).not.toBeNull();
  await alice.broadcasts.change({ params: { id }, body: { access: 'organisation' } });
  const query = { recording: recordingId };
  expect(await codeOf(watch.openPlaylist({ params: { id }, query }))).toBe('NOT_FOUND');
  expect(await codeOf(watch.openMedia({ params: { id, file: 'init-1.mp4' }, query }))).toBe('NOT_FOUND');
  expect((await alice.watch.openSignedIn({ params: { id }, body: {} })).cdn).toBeNull();
  await act('END');
});
