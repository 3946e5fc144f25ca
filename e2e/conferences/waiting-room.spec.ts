import { bookMeeting, expect, join, seesPeople, signIn, test } from '../support.ts';

test('a guest waits, is let in by the host, and meets', async ({ server, open }) => {
  const { numericId: number } = await bookMeeting(await server.api.as('chair'), 'Visiting hour', { password: '', waitingRoom: true });
  const alice = await open('alice');
  await signIn(alice, server, 'chair');
  await join(alice, server, { number });
  await alice.getByTestId('toolbar-leave').waitFor();

  const carol = await open('carol');
  await join(carol, server, { number, name: 'Carol' });
  await expect(carol.getByTestId('waiting-room')).toBeVisible();

  await alice.getByTestId('toolbar-people').click();
  const waiting = alice.getByTestId('waiting-person').filter({ hasText: 'Carol' });
  await waiting.getByTestId(/^admit-/).click();
  await seesPeople(carol, ['alice']);
  await seesPeople(alice, ['carol']);

  const bob = await open('bob', { locale: 'en-US' });
  await join(bob, server, { number, name: 'Mallory' });
  await expect(bob.getByTestId('waiting-room')).toBeVisible();
  await alice.getByTestId('waiting-person').filter({ hasText: 'Mallory' }).getByTestId(/^refuse-/).click();
  await expect(bob.getByTestId('call-ended')).toBeVisible();
});
