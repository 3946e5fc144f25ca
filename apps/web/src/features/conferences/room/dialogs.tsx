import type { Call } from '../../../call/index.ts';
import { reportError } from '../../../lib/api/index.ts';
import { Button } from '../../../ui/Button.tsx';
import { useT } from '../texts.ts';
import { Dialog } from '../../../ui/Dialog.tsx';

/** Leave, or end the meeting for everyone; only users who may end it see this. */
export function LeaveDialog({ call, onClose }: { call: Call; onClose: () => void }) {
  const t = useT();
  return (
    <Dialog title={t('leave.title')} testId="leave-dialog" onClose={onClose}>
      <p className="dialog-text">{t('leave.hint')}</p>
      <div className="dialog-buttons">
        <Button data-testid="leave-cancel" onClick={onClose}>
          {t('leave.cancel')}
        </Button>
        <Button data-testid="leave-only" onClick={() => void call.leave()}>
          {t('leave.leave')}
        </Button>
        <Button kind="danger" data-testid="leave-end-all" onClick={() => void call.end().catch(reportError)}>
          {t('leave.endAll')}
        </Button>
      </div>
    </Dialog>
  );
}
