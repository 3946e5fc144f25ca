import { RECORD_ACTIONS_IN, type RecordAction } from '@rmeet/conference';
import { useLanguage } from '../../../lib/i18n/index.ts';
import { Button } from '../../../ui/Button.tsx';
import { Popover } from '../../../ui/Popover.tsx';
import type { RecordingMarkProps } from './RecordingMark.tsx';
import { useT } from './texts.ts';

interface RecordingDetailsProps extends Pick<RecordingMarkProps, 'onAction'> {
  recording: NonNullable<RecordingMarkProps['recording']>;
  anchor: HTMLElement;
  onClose: () => void;
}

/** What a recording means for people in the meeting; for those who may record, its troubles and its controls. */
export function RecordingDetails({ recording, anchor, onAction, onClose }: RecordingDetailsProps) {
  const t = useT();
  const language = useLanguage();
  const { status, trouble, isSpaceLow, startedAt } = recording;
  const time = new Intl.DateTimeFormat(language, { timeStyle: 'short' }).format(new Date(startedAt));
  const act = (action: RecordAction) => {
    onClose();
    onAction?.(action);
  };
  return (
    <Popover form label={t('title')} anchor={anchor} testId="recording-details" onClose={onClose}>
      <div className="recording-details">
        <h2>{t(`mark.${status}`)}</h2>
        <p>{t(`about.${status}`)}</p>
        {status !== 'FAILED' && <p className="recording-since">{t('about.started', { time })}</p>}
        {onAction !== null && trouble !== null && <p className="recording-trouble">{t(`trouble.${trouble}`)}</p>}
        {onAction !== null && trouble === null && isSpaceLow && <p className="recording-trouble">{t('spaceLow')}</p>}
        <div className="recording-actions">
          {onAction === null ? (
            <Button onClick={onClose}>{t('close')}</Button>
          ) : (
            RECORD_ACTIONS_IN[status].map((action) => (
              <Button
                key={action}
                kind={action === 'START' || action === 'RESUME' ? 'primary' : 'plain'}
                data-testid={`recording-${action.toLowerCase()}`}
                onClick={() => act(action)}
              >
                {t(`action.${action}`)}
              </Button>
            ))
          )}
        </div>
      </div>
    </Popover>
  );
}
