import { Modal } from 'antd';
import { copyText } from '../../lib/clipboard.ts';
import { useTexts } from '../../lib/i18n/index.ts';
import { Button } from '../Button.tsx';
import { Icon } from '../icons.tsx';
import { useRestoreFocus } from '../useRestoreFocus.ts';
import './texts.ts';
import './form.css';

/** A password the server made up, and whose it is. */
export interface MadePassword {
  account: string;
  name: string;
  password: string;
}

/** Shows a password this once; nothing but its button closes it. */
export function OneTimePassword({ made, onClose }: { made: MadePassword | null; onClose: () => void }) {
  const t = useTexts('admin');
  const giveBack = useRestoreFocus(made !== null, '.one-time-password-dialog');
  return (
    <Modal
      rootClassName="one-time-password-dialog"
      focusable={{ trap: true, focusTriggerAfterClose: false }}
      afterClose={giveBack}
      open={made !== null}
      // No animation: a click while the dialog still grows may miss its button.
      transitionName=""
      maskTransitionName=""
      title={t('password.title')}
      centered
      closable={false}
      keyboard={false}
      mask={{ closable: false }}
      destroyOnHidden
      footer={
        <Button kind="primary" data-testid="password-done" onClick={onClose}>
          {t('password.done')}
        </Button>
      }
    >
      {made && (
        <div className="one-time-password">
          <p>{t('password.text', { name: made.name, account: made.account })}</p>
          <div className="one-time-password-box">
            <output aria-label={t('password.label')} data-testid="password-value">
              {made.password}
            </output>
            <Button
              data-testid="password-copy"
              onClick={() => void copyText(made.password, () => t('password.copied'))}
            >
              <Icon name="copy" />
              {t('password.copy')}
            </Button>
          </div>
        </div>
      )}
    </Modal>
  );
}
