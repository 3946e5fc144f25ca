import { ASSISTANT_LIMITS, type AssistantAnswer } from '@rmeet/contract';

/** One question, and what became of it. */
export interface Turn {
  id: number;
  question: string;
  answer: AssistantAnswer | null;
  /** Why there is no answer; empty while it is awaited. */
  trouble: string;
}

export interface Conversation {
  turns: readonly Turn[];
  /** Titles of passages that were shown and acts that were tried, for the service desk. */
  tried: readonly string[];
}

export const EMPTY: Conversation = { turns: [], tried: [] };

type Event =
  | { kind: 'asked'; id: number; question: string }
  | { kind: 'answered'; id: number; answer: AssistantAnswer }
  | { kind: 'failed'; id: number; trouble: string }
  | { kind: 'tried'; what: string };

const mostRecent = (tried: readonly string[]): readonly string[] => [...new Set(tried)].slice(-ASSISTANT_LIMITS.tried);

const changed = (turns: readonly Turn[], id: number, part: Partial<Turn>): readonly Turn[] =>
  turns.map((turn) => (turn.id === id ? { ...turn, ...part } : turn));

/** The conversation after an event. */
export function afterEvent({ turns, tried }: Conversation, event: Event): Conversation {
  switch (event.kind) {
    case 'asked': {
      const { id, question } = event;
      return { turns: [...turns, { id, question, answer: null, trouble: '' }], tried };
    }
    case 'answered':
      return {
        turns: changed(turns, event.id, { answer: event.answer, trouble: '' }),
        tried: mostRecent([...tried, ...event.answer.passages.map(({ title }) => title)]),
      };
    case 'failed':
      return { turns: changed(turns, event.id, { trouble: event.trouble }), tried };
    case 'tried':
      return { turns, tried: mostRecent([...tried, event.what]) };
  }
}

/** What is sent along with the next question: the last turns that have an answer. */
export function turnsOf({ turns }: Conversation): { question: string; answer: string }[] {
  return turns
    .flatMap(({ question, answer }) => {
      if (answer === null) return [];
      const text = answer.text === '' ? (answer.passages[0]?.text ?? '') : answer.text;
      return [{ question, answer: text.slice(0, ASSISTANT_LIMITS.answer) }];
    })
    .slice(-ASSISTANT_LIMITS.turns);
}
