import { useMutation } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { download } from '../../lib/download.ts';
import { useTexts } from '../../lib/i18n/index.ts';
import { Button } from '../../ui/Button.tsx';
import { Icon } from '../../ui/icons.tsx';
import { SideDrawer } from '../../ui/SideDrawer.tsx';
import { ImportReport } from './ImportReport.tsx';
import { exportPath } from './queries.ts';
import { rowsToStore, type Sheet } from './sheet.ts';
import { useImport, type ImportStep, type ImportWork } from './useImport.ts';

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
        <ol className="import-steps">
          {STEPS.map((one) => (
            <li key={one} aria-current={one === step.at ? 'step' : undefined}>
              {t(`import.step.${one}`)}
            </li>
          ))}
        </ol>
        <input
          ref={input}
          type="file"
          accept=".xlsx"
          className="visually-hidden"
          tabIndex={-1}
          aria-label={t('import.choose')}
          data-testid="import-file"
          onChange={({ target }) => {
            void choose(target.files?.[0]);
            // Reset, so that the same file can be chosen again after a correction.
            target.value = '';
          }}
        />
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
        <Progress work={work} />
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

function ChooseStep({ fault, isBusy, onChoose, onDrop }: ChooseStepProps) {
  const t = useTexts('terminals');
  const [isOver, setIsOver] = useState(false);
  const template = useMutation({ mutationFn: () => download(exportPath()) });
  return (
    <>
      <p>{t('import.hint')}</p>
      <div
        className="import-drop"
        data-over={isOver}
        data-testid="import-drop"
        onDragOver={(event) => {
          event.preventDefault();
          setIsOver(true);
        }}
        onDragLeave={() => setIsOver(false)}
        onDrop={(event) => {
          event.preventDefault();
          setIsOver(false);
          if (!isBusy) onDrop(event.dataTransfer.files[0]);
        }}
      >
        <Button
          kind="primary"
          busy={isBusy}
          aria-describedby={fault === null ? undefined : 'import-fault'}
          data-testid="import-choose"
          onClick={onChoose}
        >
          <Icon name="upload" />
          {t('import.choose')}
        </Button>
        <p>{t('import.drop')}</p>
      </div>
      {fault !== null && (
        <p id="import-fault" className="import-fault" role="alert" data-testid="import-fault">
          {fault}
        </p>
      )}
      <div className="import-template">
        <p>{t('import.templateHint')}</p>
        <Button busy={template.isPending} data-testid="import-template" onClick={() => template.mutate()}>
          <Icon name="download" />
          {t('import.template')}
        </Button>
      </div>
    </>
  );
}

/** The progress of the import. Always in the DOM, so that screen readers announce its start. */
function Progress({ work }: { work: ImportWork | null }) {
  const t = useTexts('terminals');
  return (
    <div className="import-progress" role="status">
      {work && (
        <>
          <span>{t(`import.busy.${work.kind}`, { name: work.name })}</span>
          <progress aria-label={t(`import.busy.${work.kind}`, { name: work.name })} />
        </>
      )}
    </div>
  );
}
