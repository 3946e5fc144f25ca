import type { Meeting } from '@rmeet/contract';
import { useTexts } from '../../../lib/i18n/index.ts';
import { Button } from '../../../ui/Button.tsx';
import { Icon } from '../../../ui/icons.tsx';
import type { MeetingActions } from '../useMeetingActions.ts';

/** Opens the control desk of a running meeting, for those who may control it. */
export function DeskButton({ meeting, actions }: { meeting: Meeting; actions: MeetingActions }) {
  const t = useTexts('meetings');
  if (!meeting.can.end) return null;
  const action = t('action.control');
  return (
    <Button
      aria-label={t('action.of', { action, subject: meeting.subject })}
      title={action}
      data-testid="meeting-desk"
      onClick={() => actions.control(meeting)}
    >
      <Icon name="desk" />
      {action}
    </Button>
  );
}
