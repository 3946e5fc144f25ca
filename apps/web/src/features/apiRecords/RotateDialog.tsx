import type { ApiClient } from '@rmeet/contract';
import { useState } from 'react';
import { useTexts } from '../../lib/i18n/index.ts';
import { Button } from '../../ui/Button.tsx';
import { PageDialog } from '../../ui/PageDialog.tsx';
import type { MadeSecret } from './ClientDrawer.tsx';
import { useRotate } from './queries.ts';

/** For how many hours the previous secret stays valid. */
const OVERLAPS = ['0', '1', '24', '168'] as const;

interface RotateDialogProps {
  client: ApiClient;
  onClose: () => void;
  onMade: (made: MadeSecret) => void;
}

/** Makes a new secret for a client, and asks how long the previous one stays valid. */
export function RotateDialog({ client, onClose, onMade }: RotateDialogProps) {
  const t = useTexts('apiRecords');
  const common = useTexts('common');
  const rotate = useRotate();
  const [overlap, setOverlap] = useState<(typeof OVERLAPS)[number]>('24');
  const hasSecret = client.secrets.length > 0;
  const make = () =>
    rotate.mutate(
      { id: client.id, overlapHours: hasSecret ? Number(overlap) : 0 },
      {
        onSuccess: (made) => {
          onClose();
          onMade(made);
        },
      },
    );
  return (
    <PageDialog title={t('rotate.title', { name: client.name })} testId="rotate-dialog" onClose={onClose}>
      <div className="api-rotate">
        <p>{t(hasSecret ? 'rotate.text' : 'rotate.first')}</p>
        {hasSecret && (
          <fieldset>
            <legend>{t('rotate.overlap')}</legend>
            {OVERLAPS.map((hours) => (
              <label key={hours}>
                <input
                  type="radio"
                  name="overlap"
                  checked={overlap === hours}
                  data-testid={`rotate-${hours}`}
                  onChange={() => setOverlap(hours)}
                />
                {t(`rotate.hours.${hours}`)}
              </label>
            ))}
          </fieldset>
        )}
        <div className="api-buttons">
          <Button onClick={onClose}>{common('cancel')}</Button>
          <Button kind="primary" busy={rotate.isPending} data-testid="rotate-make" onClick={make}>
            {t('rotate.make')}
          </Button>
        </div>
      </div>
    </PageDialog>
  );
}
