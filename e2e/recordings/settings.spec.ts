import { newTenant, newUser } from '../auth/support.ts';
import { expect, test } from '../pages.ts';
import { optionOf } from '../support.ts';
import { store } from './support.ts';

test('an administrator says who may watch recordings, then turns recording off, and pages say so', async ({
  server,
  visit,
}) => {
  await newTenant(server, 'Recorded clinic', 'clinic.admin');
  await newUser(server, 'clinic.nurse', undefined, 'clinic.admin');
  await store(server, { subject: 'Seen by those inside', host: 'clinic.admin', second: 'clinic.nurse' });
  const nurse = await visit('clinic.nurse', '/', '/record-meeting', { locale: 'en-US' });
  const empty = nurse.getByTestId('state-empty');
  await expect(empty).toContainText('Press “Record” in a meeting');

  const admin = await visit('clinic.admin', '/manage/', '/tenantSettings', { locale: 'en-US' });
  const save = async () => {
    await admin.getByTestId('settings-save').press('Enter');
    await expect(admin.getByTestId('settings-undo')).toBeDisabled();
  };
  await admin.getByTestId('recording-watched-by').click();
  await optionOf(admin, 'People who took part').click();
  await save();
  await nurse.reload();
  await nurse.getByTestId('recording-open').press('Enter');
  await expect(nurse.getByTestId('player-time')).toHaveText('0:00 / 0:12');
  await expect(nurse.getByTestId('do-save')).toBeVisible();
  await expect(nurse.getByTestId('do-share')).toHaveCount(0);

  await admin.getByTestId('recording-enabled').press('Space');
  await expect(admin.getByTestId('recording-watched-by')).toHaveCount(0);
  await save();
  await nurse.goto(`${server.url}/?again#/record-meeting?filter=mine`);
  await expect(empty).toContainText('Your organisation has turned recording off.');
  const booking = await visit('clinic.admin', '/', '/myMeeting', { locale: 'en-US' });
  await booking.getByTestId('meeting-new').click();
  await booking.getByTestId('section-entry').locator('summary').click();
  const recorded = booking.getByTestId('meeting-auto-record');
  await expect(recorded).toBeDisabled();
  await expect(recorded).toHaveAccessibleDescription(/Your organisation has turned recording off/);
});
