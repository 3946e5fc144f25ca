import { lazy, startTransition, Suspense, useEffect, useRef, useState, type ReactNode } from 'react';
import { useLocation, useNavigate } from 'react-router';
import type { Admission } from '@rmeet/contract';
import {
  Call,
  LocalMedia,
  loadMedia,
  warmUpPeerConnection,
  type CallSnapshot,
  type MediaPreferences,
} from '../../../call/index.ts';
import { terminalApi, terminalFiles } from '../../../lib/api/index.ts';
import { session } from '../../../lib/browser.ts';
import { fetchAhead } from '../../../lib/fetchAhead.ts';
import { meetingKey } from '../../../lib/meetingKeys.ts';
import { PushSocket } from '../../../lib/push/index.ts';
import { Loading } from '../../../ui/states.tsx';
import { EndScreen } from './EndScreen.tsx';
import { GuestGate, type GuestMeeting } from './GuestGate.tsx';
import type { JoinInput } from './JoinForm.tsx';
import { JoinScreen } from './JoinScreen.tsx';
import type { KnownMeeting } from './MeetingDetails.tsx';
import { WaitingScreen } from './WaitingScreen.tsx';
import { guestResource, linkInput, joinedPath, type JoinState } from './join-link.ts';
import { readPreferences, rememberMedia, rememberPreferences } from '../shared/preferences.ts';
import { useT } from '../texts.ts';
import { useStorePart } from '../shared/use-store.ts';
import '../../../ui/room-icons.tsx';
import './join.css';

type RoomComponent = typeof import('../room/Room.tsx').Room;
let loadedRoom: RoomComponent | null = null;
const loadRoom = async (): Promise<RoomComponent> => (loadedRoom ??= (await import('../room/Room.tsx')).Room);
const LazyRoom = lazy(async () => ({ default: await loadRoom() }));

/** `/join`: joining a meeting, the meeting itself, and the end screen, all on one route. */
export function JoinPage() {
  const location = useLocation();
  const [round, setRound] = useState(0);
  const isOurs = (location.state as JoinState | null)?.joined === true;
  // A link opened in this tab starts from the beginning. Our own change of the URL does not.
  const seen = useRef(location);
  useEffect(() => {
    if (seen.current !== location && !isOurs) setRound((before) => before + 1);
    seen.current = location;
  }, [location, isOurs]);

  const resource = guestResource(location.search, location.state as JoinState | null);
  const open = (guest: GuestMeeting | null): ReactNode => (
    <Round key={round} guest={guest} onAgain={() => setRound((before) => before + 1)} />
  );
  return resource === null ? open(null) : <GuestGate resource={resource}>{open}</GuestGate>;
}

/** Camera and microphone while the page is shown; every choice is remembered. */
function useLocalMedia(chosen: MediaPreferences): LocalMedia {
  const [local] = useState(() => new LocalMedia(chosen));
  useEffect(() => {
    // A reload, or the next meeting, begins with the same devices, on or off as they were.
    const forget = local.store.subscribe(() => rememberMedia(local.preferences()));
    void local.start();
    return () => {
      forget();
      local.dispose();
    };
  }, [local]);
  return local;
}

