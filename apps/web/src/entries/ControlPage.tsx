import { DeskPage } from '../features/conferences/desk/index.ts';
import { loadPage } from './loadPage.ts';

// A desk opened by a link never needs it, and it is heavier than the desk.
const MeetingControlPage = loadPage(
  async () => (await import('../features/meetings/control/MeetingControlPage.tsx')).MeetingControlPage,
);

/** The control desk; for accounts that have none here, or none yet, what the meeting is and the way into it. */
export function ControlPage() {
  return <DeskPage resting={<MeetingControlPage />} />;
}
