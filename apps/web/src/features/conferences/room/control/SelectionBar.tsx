import { Button } from '../../../../ui/Button.tsx';
import { useT } from '../../texts.ts';
import type { PeopleDialog } from './PeopleDialogs.tsx';
import type { Control } from './useControl.ts';
import './control.css';

interface SelectionBarProps {
  people: PeopleDialog['people'];
  control: Control;
  onDialog: (dialog: PeopleDialog) => void;
  /** The selection has served. */
  onDone: () => void;
}

/** One command for several people. */
export function SelectionBar({ people, control: { give }, onDialog, onDone }: SelectionBarProps) {
  const t = useT();
  const termIds = people.map(({ termId }) => termId);
  const count = people.length;
  const none = count === 0;
  const act = (command: Parameters<Control['give']>[0], done?: string) =>
    void give(command, done).then((given) => given && onDone());
  return (
    <div className="selection" role="group" aria-label={t('control.selected', { count })} data-testid="selection">
      <span className="selection-count">{t('control.selected', { count })}</span>
      <Button
        disabled={none}
        data-testid="selection-mute"
        onClick={() => act(({ mute }) => mute(termIds, true), t('done.muteMany', { count }))}
      >
        {t('control.mute')}
      </Button>
      <Button
        disabled={none}
        data-testid="selection-unmute"
        onClick={() => act(({ mute }) => mute(termIds, false), t('done.unmuteMany', { count }))}
      >
        {t('control.unmute')}
      </Button>
      <Button disabled={none} data-testid="selection-ask" onClick={() => act(({ askUnmute }) => askUnmute(termIds))}>
        {t('control.askUnmute')}
      </Button>
      <Button
        disabled={none}
        data-testid="selection-camera"
        onClick={() => act(({ camera }) => camera(termIds, false), t('done.cameraOffMany', { count }))}
      >
        {t('control.cameraOff')}
      </Button>
      <Button
        disabled={none}
        data-testid="selection-send-back"
        onClick={() => act(({ sendBack }) => sendBack(termIds))}
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
