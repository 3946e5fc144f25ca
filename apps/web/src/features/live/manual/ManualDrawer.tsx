import type { ManualLive } from '@rmeet/contract';
import { useRef } from 'react';
import { useTexts } from '../../../lib/i18n/index.ts';
import { ask } from '../../../lib/notify.ts';
import { Button } from '../../../ui/Button.tsx';
import { SideDrawer } from '../../../ui/SideDrawer.tsx';
import { EmptyState, ErrorState, Loading } from '../../../ui/states.tsx';
import { ManualFields } from './ManualFields.tsx';
import { useManualToEdit } from './queries.ts';
import { useT } from './texts.ts';
import { useManualForm } from './useManualForm.ts';

interface ManualDrawerProps {
  /** A broadcast's id, or `new`. */
  id: string;
  open: boolean;
  onClose: () => void;
  onBooked: (broadcast: ManualLive) => void;
}

/** Books or changes a broadcast of an outside stream. */
export function ManualDrawer({ id, open, onClose, onBooked }: ManualDrawerProps) {
  const t = useT();
  const isNew = id === 'new';
  const found = useManualToEdit(isNew ? null : id);
  if (isNew || found.data)
    return <Form broadcast={found.data ?? null} open={open} onClose={onClose} onBooked={onBooked} />;
  return (
    <SideDrawer title={t('form.titleEdit')} open={open} onClose={onClose} testId="manual-waiting">
      {found.isPending ? (
        <Loading />
      ) : found.isError ? (
        <ErrorState retry={() => void found.refetch()} />
      ) : (
        <EmptyState picture="list" title={t('form.gone')} />
      )}
    </SideDrawer>
  );
}

interface FormProps extends Omit<ManualDrawerProps, 'id'> {
  broadcast: ManualLive | null;
}

function Form({ broadcast, open, onClose, onBooked }: FormProps) {
  const t = useT();
  const common = useTexts('common');
  const element = useRef<HTMLFormElement>(null);
  const form = useManualForm(broadcast, {
    onSaved: broadcast ? onClose : onBooked,
    onFaults: () =>
      requestAnimationFrame(() => element.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus()),
  });
  const close = async () => {
    const sure =
      !form.isDirty ||
      (await ask({
        title: t('form.discardTitle'),
        text: t('form.discardText'),
        okText: t('form.discard'),
        cancelText: t('form.keep'),
        danger: true,
      }));
    if (sure) onClose();
  };
  return (
    <SideDrawer
      title={t(broadcast ? 'form.titleEdit' : 'form.titleNew')}
      open={open}
      onClose={() => void close()}
      testId="manual-form"
      footer={
        <>
          <Button data-testid="manual-dismiss" onClick={() => void close()}>
            {common('cancel')}
          </Button>
          <Button kind="primary" busy={form.isSaving} data-testid="manual-submit" onClick={form.submit}>
            {broadcast ? common('save') : t('form.submitNew')}
          </Button>
        </>
      }
    >
      {/* Enter belongs to the pickers inside, so it must not submit the form. */}
      <form ref={element} className="manual-form" noValidate onSubmit={(event) => event.preventDefault()}>
        <ManualFields form={form} isNew={broadcast === null} />
      </form>
    </SideDrawer>
  );
}
