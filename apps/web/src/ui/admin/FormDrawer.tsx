import type { ReactNode } from 'react';
import { useTexts } from '../../lib/i18n/index.ts';
import { ask } from '../../lib/notify.ts';
import { Button } from '../Button.tsx';
import { SideDrawer } from '../SideDrawer.tsx';
import { ConflictNotice, type Describe } from './ConflictNotice.tsx';
import type { Form } from './useForm.ts';
import './texts.ts';
import './form.css';

interface FormDrawerProps<D extends object> {
  title: string;
  open: boolean;
  onClose: () => void;
  form: Form<D>;
  /** Label and value of a field, for the notice of a conflict. */
  describe?: Describe<D>;
  /** Defaults to "Save". */
  submitText?: string;
  testId: string;
  children: ReactNode;
}

/** A form in the product's drawer. Closing requires confirmation if there are unsaved changes. */
export function FormDrawer<D extends object>({
  title,
  open,
  onClose,
  form,
  describe,
  submitText,
  testId,
  children,
}: FormDrawerProps<D>) {
  const t = useTexts('admin');
  const common = useTexts('common');
  const { root, conflict, isDirty, isSaving, submit, undo } = form;

  const close = async () => {
    const sure =
      !isDirty ||
      (await ask({
        title: t('discardTitle'),
        text: t('discardText'),
        okText: t('discard'),
        cancelText: t('keep'),
        danger: true,
      }));
    if (!sure) return;
    undo();
    onClose();
  };

  return (
    <SideDrawer
      title={title}
      open={open}
      onClose={() => void close()}
      testId={testId}
      footer={
        <>
          <Button data-testid="form-dismiss" onClick={() => void close()}>
            {common('cancel')}
          </Button>
          <Button kind="primary" busy={isSaving} data-testid="form-submit" onClick={submit}>
            {submitText ?? common('save')}
          </Button>
        </>
      }
    >
      {/* Enter belongs to the pickers inside, so it must not submit the form. */}
      <form ref={root} className="admin-form" noValidate onSubmit={(event) => event.preventDefault()}>
        {conflict && describe && <ConflictNotice conflict={conflict} describe={describe} />}
        {children}
      </form>
    </SideDrawer>
  );
}
