import { closePage } from '@rmeet/testkit';
import { agreeByKey, expect, LOOKS, looksRight, signInByToken, test } from '../pages.ts';
import { join } from '../support.ts';
import { bookLive } from './support.ts';

test('the host goes on air from the meeting, and all people in it see that it is live', async ({ server, open }) => {
  const { numericId } = await bookLive(server, 'alice', 'Live from the room', { live: { access: 'public' } });
  const alice = await open('alice', { locale: 'en-US' });
  await signInByToken(alice, server, 'alice');
  await join(alice, server, { number: numericId });
  await alice.getByTestId('host-menu').press('Enter');
  await alice.getByTestId('host-live-start').press('Enter');
  await expect(alice.getByTestId('broadcast-mark')).toHaveText('Live');

  const guest = await open('bob', { locale: 'en-US' });
  await join(guest, server, { number: numericId, password: '4821', name: 'Guest' });
  await expect(guest.getByTestId('broadcast-mark')).toHaveText('Live');
  if (LOOKS.length > 0) await looksRight(guest, 'room live');
  await alice.getByTestId('host-menu').press('Enter');
  await alice.getByTestId('host-live-pause').press('Enter');
  await expect(guest.getByTestId('broadcast-mark')).toHaveText('Live paused');
  await alice.getByTestId('host-menu').press('Enter');
  await alice.getByTestId('host-live-end').press('Enter');
  await agreeByKey(alice);
  await expect(guest.getByTestId('broadcast-mark')).toHaveCount(0);
  await closePage(guest);
});
