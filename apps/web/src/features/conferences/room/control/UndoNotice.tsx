import { useT } from '../../texts.ts';
import type { Control } from './useControl.ts';
import './control.css';

/** What the chair just did, with an undo button. */
export function UndoNotice({ control: { undoable, undo } }: { control: Control }) {
  const t = useT();
  return (
    <div className="undo" role="status" aria-live="polite">
      {undoable !== null && (
        <p className="undo-notice" data-testid="undo-notice">
          {undoable.text}
          <button type="button" className="undo-button" data-testid="undo" onClick={undo}>
            {t('control.undo')}
          </button>
        </p>
      )}
    </div>
  );
}
