import { Button } from '../../../../ui/Button.tsx';
import type { CommandRequest } from '../../shared/commands.ts';
import { useT } from '../../texts.ts';
import type { PeopleDialog } from './PeopleDialogs.tsx';
import type { Control } from './useControl.ts';
import './control.css';

interface SelectionBarProps {
  people: PeopleDialog['people'];
  control: Control;
  onDialog: (dialog: PeopleDialog) => void;
  /** Called when the selection is no longer needed. */
  onDone: () => void;
}

/** One command for several people. */
export function SelectionBar({ people, control: { send }, onDialog, onDone }: SelectionBarProps) {
  const t = useT();
  const termIds = people.map(({ termId }) => termId);
  const count = people.length;
  const none = count === 0;
  const sendAndClose = (command: CommandRequest, done?: string) =>
    void send(command, done).then((isSent) => isSent && onDone());
  return (
    <div className="selection" role="group" aria-label={t('control.selected', { count })} data-testid="selection">
      <span className="selection-count">{t('control.selected', { count })}</span>
      <Button
        disabled={none}
        data-testid="selection-mute"
        onClick={() => sendAndClose({ verb: 'mute', termIds, muted: true }, t('done.muteMany', { count }))}
      >
        {t('control.mute')}
      </Button>
      <Button
        disabled={none}
        data-testid="selection-unmute"
        onClick={() => sendAndClose({ verb: 'mute', termIds, muted: false }, t('done.unmuteMany', { count }))}
      >
        {t('control.unmute')}
      </Button>
      <Button disabled={none} data-testid="selection-ask" onClick={() => sendAndClose({ verb: 'askUnmute', termIds })}>
        {t('control.askUnmute')}
      </Button>
      <Button
        disabled={none}
        data-testid="selection-camera"
        onClick={() => sendAndClose({ verb: 'camera', termIds, open: false }, t('done.cameraOffMany', { count }))}
      >
        {t('control.cameraOff')}
      </Button>
      <Button
        disabled={none}
        data-testid="selection-send-back"
        onClick={() => sendAndClose({ verb: 'sendBack', termIds })}
      >
        {t('control.sendBack')}
      </Button>
      <Button
        kind="danger"
        disabled={none}
        data-testid="selection-remove"
        onClick={() => onDialog({ kind: 'remove', people })}
      >
        {t('control.remove')}
      </Button>
    </div>
  );
}
