import { Modal } from 'antd';
import { copyText } from '../../lib/clipboard.ts';
import { useTexts } from '../../lib/i18n/index.ts';
import { Button } from '../../ui/Button.tsx';
import { Icon } from '../../ui/icons.tsx';
import { useRestoreFocus } from '../../ui/useRestoreFocus.ts';
import '../../ui/admin/form.css';

/** A new secret, and what its programmer needs besides. */
interface Made {
  /** Of the program. */
  name: string;
  values: readonly (readonly ['address' | 'id' | 'secret', string])[];
}

/** Shows a secret once; only its button closes the dialog. */
export function SecretDialog({ made, onClose }: { made: Made | null; onClose: () => void }) {
  const t = useTexts('apiRecords');
  const giveBack = useRestoreFocus(made !== null, '.api-secret-dialog');
  return (
    <Modal
      rootClassName="api-secret-dialog"
      focusable={{ trap: true, focusTriggerAfterClose: false }}
      afterClose={giveBack}
      open={made !== null}
      // No animation: a click while the dialog is still growing may miss its button.
      transitionName=""
      maskTransitionName=""
      title={t('secret.title')}
      centered
      closable={false}
      keyboard={false}
      mask={{ closable: false }}
      destroyOnHidden
      footer={
        <Button kind="primary" data-testid="secret-done" onClick={onClose}>
          {t('secret.done')}
        </Button>
      }
    >
      {made && (
        <div className="api-secret">
          <p>{t('secret.text', { name: made.name })}</p>
          {made.values.map(([kind, value]) => (
            <Value
              key={kind}
              label={t(`secret.${kind}`)}
              value={value}
              testId={kind === 'secret' ? 'secret-value' : `secret-${kind}`}
            />
          ))}
        </div>
      )}
    </Modal>
  );
}

function Value({ label, value, testId }: { label: string; value: string; testId: string }) {
  const t = useTexts('apiRecords');
  return (
    <div className="api-secret-row">
      <span>{label}</span>
      <output aria-label={label} data-testid={testId}>
        {value}
      </output>
      <Button
        aria-label={t('secret.copyNamed', { name: label })}
        data-testid={`${testId}-copy`}
        onClick={() => void copyText(value, () => t('secret.copied', { name: label }))}
      >
        <Icon name="copy" />
        {t('secret.copy')}
      </Button>
    </div>
  );
}
