import { LIMITS, type MeetingFile } from '@rmeet/contract';
import { useId, useRef, useState } from 'react';
import { useTexts } from '../../../lib/i18n/index.ts';
import { sizeWords } from '../../../lib/sizeWords.ts';
import { Button } from '../../../ui/Button.tsx';
import { Icon } from '../../../ui/icons.tsx';
import { IconButton } from '../../../ui/IconButton.tsx';

/** A file chosen in the form, but not uploaded yet. */
export interface AddedFile {
  /** Unique within this form. */
  key: number;
  file: File;
}

/** Errors of files: of one file by its name, or of all. */
export interface FileFault {
  name: string | null;
  text: string;
}

interface FileFieldProps {
  /** Files the meeting already has. */
  kept: readonly MeetingFile[];
  added: readonly AddedFile[];
  fault: FileFault | null;
  /** Upload progress, 0 to 1; null while nothing is being uploaded. */
  progress: number | null;
  onKept: (files: readonly MeetingFile[]) => void;
  onAdd: (files: readonly File[]) => void;
  onRemove: (key: number) => void;
}

/** Files attached to the meeting: dropped or chosen, each with its size and its error. */
export function FileField({ kept, added, fault, progress, onKept, onAdd, onRemove }: FileFieldProps) {
  const t = useTexts('meetings');
  const id = useId();
  const isSending = progress !== null;
  const rows = rowsOf({ kept, added, onKept, onRemove });
  const common = fault !== null && !rows.some(({ name }) => name === fault.name) ? fault.text : undefined;
  return (
    <fieldset className="booking-files" aria-describedby={`${id}-note`}>
      <legend>{t('files.title')}</legend>
      <DropArea noteId={`${id}-note`} disabled={isSending} onAdd={onAdd} />
      {rows.length > 0 && (
        <ul className="booking-file-list">
          {rows.map(({ key, name, size, remove }) => (
            <li key={key} data-testid="meeting-file-row">
              <span className="booking-file-name">{name}</span>
              <small>{sizeWords(size)}</small>
              <IconButton
                icon="close"
                label={t('files.remove', { name })}
                disabled={isSending}
                data-testid="meeting-file-remove"
                onClick={remove}
              />
              {fault?.name === name && (
                <p className="form-field-error" role="alert">
                  {fault.text}
                </p>
              )}
            </li>
          ))}
        </ul>
      )}
      {isSending && added.length > 0 && (
        <div className="booking-file-progress" role="status">
          <progress aria-label={t('files.sending')} max={1} value={progress} />
          <span>{t('files.sent', { percent: Math.floor(progress * 100) })}</span>
        </div>
      )}
      <p
        id={`${id}-note`}
        className={common === undefined ? 'form-field-hint' : 'form-field-error'}
        role={common === undefined ? undefined : 'alert'}
      >
        {common ?? t('files.hint', { max: LIMITS.files })}
      </p>
    </fieldset>
  );
}

/** The meeting's files and the files chosen in the form, as one list. */
function rowsOf({ kept, added, onKept, onRemove }: Pick<FileFieldProps, 'kept' | 'added' | 'onKept' | 'onRemove'>) {
  return [
    ...kept.map((one) => ({
      key: one.id,
      name: one.name,
      size: one.size,
      remove: () => onKept(kept.filter(({ id: other }) => other !== one.id)),
    })),
    ...added.map(({ key, file }) => ({
      key: String(key),
      name: file.name,
      size: file.size,
      remove: () => onRemove(key),
    })),
  ];
}

interface DropAreaProps {
  noteId: string;
  disabled: boolean;
  onAdd: (files: readonly File[]) => void;
}

/** The area to drop or choose files. */
function DropArea({ noteId, disabled, onAdd }: DropAreaProps) {
  const t = useTexts('meetings');
  const input = useRef<HTMLInputElement>(null);
  const [isOver, setIsOver] = useState(false);
  return (
    <>
      <input
        ref={input}
        type="file"
        multiple
        className="visually-hidden"
        tabIndex={-1}
        aria-label={t('files.choose')}
        data-testid="meeting-file"
        onChange={({ target }) => {
          onAdd([...(target.files ?? [])]);
          // Reset, so that the same file can be chosen again.
          target.value = '';
        }}
      />
      <div
        className="booking-drop"
        data-over={isOver}
        data-testid="meeting-drop"
        onDragOver={(event) => {
          event.preventDefault();
          setIsOver(true);
        }}
        onDragLeave={() => setIsOver(false)}
        onDrop={(event) => {
          event.preventDefault();
          setIsOver(false);
          if (!disabled) onAdd([...event.dataTransfer.files]);
        }}
      >
        <Button
          disabled={disabled}
          aria-describedby={noteId}
          data-testid="meeting-file-choose"
          onClick={() => input.current?.click()}
        >
          <Icon name="upload" />
          {t('files.choose')}
        </Button>
        <span>{t('files.drop')}</span>
      </div>
    </>
  );
}
