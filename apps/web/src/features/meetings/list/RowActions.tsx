import type { Meeting } from '@rmeet/contract';
import { useTexts } from '../../../lib/i18n/index.ts';
import { IconButton } from '../../../ui/IconButton.tsx';
import { EntryButton } from '../agenda/EntryButton.tsx';
import { mayInvite } from '../invitation.ts';
import type { MeetingActions } from '../useMeetingActions.ts';

interface RowActionsProps {
  meeting: Meeting;
  actions: MeetingActions;
  onEdit: (id: string) => void;
}

/** The actions the caller may take on a meeting, according to the server's `can`. */
// oxlint-disable-next-line max-lines-per-function -- plain JSX: one flat list of buttons
export function RowActions({ meeting, actions, onEdit }: RowActionsProps) {
  const t = useTexts('meetings');
  const { can, meetId, subject } = meeting;
  const busy = actions.isBusy(meeting);
  // Every row has the same buttons, so their accessible names contain the meeting.
  const named = (action: string) => ({ label: t('action.of', { action, subject }), title: action, disabled: busy });
  return (
    <div className="meeting-actions">
      <EntryButton meeting={meeting} actions={actions} kind="primary" />
      {can.end && (
        <IconButton
          icon="desk"
          {...named(t('action.control'))}
          data-testid="meeting-desk"
          onClick={() => actions.control(meeting)}
        />
      )}
      {mayInvite(meeting) && (
        <IconButton
          icon="copy"
          {...named(t('action.copy'))}
          data-testid="meeting-copy"
          onClick={() => actions.copyInvitation(meeting)}
        />
      )}
      {can.edit && (
        <IconButton
          icon="edit"
          {...named(t('action.edit'))}
          data-testid="meeting-edit"
          onClick={() => onEdit(meetId)}
        />
      )}
      {can.cancel && (
        <IconButton
          icon="cancel"
          danger
          {...named(t('action.cancel'))}
          data-testid="meeting-cancel"
          onClick={() => void actions.cancel(meeting)}
        />
      )}
    </div>
  );
}
