import { Popover } from '../../../../ui/Popover.tsx';
import { useDesk, type PanelProps } from '../context.ts';
import { useT } from '../texts.tsx';

const MINUTES = [10, 15, 30, 60] as const;

/** By how much the conference may go on longer. */
export function ExtendChoices({ anchor, onClose }: PanelProps) {
  const t = useT();
  const desk = useDesk();
  return (
    <Popover label={t('acts.extend')} anchor={anchor} onClose={onClose} testId="desk-extend-choices">
      {MINUTES.map((minutes) => (
        <button
          key={minutes}
          type="button"
          className="desk-choice"
          data-testid={`desk-extend-${minutes}`}
          onClick={() => {
            onClose();
            void desk.act({ verb: 'extend', minutes });
          }}
        >
          {t('acts.extendBy', { minutes })}
        </button>
      ))}
    </Popover>
  );
}
