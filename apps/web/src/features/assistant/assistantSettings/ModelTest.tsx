import { useMutation } from '@tanstack/react-query';
import { assistantApiWithTimeout, sentenceOf } from '../../../lib/api/index.ts';
import { useTexts } from '../../../lib/i18n/index.ts';
import { Button } from '../../../ui/Button.tsx';

/** Asks the stored language model for a word, and says how that went. */
export function ModelTest({ isDirty }: { isDirty: boolean }) {
  const t = useTexts('assistantSettings');
  const test = useMutation({ mutationFn: () => assistantApiWithTimeout.testModel(), meta: { quiet: true } });
  const said = () => {
    if (test.isError) return sentenceOf(test.error) ?? t('test.failed');
    if (!test.data) return isDirty ? t('test.first') : '';
    const { fault, status, ms } = test.data;
    return fault === null ? t('test.right', { ms }) : t(`test.${fault}`, { status: status ?? '' });
  };
  const isFault = test.isError || (test.data !== undefined && test.data.fault !== null);
  return (
    <div className="assistant-settings-test">
      <Button disabled={isDirty} busy={test.isPending} data-testid="assistant-test" onClick={() => test.mutate()}>
        {t('test.button')}
      </Button>
      <p role="status" data-fault={isFault} data-testid="assistant-test-said">
        {said()}
      </p>
    </div>
  );
}
