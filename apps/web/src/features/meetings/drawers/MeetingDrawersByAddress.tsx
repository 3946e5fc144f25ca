import { MeetingsBeside } from './LazyMeetingDrawers.tsx';
import { useBeside } from './useDrawerState.ts';
import { useMeetingActions } from '../useMeetingActions.ts';

/** Details and booking form beside a page of another feature, which opens them by its address. */
export function BookableBeside() {
  const beside = useBeside();
  return <MeetingsBeside beside={beside} actions={useMeetingActions()} onBooked={beside.close} />;
}
