import { Participant } from '@rmeet/participant';
import type { Admission, Envelope } from '@rmeet/contract';
import type { RunningServer } from '@rmeet/testkit';
import { expect, test } from '../pages.ts';
import { bookMeeting } from '../support.ts';

/** Starts a meeting as an outside client does: without an account, by number and key. */
async function startByZak(server: RunningServer, body: { numericId: string; zak: string }) {
  const answer = await fetch(`${server.url}/api/api/v1/meetings/startByZak`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'accept-language': 'en' },
    body: JSON.stringify(body),
  });
  return { httpStatus: answer.status, ...((await answer.json()) as Envelope<Admission>) };
}

// endpoints.tsv: GET meetings/getHostZak.
test('a host starts a meeting from an outside client by a one-time key, and colleagues see it running', async ({
  server,
  visit,
}) => {
  const [alice, bob] = [await server.api.as('alice'), await server.api.as('bob')];
  const { numericId, meetId } = await bookMeeting(alice, 'Started outside', {
    participants: [{ kind: 'user', userId: bob.user.id }],
  });
  const { zak } = await alice.hostKeys.getHostZak({ query: { numericId } });
  const { httpStatus, data } = await startByZak(server, { numericId, zak });
  expect([httpStatus, data.state, data.meetId]).toEqual([200, 'admitted', meetId]);
  if (data.state !== 'admitted') throw new Error('The host waits.');
  const media = await Participant.connect({ url: data.url, token: data.token });

  const page = await visit('bob', '/', `/myMeeting?open=${meetId}`, { locale: 'en-US' });
  await expect(page.getByTestId('meeting-detail')).toContainText('Running');
  const { numericId: number } = await bob.meetings.detail({ params: { id: meetId } });
  expect(await bob.conferences.join({ body: { numericId: number } })).toMatchObject({ state: 'admitted' });

  const again = await startByZak(server, { numericId, zak });
  expect([again.httpStatus, again.statusCode, again.message]).toEqual([
    406,
    'HOST_KEY_INVALID',
    'This host key is not valid or has expired. Get a new one, then start the meeting again.',
  ]);
  media.leave();
  await server.api.withToken(data.sessionToken).conferences.end({ params: { meetId } });
});
