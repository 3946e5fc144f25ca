import type { Tenant } from '@rmeet/contract';
import { bookMeeting, expect, join, test } from '../support.ts';

test('the room announces the last minutes before the limit of the organisation', async ({ server, open }) => {
  const { numericId: number } = await bookMeeting(await server.api.as('chair'), 'Long meeting');
  const root = await server.api.as('root');
  const { records } = await root.tenants.list({ query: { keyword: 'demo' } });
  const { deniedFeatures: _, quotas, ...demo } = records[0] as Tenant;
  const allow = async (meetingMinutes: number | null, version: number) =>
    (
      await root.tenants.update({
        body: {
          ...demo,
          version,
          meetingAdmin: { name: '', phoneNumber: '--' },
          serviceDesk: { name: '', phoneNumber: '--' },
          deniedFeatures: [],
          quotas: { ...quotas, meetingMinutes },
        },
      })
    ).version;

  const carol = await open('carol', { locale: 'en-US' });
  await join(carol, server, { number, password: '4821', name: 'Carol' });
  await carol.getByTestId('toolbar-leave').waitFor();
  await expect(carol.getByTestId('call-banner')).toBeHidden();

  const version = await allow(5, demo.version);
  const banner = carol.locator('[data-testid=call-banner][data-state=ending]');
  await expect(banner).toHaveText('The meeting ends in 5 min: it reaches the time limit of its organisation.');
  await allow(null, version);
  await expect(banner).toBeHidden();
});
