import { isMeetingId } from '@rmeet/contract';
import { useEffect, type ReactNode } from 'react';
import { useSearchParams } from 'react-router';
import { useDeskAccess, type DeskAccess } from '../../../lib/desk/index.ts';
import { Loading } from '../../../ui/states.tsx';
import { useStorePart } from '../shared/use-store.ts';
import { DeskContext, type Desk as OpenDesk } from './context.ts';
import { Desk } from './Desk.tsx';
import { NoAccess, NotOpen, NotRunning } from './NotOpen.tsx';
import { DeskTexts, useT } from './texts.tsx';
import { useOpenDesk } from './useOpenDesk.ts';
import '../../../ui/desk-icons.tsx';
import '../../../ui/room-icons.tsx';
import './desk.css';

/**
 * `/meetingControl?meetId=`: the control desk of a running conference. `resting`: what accounts see if no desk is
 * available.
 */
export function DeskPage({ resting }: { resting: ReactNode }) {
  return (
    <DeskTexts>
      <Page resting={resting} />
    </DeskTexts>
  );
}

function Page({ resting }: { resting: ReactNode }) {
  const t = useT();
  const [params] = useSearchParams();
  const meetId = params.get('meetId') ?? '';
  const access = useDeskAccess(meetId);
  useEffect(() => {
    document.title = `${t('title')} · Rmeet`;
  }, [t]);
  if (access.kind === 'none') return access.why === 'signedOut' ? resting : <NoAccess why={access.why} />;
  return isMeetingId(meetId) ? <WithAccess key={meetId} meetId={meetId} access={access} resting={resting} /> : resting;
}

function WithAccess({ meetId, access, resting }: { meetId: string; access: DeskAccess; resting: ReactNode }) {
  const desk = useOpenDesk(meetId, access);
  return desk === null ? <Loading /> : <Opened desk={desk} meetId={meetId} access={access} resting={resting} />;
}

function Opened({
  desk,
  meetId,
  access,
  resting,
}: {
  desk: OpenDesk;
  meetId: string;
  access: DeskAccess;
  resting: ReactNode;
}) {
  const isThere = useStorePart(desk.store, ({ state }) => state !== null);
  const over = useStorePart(desk.store, (snapshot) => snapshot.over);
  const refusal = useStorePart(desk.store, (snapshot) => snapshot.refusal);
  const idle = useStorePart(desk.store, (snapshot) => snapshot.idle);
  if (over) return <NotOpen why="over" byLink={access.kind === 'link'} meetId={meetId} />;
  // Keeps listening: the desk opens by itself when the conference begins.
  if (refusal !== null || idle) {
    if (access.kind === 'account') return resting;
    return idle ? <NotRunning access={access} meetId={meetId} /> : <NotOpen why="refused" byLink />;
  }
  if (!isThere) return <Loading />;
  return (
    <DeskContext value={desk}>
      <Desk />
    </DeskContext>
  );
}
