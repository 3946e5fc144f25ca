import { useDesk, useDeskPart, useRights, type PanelProps } from '../context.ts';
import { Popover } from '../../../../ui/Popover.tsx';
import { useT } from '../texts.tsx';

/** How participants enter, and whether they may unmute themselves. */
export function EntrySettings({ anchor, onClose }: PanelProps) {
  const t = useT();
  const desk = useDesk();
  const rights = useRights();
  const control = useDeskPart(({ state }) => state.control);
  const switches = [
    { key: 'muteOnEntry', on: control.muteOnEntry },
    { key: 'allowSelfUnmute', on: control.allowSelfUnmute },
    { key: 'waitingRoom', on: control.waitingRoom === true },
  ] as const;
  return (
    <Popover label={t('entry.title')} anchor={anchor} onClose={onClose} testId="desk-entry-settings">
      {switches.map(({ key, on }) => (
        <label key={key} className="desk-switch">
          <input
            type="checkbox"
            role="switch"
            checked={on}
            data-testid={`desk-entry-${key}`}
            onChange={() => void desk.act({ verb: 'entry', [key]: !on })}
          />
          <span>
            {t(`entry.${key}`)}
            <small>{t(`entry.${key}Hint`)}</small>
          </span>
        </label>
      ))}
      {rights.may('muteAll') && (
        <button
          type="button"
          className="desk-choice"
          data-testid="desk-mute-all-strict"
          onClick={() => {
            onClose();
            void desk.act({ verb: 'muteAll', muted: true, except: [], allowSelfUnmute: false });
          }}
        >
          {t('entry.muteStrict')}
        </button>
      )}
    </Popover>
  );
}
