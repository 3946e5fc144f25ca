import type { Meeting } from '@rmeet/contract';
import { useTexts } from '../../../lib/i18n/index.ts';
import { Button } from '../../../ui/Button.tsx';
import { isWatched } from '../booking/draft.ts';
import type { MeetingActions } from '../useMeetingActions.ts';

interface EntryButtonProps {
  meeting: Meeting;
  actions: MeetingActions;
  kind?: 'primary' | 'plain';
  className?: string;
}

/**
 * Leads into a meeting: the host starts it, others join. The broadcast of an outside stream is watched. Not shown if
 * there is nothing to enter.
 */
export function EntryButton({ meeting, actions, kind = 'plain', className = '' }: EntryButtonProps) {
  const t = useTexts('meetings');
  const { can, subject } = meeting;
  if (isWatched(meeting))
    return (
      <Button
        kind={kind}
        className={className}
        aria-label={t('action.of', { action: t('action.watch'), subject })}
        data-testid="meeting-watch"
        onClick={() => actions.watch(meeting)}
      >
        {t('action.watch')}
      </Button>
    );
  if (!can.join) return null;
  const action = t(can.start ? 'agenda.start' : 'action.join');
  return (
    <Button
      kind={kind}
      className={className}
      disabled={actions.isBusy(meeting)}
      // Every row has the button, so its accessible name contains the meeting.
      aria-label={t('action.of', { action, subject })}
      data-testid={can.start ? 'meeting-start' : 'meeting-join'}
      onClick={() => (can.start ? actions.start(meeting) : actions.join(meeting))}
    >
      {action}
    </Button>
  );
}
