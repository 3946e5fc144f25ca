import { LazyMeetingDrawers } from './LazyMeetingDrawers.tsx';
import { useDrawerState } from './useDrawerState.ts';
import { useMeetingActions } from '../useMeetingActions.ts';

/** Details and booking form for pages of other features, which open them by URL. */
export function MeetingDrawersByAddress() {
  const drawers = useDrawerState();
  return <LazyMeetingDrawers drawers={drawers} actions={useMeetingActions()} onBooked={drawers.close} />;
}
