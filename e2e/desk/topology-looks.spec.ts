import { closePage } from '@rmeet/testkit';
import type { ConferenceTopology } from '@rmeet/contract';
import { LOOKS, looksRight } from '../pages.ts';
import { busyConference, MEET_ID } from './busy-conference.ts';
import { openDeskFixture } from './fixture.ts';
import { expect, pressAction, test } from './support.ts';

const SIZES = [
  { width: 1280, height: 800 },
  { width: 390, height: 844 },
];

for (const locale of LOOKS) {
  for (const size of SIZES) {
    // oxlint-disable-next-line max-lines-per-function -- One scenario, step by step.
    test(`the topology in ${locale}, ${size.width} wide`, async ({ server, chromium }) => {
      const busy = busyConference(20, { now: Date.now() });
      const topology: ConferenceTopology = {
        meetId: MEET_ID,
        generation: 1,
        mcuZoneId: 'local',
        mcuId: 'local-2',
        cascades: [],
        zones: [
          {
            mcuZoneId: 'local',
            name: '',
            available: true,
            mcus: [
              { mcuId: 'local-1', state: 'full', load: 90 },
              { mcuId: 'local-2', state: 'up', load: 24 },
            ],
          },
          { mcuZoneId: 'north', name: '北院区', available: true, mcus: [{ mcuId: 'north-1', state: 'up', load: 3 }] },
          {
            mcuZoneId: 'south',
            name: 'South',
            available: false,
            mcus: [{ mcuId: 'south-1', state: 'away', load: null }],
          },
        ],
        terminals: busy.state.terminals.map(({ termId, name, deviceType }, at) => ({
          termId,
          name,
          deviceType,
          mcuZoneId: 'local',
          mcuId: 'local-2',
          roundTrip: 20,
          up: 1_700_000,
          down: 2_400_000,
          loss: at % 7,
        })),
      };
      busy.state.can.push('moveZone', 'reset');
      const { page, calls } = await openDeskFixture(chromium, server.url, busy, { locale, size });
      await page.route('**/getConfTopo*', (route) =>
        route.fulfill({
          contentType: 'application/json',
          body: JSON.stringify({ status: true, data: topology, statusCode: 'OK', message: '' }),
        }),
      );
      await pressAction(page, 'desk-open-topology');
      await page.getByTestId('topology-graph').waitFor();
      await expect(page.getByTestId(/^topology-term-/)).toHaveCount(20);
      await looksRight(page, 'graph');
      await expect(page.getByTestId('topology-zone-south')).toBeDisabled();
      await expect(page.getByTestId('topology-act')).toBeDisabled();
      await page.getByTestId('topology-zone-north').focus();
      await page.keyboard.press('Space');
      await page.getByTestId('topology-act').press('Enter');
      await expect(page.getByTestId('topology-cancel')).toBeFocused();
      await looksRight(page, 'question');
      await page.getByTestId('topology-ok').click();
      await expect.poll(() => calls).toContain(`POST /api/api/v1/conferences/${MEET_ID}/commands`);
      await closePage(page);
    });
  }
}
