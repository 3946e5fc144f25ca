import type { Meeting } from '@rmeet/contract';
import { useId } from 'react';
import { useTexts } from '../../../lib/i18n/index.ts';
import { Button } from '../../../ui/Button.tsx';
import { GrantEditor } from '../../../ui/grants/GrantEditor.tsx';
import { MeetingDocuments } from '../../../ui/meetingDocuments/MeetingDocuments.tsx';
import { SideDrawer } from '../../../ui/SideDrawer.tsx';
import { Loading } from '../../../ui/states.tsx';
import { DetailFacts, DetailFiles, DetailPhones, DetailTerminals } from './DetailParts.tsx';
import { isEntered, isOutsideStream, isWatched, participantKey } from '../booking/draft.ts';
import { participantName } from '../format.ts';
import { GuestLink } from '../guests/GuestLink.tsx';
import { invitationText, mayInvite } from '../invitation.ts';
import { MeetingBadges } from '../status/MeetingBadges.tsx';
import { DetailRooms } from '../rooms/DetailRooms.tsx';
import { MeetingKey } from './MeetingKey.tsx';
import { Missing } from './Missing.tsx';
import { MeetingNotices } from '../recipients/MeetingNotices.tsx';
import { useMeeting } from '../queries.ts';
import { StatusBadge } from '../status/StatusBadge.tsx';
import { WhiteList } from '../whiteList/WhiteList.tsx';
import type { MeetingActions } from '../useMeetingActions.ts';

interface DetailDrawerProps {
  id: string;
  open: boolean;
  actions: MeetingActions;
  onClose: () => void;
  onEdit: (id: string) => void;
}

/** All details of one meeting, with the invitation text. */
export function DetailDrawer({ id, open, actions, onClose, onEdit }: DetailDrawerProps) {
  const t = useTexts('meetings');
  const found = useMeeting(id, open);
  const meeting = found.data;
  return (
    <SideDrawer
      title={t('detail.title')}
      open={open}
      onClose={onClose}
      testId="meeting-detail"
      footer={meeting && <DetailButtons meeting={meeting} actions={actions} onEdit={onEdit} />}
    >
      {meeting && <Details meeting={meeting} actions={actions} />}
      {found.isPending && <Loading />}
      {found.isError && !meeting && <Missing error={found.error} retry={() => void found.refetch()} />}
    </SideDrawer>
  );
}

function DetailButtons({
  meeting,
  actions,
  onEdit,
}: {
  meeting: Meeting;
  actions: MeetingActions;
  onEdit: (id: string) => void;
}) {
  const t = useTexts('meetings');
  const { can, meetId } = meeting;
  const disabled = actions.isBusy(meeting);
  return (
    <>
      {can.cancel && (
        <Button
          kind="quiet"
          disabled={disabled}
          data-testid="detail-cancel"
          onClick={() => void actions.cancel(meeting)}
        >
          {t('action.cancel')}
        </Button>
      )}
      {can.edit && (
        <Button disabled={disabled} data-testid="detail-edit" onClick={() => onEdit(meetId)}>
          {t('action.edit')}
        </Button>
      )}
      {can.start && (
        <Button disabled={disabled} data-testid="detail-start" onClick={() => actions.start(meeting)}>
          {t('action.start')}
        </Button>
      )}
      {can.end && (
        <Button data-testid="detail-control" onClick={() => actions.control(meeting)}>
          {t('action.control')}
        </Button>
      )}
      {isWatched(meeting) && (
        <Button kind="primary" data-testid="detail-watch" onClick={() => actions.watch(meeting)}>
          {t('action.watch')}
        </Button>
      )}
      {can.join && (
        <Button kind="primary" data-testid="detail-join" onClick={() => actions.join(meeting)}>
          {t('action.join')}
        </Button>
      )}
    </>
  );
}

function Details({ meeting, actions }: { meeting: Meeting; actions: MeetingActions }) {
  const t = useTexts('meetings');
  const { subject, host, participants, agenda } = meeting;
  const phones = participants.filter((one) => one.kind === 'phone');
  return (
    <div className="meeting-detail">
      <h2>{subject}</h2>
      <StatusBadge meeting={meeting} />
      <MeetingBadges meeting={meeting} />
      <DetailFacts meeting={meeting} />
      {meeting.rooms.length > 0 && <DetailRooms meeting={meeting} />}
      {meeting.terminals.length > 0 && <DetailTerminals meeting={meeting} />}
      {phones.length > 0 && <DetailPhones parties={phones} />}
      {!isOutsideStream(meeting) && <Invited meeting={meeting} />}
      {meeting.files.length > 0 && <DetailFiles meeting={meeting} />}
      {agenda !== '' && (
        <>
          <h3>{t('detail.agenda')}</h3>
          <p className="meeting-agenda">{agenda}</p>
        </>
      )}
      <MeetingDocuments meetId={meeting.meetId} subject={subject} mayCreate={meeting.can.grant} />
      <MeetingKey meeting={meeting} />
      {mayInvite(meeting) && <Invitation meeting={meeting} actions={actions} />}
      {meeting.can.grant && <GrantEditor meetId={meeting.meetId} hostId={host.userId} granted={meeting.granted} />}
      {meeting.can.grant && isEntered(meeting) && <WhiteList meetId={meeting.meetId} />}
      {(meeting.can.guests || meeting.can.grant) && <MeetingNotices meeting={meeting} />}
      {meeting.can.guests && <GuestLink meeting={meeting} />}
    </div>
  );
}

function Invited({ meeting: { participants } }: { meeting: Meeting }) {
  const t = useTexts('meetings');
  const invited = participants.filter((one) => one.kind !== 'phone');
  return (
    <>
      <h3>{t('detail.participants', { count: invited.length })}</h3>
      {invited.length === 0 ? (
        <p className="meeting-detail-none">{t('detail.noParticipants')}</p>
      ) : (
        <ul className="meeting-people">
          {invited.map((one) => (
            <li key={participantKey(one)}>{participantName(one)}</li>
          ))}
        </ul>
      )}
    </>
  );
}

/** The invitation text. */
function Invitation({ meeting, actions }: { meeting: Meeting; actions: MeetingActions }) {
  const t = useTexts('meetings');
  const id = useId();
  return (
    <>
      <h3 id={id}>{t('detail.invitation')}</h3>
      <pre className="meeting-invitation" tabIndex={0} role="region" aria-labelledby={id} data-testid="invitation-text">
        {invitationText(meeting, t)}
      </pre>
      <div className="meeting-detail-copy">
        <Button data-testid="invitation-copy" onClick={() => actions.copyInvitation(meeting)}>
          {t('action.copy')}
        </Button>
        {(meeting.can.join || isOutsideStream(meeting)) && (
          <Button data-testid="link-copy" onClick={() => actions.copyLink(meeting)}>
            {t('detail.copyLink')}
          </Button>
        )}
      </div>
    </>
  );
}