/** One pass: form, waiting room, meeting, end. `guest`: the meeting of the guest link used. */
function Round({ guest, onAgain }: { guest: GuestMeeting | null; onAgain: () => void }) {
  const t = useT();
  const location = useLocation();
  const navigate = useNavigate();
  const [call, setCall] = useState<Call | null>(null);
  /** The call, from its start on: its room is drawn a moment later. */
  const running = useRef<Call | null>(null);
  const [meeting, setMeeting] = useState<KnownMeeting | null>(null);
  const [preferences] = useState(readPreferences);
  const local = useLocalMedia(preferences.media);
  const signedInAs = session.user?.name ?? null;
  const initial = linkInput(location.search, location.state as JoinState | null, preferences.name);

  useEffect(() => {
    if (call === null) document.title = t('join.title');
  }, [call, t]);
  useEffect(() => {
    // Otherwise the others see a frozen picture until the engine detects the disconnection.
    const leave = () => void running.current?.leave();
    addEventListener('pagehide', leave);
    return () => {
      removeEventListener('pagehide', leave);
      leave();
    };
  }, []);
  useEffect(() => {
    void warmUpPeerConnection();
    // The room's code is loaded while the user looks at the preview, and not before the preview is shown.
    return fetchAhead(() => Promise.all([loadMedia(), loadRoom()]));
  }, []);

  const enter = (admission: Admission, input: JoinInput, known: KnownMeeting | null) => {
    setMeeting(known);
    if (signedInAs === null) rememberPreferences({ ...readPreferences(), name: input.name });
    const { sessionToken } = admission;
    const entered = new Call(admission, input.name, local, {
      api: terminalApi(sessionToken),
      files: terminalFiles(sessionToken, admission.meetId),
      openPush: () => new PushSocket({ auth: { sessionToken } }),
      loadMedia,
      meetingKey: meetingKey(guest?.numericId ?? input.number),
    });
    entered.setDataMode(readPreferences().dataMode);
    running.current = entered;
    // Drawn in slices, between which the call connects.
    startTransition(() => setCall(entered));
    // Remove the password or the guest link from the address bar, which others see when the screen is shared.
    const { path, state } = joinedPath(input, signedInAs === null, guest?.resource ?? null);
    void navigate(path, { replace: true, state });
  };

  if (call === null)
    return <JoinScreen local={local} initial={initial} signedInAs={signedInAs} guest={guest} onAdmitted={enter} />;
  return (
    <InCall
      call={call}
      local={local}
      meeting={meeting}
      signedIn={signedInAs !== null}
      onAgain={onAgain}
      onOther={() => void navigate('/join', { replace: true })}
    />
  );
}

/** The meeting's last recording, if this person may record. */
const ownRecording = ({ conference }: CallSnapshot): string | null =>
  conference?.me.can.record === true ? (conference.control.recording?.id ?? null) : null;

interface InCallProps {
  call: Call;
  local: LocalMedia;
  /** Null if it was not known before joining. */
  meeting: KnownMeeting | null;
  signedIn: boolean;
  onAgain: () => void;
  onOther: () => void;
}

function InCall({ call, local, meeting, signedIn, onAgain, onOther }: InCallProps) {
  // A lazy component shows its fallback at first, even if its code is there; React then keeps that for 300 ms.
  const [Room] = useState(() => loadedRoom ?? LazyRoom);
  const phase = useStorePart(call.store, (state) => state.phase);
  const end = useStorePart(call.store, (state) => state.end);
  const stay = useStorePart(call.store, (state) => state.stay);
  const subject = useStorePart(call.store, (state) => state.conference?.subject);
  const conferenceId = useStorePart(call.store, (state) => state.conference?.conferenceId ?? null);
  const recordingId = useStorePart(call.store, ownRecording);
  const reason = useStorePart(call.store, (state) => state.reason);
  const canReturn = useStorePart(call.store, (state) => state.canReturn);
  useEffect(() => {
    if (end !== null) local.dispose();
  }, [end, local]);
  if (end !== null)
    return (
      <EndScreen
        end={end}
        subject={subject ?? meeting?.subject ?? ''}
        conferenceId={conferenceId}
        stay={stay}
        reason={reason}
        canReturn={canReturn}
        signedIn={signedIn}
        recordingId={recordingId}
        onAgain={onAgain}
        onOther={onOther}
      />
    );
  if (phase === 'waiting') return <WaitingScreen call={call} local={local} meeting={meeting} />;
  return (
    <Suspense fallback={<Loading />}>
      <Room call={call} local={local} />
    </Suspense>
  );
}
