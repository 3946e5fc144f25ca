import { useState, type ReactNode, type Ref } from 'react';
import { Button } from '../Button.tsx';
import { Icon } from '../icons.tsx';
import './import.css';

interface ChosenFileProps {
  ref: Ref<HTMLInputElement>;
  /** File names it offers: `.xlsx`. */
  accept: string;
  label: string;
  onChoose: (file: File | undefined) => void;
}

/** The hidden field that opens the browser's choice of a file. */
export function FileInput({ ref, accept, label, onChoose }: ChosenFileProps) {
  return (
    <input
      ref={ref}
      type="file"
      accept={accept}
      className="visually-hidden"
      tabIndex={-1}
      aria-label={label}
      data-testid="import-file"
      onChange={({ target }) => {
        onChoose(target.files?.[0]);
        // Reset, so that the same file can be chosen again after a correction.
        target.value = '';
      }}
    />
  );
}

interface ChooseFileProps {
  texts: { hint: string; choose: string; drop: string; templateHint: string };
  /** The error of the last file. */
  fault: string | null;
  isBusy: boolean;
  onChoose: () => void;
  onDrop: (file: File | undefined) => void;
  /** Buttons that download a template. */
  template: ReactNode;
}

/** The first step of an import: a file is chosen or dropped, or a template is downloaded. */
export function ChooseFile({ texts, fault, isBusy, onChoose, onDrop, template }: ChooseFileProps) {
  const [isOver, setIsOver] = useState(false);
  return (
    <>
      <p>{texts.hint}</p>
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
          {texts.choose}
        </Button>
        <p>{texts.drop}</p>
      </div>
      {fault !== null && (
        <p id="import-fault" className="import-fault" role="alert" data-testid="import-fault">
          {fault}
        </p>
      )}
      <div className="import-template">
        <p>{texts.templateHint}</p>
        <div className="import-template-buttons">{template}</div>
      </div>
    </>
  );
}
