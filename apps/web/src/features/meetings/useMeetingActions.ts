import type { Meeting } from '@rmeet/contract';
import { useNavigate } from 'react-router';
import { isApiError, reportError } from '../../lib/api/index.ts';
import { session } from '../../lib/browser.ts';
import { copyText } from '../../lib/clipboard.ts';
import { language, useTexts } from '../../lib/i18n/index.ts';
import { invitationLink } from '../../lib/invitationLink.ts';
import { ask, toast } from '../../lib/notify.ts';
import { watchPath } from '../../lib/paths.ts';
import { ownZone } from '../../lib/rooms/index.ts';
import { startTimeText } from '../../lib/startTimeText.ts';
import { newPassword } from './booking/draft.ts';
import { invitationText } from './invitation.ts';
import { useCancelMeeting, useMeetNow, useStartMeeting } from './queries.ts';
import { askScope } from './series/askScope.ts';

const QUICK_MINUTES = 60;

/** The actions for a meeting from a list or its details. */
export function useMeetingActions() {
  const t = useTexts('meetings');
  const navigate = useNavigate();
  const cancelling = useCancelMeeting();
  const meeting = useMeetNow();

  // All meetings of a series share one number, so the meeting is named, too.
  const join = ({ numericId, meetId, series }: Meeting) =>
    void navigate(`/join?number=${numericId}${series === null ? '' : `&meet=${meetId}`}`);
  const { start, starting } = useStart(join);

  return {
    join,
    watch: ({ meetId }: Meeting) => void navigate(watchPath(meetId)),
    /** In a new tab, because the user is often in the meeting at the same time. */
    control: ({ meetId }: Meeting) => void window.open(`#/meetingControl?meetId=${meetId}`),
    copyInvitation: (one: Meeting) => void copyText(invitationText(one, t), () => t('copied')),
    copyLink: (one: Meeting) => void copyText(invitationLink(one), () => t('linkCopied')),
    start: (one: Meeting) => start(one),
    cancel: async ({ meetId, type, subject, series, terminalCount }: Meeting): Promise<void> => {
      const question = {
        title: t('cancelTitle'),
        text: [
          t('cancelText', { subject }),
          ...(terminalCount > 0 ? [t('cancelInside', { count: terminalCount })] : []),
        ].join(' '),
        okText: t('action.cancel'),
        cancelText: t('cancelKeep'),
        danger: true,
      };
      const scope =
        series === null ? ((await ask(question)) ? 'one' : null) : await askScope({ series, subject }, 'cancel', t);
      if (scope !== null)
        cancelling.mutate({ meetId, type, scope }, { onSuccess: () => toast('success', () => t('cancelled')) });
    },
    meetNow: () => {
      const subject = t('quickSubject', { name: session.user?.name ?? '' });
      meeting.mutate(
        {
          subject,
          startTime: new Date().toISOString(),
          duration: QUICK_MINUTES,
          password: newPassword(),
          timeZone: ownZone(),
        },
        { onSuccess: join },
      );
    },
    isStarting: meeting.isPending,
    isBusy: ({ meetId }: Meeting) =>
      (starting.isPending && starting.variables.meetId === meetId) ||
      (cancelling.isPending && cancelling.variables.meetId === meetId),
  };
}

export type MeetingActions = ReturnType<typeof useMeetingActions>;

/** Starts a meeting, after confirmation if it is early. */
function useStart(join: (meeting: Meeting) => void) {
  const t = useTexts('meetings');
  const starting = useStartMeeting();
  const start = (one: Meeting, early = false): void => {
    const refused = async (error: Error): Promise<void> => {
      if (!isApiError(error, 'MEETING_EARLY')) return reportError(error);
      const when = startTimeText(new Date(error.details['startTime'] ?? one.startTime), new Date(), language());
      if (
        await ask({
          title: t('early.title', { when }),
          text: t('early.text'),
          okText: t('early.enter'),
          cancelText: t('early.back'),
        })
      )
        start(one, true);
    };
    starting.mutate({ meetId: one.meetId, early }, { onSuccess: join, onError: (error) => void refused(error) });
  };
  return { start, starting };
}
