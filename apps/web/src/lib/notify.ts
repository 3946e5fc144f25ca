import { TOAST_DURATION } from '@rmeet/contract';

/** A message in the language at the time of the call, so that visible messages follow a change of language. */
export type Words = () => string;

export type ToastLevel = 'success' | 'warning' | 'error';

/** An action offered in a toast, such as undo. */
export interface ToastAction {
  label: Words;
  run: () => void;
}

interface Toast {
  id: number;
  level: ToastLevel;
  text: Words;
  action?: ToastAction | undefined;
}

/** How long a toast with an action is shown; ms. */
const ACTION_DURATION = 10_000;

/** Plain texts: while the dialog is open, the language cannot be switched. */
export interface Question {
  title: string;
  text: string;
  okText: string;
  /** If missing, there is no cancel button, and Escape does not close the dialog. */
  cancelText?: string;
  danger?: boolean;
}

/** One of the answers to a question. */
export interface Choice {
  value: string;
  label: string;
}

export interface Asked extends Question {
  id: number;
  /** The first is preselected. If missing, the question is answered by yes or no. */
  choices: readonly Choice[];
  answer: (yes: boolean, choice?: string) => void;
}

export interface Notices {
  toasts: readonly Toast[];
  /** Shown one after the other. */
  questions: readonly Asked[];
}

let notices: Notices = { toasts: [], questions: [] };
let nextId = 1;
const listeners = new Set<() => void>();

function set(next: Notices): void {
  notices = next;
  for (const listener of listeners) listener();
}

/** What is on screen, for the component that renders it (`useSyncExternalStore`). */
export const noticeStore = {
  subscribe: (listener: () => void): (() => void) => {
    listeners.add(listener);
    return () => listeners.delete(listener);
  },
  get: (): Notices => notices,
};

/**
 * Shows a message for three seconds, longer with an action. The same message is not shown twice at the same time; one
 * with an action replaces all others with an action, because only the newest can be undone. Returns a function that
 * removes it.
 */
export function toast(level: ToastLevel, text: Words, action?: ToastAction): () => void {
  const id = nextId++;
  const remove = () => set({ ...notices, toasts: notices.toasts.filter((t) => t.id !== id) });
  const others = action ? notices.toasts.filter((t) => t.action === undefined) : notices.toasts;
  if (others.some((t) => t.text() === text())) return () => undefined;
  set({ ...notices, toasts: [...others, { id, level, text, action }] });
  setTimeout(remove, action ? ACTION_DURATION : TOAST_DURATION);
  return remove;
}

/** Asks, and resolves with the answer. A question already on screen is not asked again. */
export async function ask(question: Question): Promise<boolean> {
  return (await put(question, [])) !== null;
}

/** Asks the user to choose one of a few options; null if cancelled. */
export function askWhich<V extends string>(
  question: Question,
  choices: readonly (Choice & { value: V })[],
): Promise<V | null> {
  return put(question, choices) as Promise<V | null>;
}

function put(question: Question, choices: readonly Choice[]): Promise<string | null> {
  if (notices.questions.some((q) => q.text === question.text)) return Promise.resolve(null);
  return new Promise((resolve) => {
    const id = nextId++;
    const answer = (yes: boolean, choice = '') => {
      set({ ...notices, questions: notices.questions.filter((q) => q.id !== id) });
      resolve(yes ? choice : null);
    };
    set({ ...notices, questions: [...notices.questions, { ...question, choices, id, answer }] });
  });
}
