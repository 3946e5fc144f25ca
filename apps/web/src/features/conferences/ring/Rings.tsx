import { useEffect } from 'react';
import { useLocation, useNavigate } from 'react-router';
import { api, reportError } from '../../../lib/api/index.ts';
import { RingDialog } from './RingDialog.tsx';
import { isInMeeting, isThere } from './rings.ts';
import { useRings } from './useRings.ts';
import { fetchAhead } from '../../../lib/fetchAhead.ts';
import { renewWebPush } from '../../../lib/webPush.ts';

/** Shows one call after the other; none for the meeting the user is in or is joining. */
export function Rings() {
  const { rings, drop } = useRings();
  const location = useLocation();
  const navigate = useNavigate();
  // This component is mounted anew for each sign-in.
  useEffect(() => fetchAhead(renewWebPush), []);
  const [ring, ...others] = rings.filter((one) => !isThere(location, one));
  if (!ring) return null;
  const { meetId, numericId } = ring;

  return (
    <RingDialog
      key={meetId}
      ring={ring}
      more={others.length}
      leavesOther={isInMeeting(location)}
      onJoin={() => {
        drop(ring);
        void navigate(`/join?number=${numericId}`);
      }}
      onDecline={() => {
        drop(ring);
        api.conferences.answerRing({ params: { meetId } }).catch(reportError);
      }}
      onLater={() => drop(ring)}
    />
  );
}
