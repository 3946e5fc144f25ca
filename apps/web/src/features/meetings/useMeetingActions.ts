import type { Meeting } from '@rmeet/contract';
import { useNavigate } from 'react-router';
import { session } from '../../lib/browser.ts';
import { copyText } from '../../lib/clipboard.ts';
import { useTexts } from '../../lib/i18n/index.ts';
import { invitationLink } from '../../lib/invitationLink.ts';
import { ask, toast } from '../../lib/notify.ts';
import { ownZone } from '../../lib/rooms/index.ts';
import { newPassword } from './draft.ts';
import { invitationText } from './invitation.ts';
import { useCancelMeeting, useMeetNow, useStartMeeting } from './queries.ts';
import { askScope } from './seriesScope.ts';

const QUICK_MINUTES = 60;

/** What can be done with a meeting from a list or its details. */
export function useMeetingActions() {
  const t = useTexts('meetings');
  const navigate = useNavigate();
  const starting = useStartMeeting();
  const cancelling = useCancelMeeting();
  const meeting = useMeetNow();

  const join = ({ numericId }: Meeting) => void navigate(`/join?number=${numericId}`);

  return {
    join,
    /** In a tab of its own, because whoever controls a meeting is often in it, too. */
    control: ({ meetId }: Meeting) => void window.open(`#/meetingControl?meetId=${meetId}`),
    copyInvitation: (one: Meeting) => void copyText(invitationText(one, t), () => t('copied')),
    copyLink: (one: Meeting) => void copyText(invitationLink(one), () => t('linkCopied')),
    start: (one: Meeting) => starting.mutate(one.meetId, { onSuccess: join }),
    cancel: async ({ meetId, type, subject, series }: Meeting): Promise<void> => {
      const question = { title: t('cancelTitle'), text: t('cancelText', { subject }), okText: t('action.cancel'), cancelText: t('cancelKeep'), danger: true };
      const scope = series === null ? ((await ask(question)) ? 'one' : null) : await askScope({ series, subject }, 'cancel', t);
      if (scope !== null) cancelling.mutate({ meetId, type, scope }, { onSuccess: () => toast('success', () => t('cancelled')) });
    },
    meetNow: () => {
      const subject = t('quickSubject', { name: session.user?.name ?? '' });
      meeting.mutate({ subject, startTime: new Date().toISOString(), duration: QUICK_MINUTES, password: newPassword(), timeZone: ownZone() }, { onSuccess: join });
    },
    isStarting: meeting.isPending,
    isBusy: ({ meetId }: Meeting) => (starting.isPending && starting.variables === meetId) || (cancelling.isPending && cancelling.variables.meetId === meetId),
  };
}

export type MeetingActions = ReturnType<typeof useMeetingActions>;
