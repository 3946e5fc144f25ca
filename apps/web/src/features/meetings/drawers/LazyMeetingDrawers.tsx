import type { Meeting } from '@rmeet/contract';
import { lazy, Suspense, useEffect, useState } from 'react';
import { loadChunk } from '../../../lib/chunks.ts';
import { fetchAhead } from '../../../lib/fetchAhead.ts';
import type { DrawerState } from './useDrawerState.ts';
import type { MeetingActions } from '../useMeetingActions.ts';
import '../texts.ts';
import '../meetings.css';
import '../rooms/rooms.css';

// The drawers load the date picker and other large components; the page renders without them.
const loadDrawers = () => import('./MeetingDrawers.tsx');
const MeetingDrawers = lazy(() => loadChunk(async () => ({ default: (await loadDrawers()).MeetingDrawers })));

/** The drawers that the URL opens beside a page. `onBooked` closes the form. */
export function LazyMeetingDrawers({
  drawers,
  actions,
  onBooked,
}: {
  drawers: DrawerState;
  actions: MeetingActions;
  onBooked: (meeting: Meeting) => void;
}) {
  const { openId, editId, preset, close, edit } = drawers;
  // Once opened, the drawers stay mounted, so that they can animate out and return the focus.
  const [wasOpened, setWasOpened] = useState(false);
  if (!wasOpened && (openId !== null || editId !== null)) setWasOpened(true);
  useEffect(() => fetchAhead(loadDrawers), []);
  if (!wasOpened) return null;
  return (
    <Suspense fallback={null}>
      <MeetingDrawers
        openId={openId}
        editId={editId}
        preset={preset}
        actions={actions}
        onClose={close}
        onEdit={edit}
        onBooked={onBooked}
      />
    </Suspense>
  );
}
