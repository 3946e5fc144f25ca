import { useEffect, useId, useLayoutEffect, useRef, useState, useSyncExternalStore, type ReactNode } from 'react';
import { createPortal } from 'react-dom';
import { useLanguage } from '../lib/i18n/index.ts';
import { noticeStore, type Asked } from '../lib/notify.ts';
import { Button } from './Button.tsx';
import './notices.css';

/** The elements of pages that have an own place for toasts; the last one has them. */
let places: readonly HTMLElement[] = [];
const listeners = new Set<() => void>();
const placeStore = {
  subscribe: (listener: () => void): (() => void) => {
    listeners.add(listener);
    return () => listeners.delete(listener);
  },
  get: (): HTMLElement | null => places.at(-1) ?? null,
};

function setPlaces(next: readonly HTMLElement[]): void {
  places = next;
  for (const listener of listeners) listener();
}

/** Where a page shows toasts, instead of over its top: a place with no names and no controls. */
export function NoticePlace({ children }: { children?: ReactNode }) {
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const element = box.current;
    if (element === null) return undefined;
    setPlaces([...places, element]);
    return () => setPlaces(places.filter((each) => each !== element));
  }, []);
  return (
    <div ref={box} className="notice-place">
      {children}
    </div>
  );
}

/** Renders toasts and questions; mounted once, at the root of each app. */
export function Notices() {
  const { toasts, questions } = useSyncExternalStore(noticeStore.subscribe, noticeStore.get);
  // Toasts are rendered again when the language changes.
  useLanguage();
  const [question] = questions;
  const place = useSyncExternalStore(placeStore.subscribe, placeStore.get);
  const shown = (
    <div className="toasts" role="status" aria-live="polite">
      {toasts.map(({ id, level, text, action }) => (
        <p key={id} className={`toast toast-${level}`} data-testid={`toast-${level}`}>
          {text()}
          {action && (
            <Button kind="quiet" data-testid="toast-action" onClick={action.run}>
              {action.label()}
            </Button>
          )}
        </p>
      ))}
    </div>
  );
  return (
    <>
      {place === null ? shown : createPortal(shown, place)}
      {question && <QuestionDialog key={question.id} question={question} />}
    </>
  );
}

/** A native modal dialog: the focus stays inside, and returns afterwards. */
// oxlint-disable-next-line max-lines-per-function -- one native dialog, mostly JSX
function QuestionDialog({ question }: { question: Asked }) {
  const { title, text, okText, cancelText, danger = false, choices, answer } = question;
  const [chosen, setChosen] = useState(choices[0]?.value);
  const dialog = useRef<HTMLDialogElement>(null);
  const id = useId();

  // Closed while still in the document: only then does the browser return the focus.
  useLayoutEffect(() => {
    const element = dialog.current;
    const opener = document.activeElement;
    // Delayed: the Escape key that opened it would otherwise close it again.
    const timer = setTimeout(() => element?.showModal());
    return () => {
      clearTimeout(timer);
      element?.close();
      // A menu that was just closing may have had the focus when the dialog opened: the browser would return the focus
      // to it, or lose it.
      if (opener instanceof HTMLElement && opener !== document.body && opener.getClientRects().length > 0)
        opener.focus();
    };
  }, []);

  return (
    <dialog
      ref={dialog}
      className="question"
      aria-labelledby={`${id}-title`}
      aria-describedby={`${id}-text`}
      data-testid="question"
      onCancel={(event) => {
        event.preventDefault();
        if (cancelText !== undefined) answer(false);
      }}
      // Browsers close a dialog on a second Escape even if `cancel` is prevented.
      onClose={() => {
        if (cancelText === undefined) dialog.current?.showModal();
        else answer(false);
      }}
    >
      <h2 id={`${id}-title`}>{title}</h2>
      <p id={`${id}-text`}>{text}</p>
      {choices.length > 0 && (
        <div className="question-choices" role="radiogroup" aria-labelledby={`${id}-title`}>
          {choices.map(({ value, label }) => (
            <label key={value} data-testid={`question-${value}`}>
              <input type="radio" name={id} checked={value === chosen} onChange={() => setChosen(value)} />
              {label}
            </label>
          ))}
        </div>
      )}
      <div className="question-buttons">
        {cancelText !== undefined && (
          <Button data-testid="question-cancel" onClick={() => answer(false)}>
            {cancelText}
          </Button>
        )}
        <Button
          kind={danger ? 'danger' : 'primary'}
          autoFocus={!danger}
          data-testid="question-ok"
          onClick={() => answer(true, chosen)}
        >
          {okText}
        </Button>
      </div>
    </dialog>
  );
}
