import { TOAST_DURATION } from '@rmeet/contract';

/** A sentence in the language in use when it is called, so that what is on screen follows a change of it. */
export type Words = () => string;

export type ToastLevel = 'success' | 'warning' | 'error';

/** Something that can be done about what a toast says, as taking it back. */
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

/** Milliseconds a toast stays that one may want to press. */
const ACTION_DURATION = 10_000;

/** Plain texts: while the dialog is open, the language cannot be switched. */
export interface Question {
  title: string;
  text: string;
  okText: string;
  /** Missing: there is no cancel button, and Escape does not close the dialog. */
  cancelText?: string;
  danger?: boolean;
}

/** One of the answers a question offers. */
export interface Choice {
  value: string;
  label: string;
}

export interface Asked extends Question {
  id: number;
  /** The first is chosen until another is. None: the question is answered by yes or no. */
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

/** What is on screen, for the component that draws it (`useSyncExternalStore`). */
export const noticeStore = {
  subscribe: (listener: () => void): (() => void) => {
    listeners.add(listener);
    return () => listeners.delete(listener);
  },
  get: (): Notices => notices,
};

/**
 * Shows a sentence for three seconds, longer with something to press. The same sentence twice at once is shown once;
 * one with an action takes the place of all that have one, since only the newest can be taken back. Returns the way to
 * take it off.
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

/** Asks, and resolves with the answer. A question already on screen is not asked twice. */
export async function ask(question: Question): Promise<boolean> {
  return (await put(question, [])) !== null;
}

/** Asks which of a few things is meant; null for none. */
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
