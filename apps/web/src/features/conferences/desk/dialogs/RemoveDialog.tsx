import { Button } from '../../../../ui/Button.tsx';
import { useDesk } from '../context.ts';
import { Dialog } from '../../../../ui/Dialog.tsx';
import { useNames } from '../side/useNames.ts';
import { useT } from '../texts.tsx';
import { describe } from '../describe.ts';

/** Asks for confirmation before participants are removed; one key press confirms or cancels. */
export function RemoveDialog({ termIds, onClose }: { termIds: readonly string[]; onClose: () => void }) {
  const t = useT();
  const desk = useDesk();
  const nameOf = useNames();
  const remove = (canReturn: boolean) => {
    onClose();
    void desk.act({ verb: 'remove', termIds: [...termIds], canReturn });
  };
  return (
    <Dialog
      title={t('remove.title', { what: describe({ verb: 'remove', termIds, canReturn: true }, nameOf, t) })}
      testId="desk-remove-dialog"
      onClose={onClose}
    >
      <p className="dialog-text">{t('remove.text')}</p>
      <div className="desk-form-buttons">
        <Button onClick={onClose}>{t('cancel')}</Button>
        <Button data-testid="desk-remove-for-good" onClick={() => remove(false)}>
          {t('remove.forGood')}
        </Button>
        <Button kind="danger" data-testid="desk-remove-ok" onClick={() => remove(true)}>
          {t('remove.ok')}
        </Button>
      </div>
    </Dialog>
  );
}
