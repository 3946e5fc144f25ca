import { useMutation } from '@tanstack/react-query';
import { useRef } from 'react';
import { download } from '../../lib/download.ts';
import { useTexts } from '../../lib/i18n/index.ts';
import { Button } from '../../ui/Button.tsx';
import { Icon } from '../../ui/icons.tsx';
import { ChooseFile, FileInput } from '../../ui/import/ChooseFile.tsx';
import { ImportProgress } from '../../ui/import/ImportProgress.tsx';
import { ImportSteps } from '../../ui/import/ImportSteps.tsx';
import { SideDrawer } from '../../ui/SideDrawer.tsx';
import { ImportReport } from './ImportReport.tsx';
import { exportPath } from './queries.ts';
import { rowsToStore, type Sheet } from './sheet.ts';
import { useImport, type ImportStep } from './useImport.ts';

const STEPS = ['choose', 'checked', 'done'] as const;

/** Imports terminals from an Excel workbook: choose a file, preview the result, store it. */
// oxlint-disable-next-line max-lines-per-function -- plain JSX of the three steps
export function ImportDrawer({ open, onClose }: { open: boolean; onClose: () => void }) {
  const t = useTexts('terminals');
  const input = useRef<HTMLInputElement>(null);
  const { step, work, choose, store, cancel } = useImport();
  const chooseAgain = () => input.current?.click();

  const close = () => {
    cancel();
    onClose();
  };

  return (
    <SideDrawer
      title={t('import.title')}
      open={open}
      onClose={close}
      testId="import-drawer"
      footer={
        <Footer
          step={step}
          isBusy={work !== null}
          onLeave={work ? cancel : close}
          onClose={close}
          onChoose={chooseAgain}
          onStore={store}
        />
      }
    >
      <div className="import">
        <ImportSteps steps={STEPS.map((one) => t(`import.step.${one}`))} current={t(`import.step.${step.at}`)} />
        <FileInput ref={input} accept=".xlsx" label={t('import.choose')} onChoose={(file) => void choose(file)} />
        {step.at === 'choose' ? (
          <ChooseStep
            fault={step.fault}
            isBusy={work !== null}
            onChoose={chooseAgain}
            onDrop={(file) => void choose(file)}
          />
        ) : (
          // A new instance for each result.
          <ImportReport
            key={`${step.at}:${step.result.faults.length > 0}`}
            name={step.sheet.name}
            result={step.result}
            isDone={step.at === 'done'}
          />
        )}
        <ImportProgress text={work && t(`import.busy.${work.kind}`, { name: work.name })} />
      </div>
    </SideDrawer>
  );
}

interface FooterProps {
  step: ImportStep;
  isBusy: boolean;
  onLeave: () => void;
  onClose: () => void;
  onChoose: () => void;
  onStore: (sheet: Sheet) => void;
}

function Footer({ step, isBusy, onLeave, onClose, onChoose, onStore }: FooterProps) {
  const t = useTexts('terminals');
  const common = useTexts('common');
  if (step.at === 'done') {
    return (
      <Button kind="primary" data-testid="import-close" onClick={onClose}>
        {common('ok')}
      </Button>
    );
  }
  const leave = (
    <Button data-testid="import-cancel" onClick={onLeave}>
      {common('cancel')}
    </Button>
  );
  if (step.at === 'choose') return leave;
  const mayStore = step.result.faults.length === 0 && rowsToStore(step.result) > 0;
  return (
    <>
      {leave}
      <Button kind={mayStore ? 'plain' : 'primary'} disabled={isBusy} data-testid="import-choose" onClick={onChoose}>
        {t('import.chooseAnother')}
      </Button>
      {mayStore && (
        <Button kind="primary" busy={isBusy} data-testid="import-store" onClick={() => onStore(step.sheet)}>
          {t('import.store', { count: rowsToStore(step.result) })}
        </Button>
      )}
    </>
  );
}

interface ChooseStepProps {
  fault: string | null;
  isBusy: boolean;
  onChoose: () => void;
  onDrop: (file: File | undefined) => void;
}

function ChooseStep(props: ChooseStepProps) {
  const t = useTexts('terminals');
  const template = useMutation({ mutationFn: () => download(exportPath()) });
  return (
    <ChooseFile
      {...props}
      texts={{
        hint: t('import.hint'),
        choose: t('import.choose'),
        drop: t('import.drop'),
        templateHint: t('import.templateHint'),
      }}
      template={
        <Button busy={template.isPending} data-testid="import-template" onClick={() => template.mutate()}>
          <Icon name="download" />
          {t('import.template')}
        </Button>
      }
    />
  );
}
