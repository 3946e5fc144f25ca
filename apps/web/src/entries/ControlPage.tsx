import { DeskPage } from '../features/conferences/desk/index.ts';
import { loadPage } from './loadPage.ts';

// A desk opened by a link never needs it, and it is larger than the desk.
const MeetingControlPage = loadPage(
  async () => (await import('../features/meetings/control/MeetingControlPage.tsx')).MeetingControlPage,
);

/**
 * The control desk; for accounts without access to a desk, or before there is one, the meeting and a button to join it.
 */
export function ControlPage() {
  return <DeskPage resting={<MeetingControlPage />} />;
}
